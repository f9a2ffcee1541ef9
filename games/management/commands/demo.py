"""Demo players and games for a first look at the site."""

from __future__ import annotations

import random
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import reduce
from operator import or_
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from games import play, rules
from games.enqueue import without_enqueueing
from games.mail import forget_all, still_true, supersede_before
from games.models import Game, Notice, Player, Season, Series

PASSWORD = "clans-by-mail"  # noqa: S105
CLOCKS = {"alice": "Europe/Vienna", "bob": "America/New_York", "carol": "Asia/Tokyo"}
WISHES: dict[str, dict[str, Any]] = {"bob": {"quiet_from": time(23), "quiet_until": time(7)}}
LONGEST = 52
"""More moves than a game has (rules 7.5), with some time before the first."""
SOME, EVERY = 24, timedelta(hours=3, minutes=25)
"""The most moves that were made in a running game, and the time from one to the next."""
JOINED = timedelta(days=365)
"""How long ago the players signed up: before the first of their games."""
TODAY = timedelta(hours=3)
"""Mail for what happened before that is as good as sent long ago."""


USUAL, BRISK, DAILY = play.Terms(), play.Terms(12, 48), play.Terms(24, 120)


@dataclass(frozen=True, slots=True)
class DemoGame:
    """A demo game: who played it, how it was set up, and how many days ago it ended."""

    name: str
    players: tuple[str, ...]
    days: float = 0
    bots: int = 0
    resigns: tuple[str, int] = ("", 0)
    """Who gives up, at which ply; in a game that runs, after the last move."""
    abandoned: int = 0
    """The ply at which all agree to stop; 0 for never."""
    terms: play.Terms = USUAL


FINISHED = (
    DemoGame("First game", ("alice", "bob"), days=61, terms=DAILY),
    DemoGame("All three at last", ("carol", "alice", "bob"), days=52),
    DemoGame("A full table", ("bob", "alice", "carol"), bots=1, days=47),
    DemoGame("Carol against the machine", ("carol",), bots=3, days=40),
    DemoGame("Nothing for five", ("bob", "carol"), days=34, terms=play.Terms(five_clans="nothing")),
    DemoGame("Called off for the holidays", ("alice", "carol"), days=29, abandoned=9),
    DemoGame("The long evening", ("alice", "bob", "carol"), days=23, terms=BRISK._replace(five_clans="nothing")),
    DemoGame("Bob had to leave", ("carol", "bob", "alice"), days=13, resigns=("bob", 15)),
    DemoGame("Two and two", ("alice", "bob"), bots=2, days=8),
    DemoGame("Lunch break", ("alice",), bots=1, days=3, terms=DAILY),
    DemoGame("Return match", ("bob", "alice", "carol"), days=0.04),
)


RUNNING = (
    ("alice", timedelta(minutes=25), DemoGame("Friday table", ("carol", "alice", "bob"))),
    ("alice", timedelta(hours=15), DemoGame("Round the clock", ("alice", "bob"), terms=BRISK)),
    ("carol", timedelta(hours=40), DemoGame("The slow boat", ("alice", "carol"), terms=play.Terms(168, 336))),
    (
        "carol",
        timedelta(hours=11),
        DemoGame(
            "Bob is too busy", ("bob", "carol"), bots=1, terms=play.Terms(allows_takeover=True), resigns=("bob", SOME)
        ),
    ),
)
"""Games some moves in: who is to move, and since when. In the second the mover draws on the reserve; in
the last a seat can be taken over."""


TALK = (
    ("bob", "Two seats are free. No hurry, I think about my moves in the evening.", timedelta(hours=6)),
    ("carol", "Count me in! Then it is morning here.", timedelta(hours=1, minutes=50)),
)
"""What is said at the open table: by whom, and how long ago."""


class Command(BaseCommand):
    help = "Make the demo again: alice, bob and carol, their games and an archive. Refuses where others play."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--if-empty", action="store_true", help="only in a database without any player, else quiet")

    def handle(self, *args: Any, if_empty: bool, **options: Any) -> None:
        if if_empty and not settings.DEBUG:
            return
        if not (if_empty and Player.objects.exists()):
            _check_nobody_else()
            with transaction.atomic(), without_enqueueing():
                _remove()
                _make(timezone.now())
            forget_all()
        if Player.objects.filter(_demo_players()).count() == len(CLOCKS):
            self.stdout.write(f"Demo: sign in as {', '.join(CLOCKS)}; the password of each is {PASSWORD}")


