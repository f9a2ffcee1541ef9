"""Tables in every state that there is, with those who look at them: what crawlers and worlds are tried on."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from allauth.mfa.totp.internal.auth import TOTP

from games import hooks, mail, play
from games.models import AUTOPILOT_AFTER, Game, Notice, Player, Season
from tests.cast import AT, make_game, make_player, make_table, next_deal, play_random, seat_to_move
from tests.made_once import made_once

NOW = AT + timedelta(days=20)
"""When everything in the scenery has happened."""


@dataclass(frozen=True, slots=True)
class Scenery:
    """The players by name and the tables by what is special about them."""

    players: dict[str, Player]
    games: dict[str, Game]
    invitation: str = ""
    """The token of the one to dora@example.com, who has no account."""
    season_invitation: str = ""
    """The same to alice's open season."""

    @property
    def slugs(self) -> list[str]:
        return [game.slug for game in self.games.values()]

    def viewer(self, name: str) -> Player | None:
        """The player of that name, None for `visitor`."""
        return None if name == "visitor" else self.players[name]

    def stop_links(self) -> list[str]:
        """Of each player the address, without the site, that turns mail off."""
        return ["/mail/stop/" + mail.stop_url(player).split("/mail/stop/")[1] for player in self.players.values()]


VIEWERS = ("alice", "bob", "carol", "mallory", "visitor", "warden")
"""Seated in many games, in some, in a few; a stranger; nobody; and who sees the admin pages."""


POINT = "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"
"""A point of P-256: what a browser says that messages to it are to be encrypted for."""


def make_scenery() -> Scenery:
    """Everything from an open table to the archive, with the mails that are owed."""
    players, games, *invitations = made_once(_make_everything)
    by_name = {player.username: player for player in Player.objects.all()}
    by_slug = {game.slug: game for game in Game.objects.all()}
    return Scenery(
        {name: by_name[name] for name in players}, {name: by_slug[slug] for name, slug in games}, *invitations
    )


def _make_everything() -> tuple[tuple[str, ...], tuple[tuple[str, str], ...], str, str]:
    """The names of the players, the tables with their slugs, and the tokens of the invitations."""
    # Made now, and not by the first page that shows it.
    hooks.push_public_key()
    players = {name: make_player(name) for name in ("alice", "bob", "carol", "mallory")}
    players["warden"] = make_player("warden")
    Player.objects.filter(username="warden").update(is_staff=True, is_superuser=True)
    TOTP.activate(players["warden"], "JBSWY3DPEHPK3PXP")
    for name in ("alice", "bob"):
        players[name].feed_key = f"{name:-<43}"
        players[name].save(update_fields=("feed_key",))
        hooks.add_hook(players[name], kind="json", url=f"https://hooks.example/{name}", at=AT)
        play.make_api_token(players[name], name=f"a program of {name}", at=AT)
        hooks.add_browser(
            players[name],
            url=f"https://push.example/{name}",
            public_key=POINT,
            secret="c2l4dGVlbiBieXRlcyBvaw",
            name="Firefox on Android",
            at=AT,
        )
    season = _open_season(players["alice"], players["bob"])
    games = dict(_games(players["alice"], players["bob"], players["carol"]))
    for other in ("bob", "carol"):
        play.add_favorite(players["alice"], players[other].pk, at=AT)
    _talk(games, players)
    play.count_archive(at=NOW)
    Notice.objects.filter(kind=Notice.Kind.STARTED).update(state=Notice.State.SENT, sent_at=AT)
    invitation = _invite(games["open"], players["alice"])
    to_season = _invite_to_season(season)
    return tuple(players), tuple((name, game.slug) for name, game in games.items()), invitation, to_season


def _games(alice: Player, bob: Player, carol: Player) -> Iterator[tuple[str, Game]]:
    yield "open", _open(alice, bob)
    yield "open by link", make_table(bob, size=4, bots=2, is_public=False, name="Behind the mill")
    yield "closed", _closed(alice)
    yield "begun", make_game(alice, bob, carol)
    yield "running", play_random(make_game(alice, bob, carol, is_rated=True), 12)
    yield "late", play_random(make_game(bob, alice, five_clans="nothing", is_public=False), 26, seed=3)
    yield "computers to move", _with_computers(alice, to_move="computer")
    yield "computers waiting", _with_computers(alice, to_move="person")
    yield "resigned", _resigned(carol, bob, alice)
    yield "taken over", _taken_over(alice, bob, carol)
    yield "autopilot", _overdue(bob, alice)
    yield "left to the autopilot", _left(alice, carol)
    finished = play_random(make_game(alice, bob, carol, is_rated=True), seed=5)
    yield "finished", finished
    yield "again", make_table(bob, is_public=False, name="Once more", follows=finished)
    yield "finished by link", _abandoned(make_game(carol, bob, is_public=False))
    yield "abandoned", _abandoned(make_game(bob, alice))
    yield from _series(carol, bob, "asks who is ready", is_public=False)
    yield from _series(alice, bob, "second of a series", is_public=True)
    yield from _season_that_runs(bob, carol)


def _invite(game: Game, opener: Player) -> str:
    """Invite carol by name, and an address for which a seat is kept; the token of that one."""
    play.invite(game, by=opener, to="carol", at=NOW)
    return play.invite(game, by=opener, to="dora@example.com", keeps_seat=True, at=NOW).token