def address(name: str) -> str:
    """Where the demo player's mail would go; nobody has an address at example.com."""
    return f"{name}@example.com"


def _check_nobody_else() -> None:
    """Raise CommandError where a demo would be in somebody's way."""
    if not settings.DEBUG:
        raise CommandError("The demo's passwords are known to everybody: not with DEBUG off.")
    others = Player.objects.exclude(_demo_players()).count()
    if others:
        raise CommandError(
            f"This database holds {others} other player(s): the demo does not touch it. Make it elsewhere "
            "(VAR_DIR=~/clans-demo make demo, then VAR_DIR=~/clans-demo make run), "
            f"or remove {settings.VAR_DIR} with all that it holds."
        )


def _demo_players() -> Q:
    return reduce(or_, (Q(username=name, email=address(name)) for name in CLOCKS))


def _remove() -> None:
    Season.objects.all().delete()
    Game.objects.all().delete()
    Series.objects.all().delete()
    Player.objects.all().delete()


def _make(now: datetime) -> None:
    players = _make_players(now - JOINED)
    for number, demo in enumerate(FINISHED):
        _add_finished(demo, players, random.Random(number), ended=now - timedelta(days=demo.days))
    _make_season(players, now)
    _make_series(players["bob"], players["alice"], now)
    _make_open_table(players, now)
    for number, (mover, since, demo) in enumerate(RUNNING, start=1):
        _begin(demo, players, random.Random(number), mover=players[mover], at=now - since)
    _make_plans(players, now)
    _make_game_against_computers(players["alice"], now)
    play.count_archive(at=now)
    supersede_before(now - TODAY)
    _forget_mail_of_old()
    _make_mail_due(now)


def _forget_mail_of_old() -> None:
    """Leave nothing in the mail logs of a past that nobody has lived. What is still to be mailed stays; the call to an
    open turn stays as one that has come long ago."""
    notices = Notice.objects.select_related("seat__game", "seat__player")
    owed = [notice.pk for notice in notices.filter(state=Notice.State.DUE) if still_true(notice)]
    calls = [notice.pk for notice in notices.filter(kind=Notice.Kind.TURN) if still_true(notice)]
    Notice.objects.exclude(pk__in=owed + calls).delete()
    Notice.objects.exclude(pk__in=owed).update(state=Notice.State.SENT, reason="", sent_at=F("due_at"))


def _make_mail_due(now: datetime) -> None:
    """Make the mail that is still owed due now. Otherwise it would count as late, and the site as unhealthy until the
    first sweep."""
    Notice.objects.filter(state=Notice.State.DUE, due_at__lt=now).update(due_at=now)
    Game.objects.filter(remind_at__lt=now).update(remind_at=now)


def _make_players(joined: datetime) -> dict[str, Player]:
    """The three, each with a verified address, who signed up at `joined`."""
    password = make_password(PASSWORD)
    players = {}
    for name, zone in CLOCKS.items():
        about = {"email": address(name), "time_zone": zone, "date_joined": joined, **WISHES.get(name, {})}
        player = Player(username=name, password=password, **about)
        player.save()
        EmailAddress.objects.create(user=player, email=player.email, verified=True, primary=True)
        players[name] = player
    return players


def _add_finished(demo: DemoGame, players: dict[str, Player], rng: random.Random, *, ended: datetime) -> None:
    """Play the whole tale, so many hours to a move that the last one falls on `ended`."""
    names, every = demo.players, timedelta(hours=rng.uniform(2, 5))
    game = _start(demo, [players[name] for name in names], at=ended - LONGEST * every)
    steps = rules.random_game(game.opening(), rng)[: demo.abandoned or None]
    resigner, ply = demo.resigns
    if resigner:
        moment = ended - len(steps[ply:]) * every
        _play(game, steps[:ply], every=every, until=moment)
        play.resign(game, player=players[resigner], at=moment)
    _play(game, steps[ply:], every=every, until=ended)
    for name in names if demo.abandoned else ():
        play.agree_to_abandon(game, player=players[name], agrees=True, at=ended)


def _make_open_table(players: dict[str, Player], now: datetime) -> None:
    game = play.open_table(players["bob"], name="Who has time?", size=4, at=now - timedelta(hours=7))
    play.join_table(game, player=players["carol"], at=now - timedelta(hours=2))
    for name, text, ago in TALK:
        play.write_postcard(game, player=players[name], text=text, at=now - ago)


def _make_season(players: dict[str, Player], now: datetime) -> None:
    """A season of the three: its first round is over, and in the second it is bob's turn."""
    opener, began, over = players["carol"], now - timedelta(days=18), now - timedelta(days=6)
    season = play.open_season(opener, name="Autumn league", size=len(players), rounds=3, key="demo", at=began)
    for name in ("alice", "bob"):
        play.join_season(season, player=players[name], at=began)
    play.begin_season(season, by=opener, at=began)
    play.advance_season(season.pk, at=began)
    first = Game.objects.get(season_table__round__season=season)
    rng = random.Random(0)
    _play_out(first, rng, until=over)
    play.advance_season(season.pk, at=over)
    second = Game.objects.get(season_table__round__season=season, season_table__round__number=2)
    _play_some(second, rng, mover=players["bob"], at=now - timedelta(hours=20))


def _make_series(opener: Player, other: Player, now: datetime) -> None:
    """Three games of two, by link: the first one is over, and in the second it is the turn of `opener`."""
    over, rng = now - timedelta(days=9), random.Random(1)
    by_link = play.Terms(is_public=False, is_rated=True)
    first = play.open_table(opener, name="Just us two", size=2, games=3, terms=by_link, at=now - timedelta(days=19))
    play.join_table(first, player=other, at=now - timedelta(days=19))
    first.refresh_from_db()
    _play_out(first, rng, until=over)
    play.open_next_table(first.series_id or 0, at=over)
    second = first.followed_by.get()
    for player in (opener, other):
        play.say_ready(second, player=player, at=over)
    second.refresh_from_db()
    _play_some(second, rng, mover=opener, at=now - timedelta(hours=30))


def _begin(demo: DemoGame, players: dict[str, Player], rng: random.Random, *, mover: Player, at: datetime) -> None:
    """A game, some moves in, that waits for `mover` since `at`."""
    game = _start(demo, [players[name] for name in demo.players], at=at - SOME * EVERY)
    _play_some(game, rng, mover=mover, at=at)
    if demo.resigns[0]:
        play.resign(game, player=players[demo.resigns[0]], at=at)


def _play_out(game: Game, rng: random.Random, *, until: datetime) -> None:
    """The whole game, with a move every five hours."""
    _play(game, rules.random_game(game.opening(), rng), every=timedelta(hours=5), until=until)


def _play_some(game: Game, rng: random.Random, *, mover: Player, at: datetime) -> None:
    """Some moves, after the last of which, made at `at`, it is the turn of `mover`."""
    steps = rules.random_game(game.opening(), rng)
    number = game.seats.get(player=mover).number
    played = max(step.ply for step in steps[:SOME] if step.seat == number)
    _play(game, steps[:played], every=EVERY, until=at)


def _make_plans(players: dict[str, Player], now: datetime) -> None:
    """What carol tells the others of her time: she is thinking, and goes on vacation in some days."""
    carol, boat = players["carol"], Game.objects.get(name="The slow boat")
    play.tell_others(boat, player=carol, what="thinking", at=now - timedelta(hours=2))
    first = carol.calendar().day(now) + timedelta(days=12)
    play.plan_vacation(carol, first=first, last=first + timedelta(days=6), at=now)


def _make_game_against_computers(alice: Player, now: datetime) -> None:
    """A game against two computer players in which alice can move at once."""
    at = now - timedelta(minutes=4)
    game = _start(DemoGame("Against the machine", ("alice",), bots=2), [alice], at=at)
    while play.play_bot_turn(game.pk, at=at):
        pass


def _start(demo: DemoGame, players: Sequence[Player], *, at: datetime) -> Game:
    """A table that is full, and so a running game."""
    game = play.open_table(
        players[0],
        name=demo.name,
        size=len(players) + demo.bots,
        bots=demo.bots,
        terms=demo.terms._replace(is_rated=True),
        at=at,
    )
    for player in players[1:]:
        play.join_table(game, player=player, at=at)
    game.refresh_from_db()
    return game


def _play(game: Game, steps: Sequence[rules.Step], *, every: timedelta, until: datetime) -> None:
    """Play some steps, one `every` so often, the last of them at `until`."""
    seats = list(game.seats.order_by("number"))
    for left, step in zip(reversed(range(len(steps))), steps, strict=True):
        seat, key = seats[step.seat], f"demo-{step.ply}"
        play.play_move(game, seat=seat, move=step.move, ply=step.ply, key=key, at=until - left * every)