def _invite_to_season(season: Season) -> str:
    """Invite carol by name, and an address; the token of that one."""
    play.invite_to_season(season, by=season.opener, names=("carol", "dora@example.com"), at=NOW)
    return season.invitations.get(player=None).token


def _open_season(opener: Player, other: Player) -> Season:
    """A season of two that has not begun."""
    season = play.open_season(opener, name="Spring league", size=2, rounds=3, key=opener.username, at=AT)
    play.join_season(season, player=other, at=AT)
    return season


def _season_that_runs(opener: Player, other: Player) -> Iterator[tuple[str, Game]]:
    """The games of the first two rounds of three, of which the second one runs."""
    season = _open_season(opener, other)
    play.begin_season(season, by=opener, at=AT)
    play.advance_season(season.pk, at=AT)
    yield "first round of a season", play_random(_game_of_round(season, 1), seed=21)
    play.advance_season(season.pk, at=NOW)
    yield "second round of a season", play_random(_game_of_round(season, 2), 7, seed=22)


def _game_of_round(season: Season, number: int) -> Game:
    return Game.objects.get(season_table__round__season=season, season_table__round__number=number)


def _talk(games: dict[str, Game], players: dict[str, Player]) -> None:
    """Postcards at some tables, one of which everybody reads; and somebody who reads nothing of somebody."""
    Game.objects.filter(pk=games["finished"].pk).update(talk=Game.Talk.END)
    for name in ("open", "running", "finished"):
        for writer in ("alice", "bob"):
            play.write_postcard(
                games[name], player=players[writer], text=f"{name}: <b>hi</b>\nhttps://example.com/", at=AT
            )
    first = games["open"].postcards.select_related("game", "seat__player").earliest("pk")
    play.write_postcard(games["finished"], player=players["alice"], text="A bold move", about=5, at=NOW)
    play.report_postcard(first, player=players["bob"], reason="Not nice", at=AT)
    play.mute_player(players["alice"], players["mallory"], blocks=True, at=AT)


def _open(opener: Player, other: Player) -> Game:
    game = make_table(opener, size=4)
    play.join_table(game, player=other, entropy="words of another", at=AT)
    return game


def _series(opener: Player, other: Player, name: str, *, is_public: bool) -> Iterator[tuple[str, Game]]:
    """The first two games of a series of three; in public the second one runs, else `other` alone is ready for it."""
    first = play.open_table(
        opener, name="Three evenings", size=2, games=3, terms=play.Terms(is_public=is_public), fixed=next_deal(), at=AT
    )
    play.join_table(first, player=other, at=AT)
    yield f"{name}: before", play_random(first, seed=8)
    play.open_next_table(first.series_id or 0, at=NOW)
    second = first.followed_by.get()
    for player in (other, opener) if is_public else (other,):
        play.say_ready(second, player=player, at=NOW)
    second.refresh_from_db()
    yield name, second


def _closed(opener: Player) -> Game:
    game = make_table(opener, name="Too late")
    play.close_table(game, player=opener, at=AT)
    return game


def _with_computers(player: Player, *, to_move: str) -> Game:
    """A game against two computer players that have moved already."""
    game = make_game(player, bots=2)
    rng = random.Random(11)
    play_random(game, 6 + rng.randrange(3))
    while seat_to_move(game).is_bot != (to_move == "computer"):
        play_random(game, 1, seed=rng.randrange(99))
    return game


def _taken_over(stayer: Player, leaver: Player, taker: Player) -> Game:
    """A game in which somebody plays on for another; the third seat is free to take over, too."""
    terms = play.Terms(allows_takeover=True)
    game = make_table(stayer, size=3, terms=terms, name="Somebody else")
    other = make_player("oscar")
    for player in (leaver, other):
        play.join_table(game, player=player, at=AT)
    play.write_note(game, player=leaver, text="I am away soon.", seen="", at=AT)
    play_random(game, 5)
    for player in (leaver, other):
        play.resign(game, player=player, at=AT + timedelta(days=2))
    number = game.seats.get(player=leaver).number
    play.take_over(game, player=taker, number=number or 0, at=AT + timedelta(days=3))
    return game


def _resigned(opener: Player, leaver: Player, agreeing: Player) -> Game:
    game = play_random(make_game(opener, leaver, agreeing), 9, seed=9)
    play.resign(game, player=leaver, at=AT + timedelta(days=2))
    play.agree_to_abandon(game, player=agreeing, agrees=True, at=AT + timedelta(days=2))
    return game


def _overdue(late: Player, other: Player) -> Game:
    """A game in which the autopilot has just moved for `late`."""
    game = make_game(late, other)
    while game.awaited != late:
        play_random(game, 1)
    assert game.due_at
    play.play_bot_turn(game.pk, at=game.due_at)
    return game


def _left(leaver: Player, other: Player) -> Game:
    """A game in which the autopilot has the seat of `leaver`."""
    game = _overdue(leaver, other)
    game.seats.filter(player=leaver).update(autopiloted=AUTOPILOT_AFTER)
    return game


def _abandoned(game: Game) -> Game:
    play_random(game, 4, seed=13)
    for seat in game.seats.all():
        assert seat.player is not None
        play.agree_to_abandon(game, player=seat.player, agrees=True, at=AT + timedelta(days=3))
    return game
