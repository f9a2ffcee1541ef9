"""A mail of each kind, from games that are the same each time: what `tools.mail_pictures` writes, and tests read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random

from django.test import override_settings

from games import play, rules
from games.enqueue import without_enqueueing
from games.mail import render_invitation, render_season_mail
from games.mail.compose import render
from games.mail.message import as_message
from games.models import (
    Entrant,
    Game,
    InboundMail,
    Invitation,
    Mail,
    Move,
    Notice,
    OutgoingMail,
    Player,
    Round,
    Season,
    SeasonMail,
    SeasonTable,
    Seat,
    find_turn_token,
    make_turn_token,
)

BEGIN = datetime(2026, 11, 2, 18, 0, tzinfo=UTC)
EVERY = timedelta(hours=9)
MIDDLE = 25


def every_mail() -> Iterator[tuple[str, bytes]]:
    """A name and the bytes of one mail of each kind, of some with several tables, and of some to be answered."""
    with without_enqueueing():
        people = _people()
        games = {
            "first": _game(people, 0, "A fresh start"),
            "early": _game(people, 4, "The tea room"),
            "middle": _game(people, MIDDLE),
            "two": _game(people[:2], 12, "Two by the lake"),
            "late": _game(people, 38, "Anna & Tom’s <long> evening table by the sea"),
            "over": _game(people, 60, "The last village"),
        }
        yield from _mails(games, people)


def _people() -> list[Player]:
    zones = {"alice": "Europe/Vienna", "bob": "America/New_York", "carol": "Asia/Tokyo"}
    people = [
        Player.objects.create_user(name, email=f"{name}@example.com", time_zone=zone) for name, zone in zones.items()
    ]
    people[1].white_clan = True
    people[1].save()
    return people


def _game(people: list[Player], plies: int, name: str = "Friday table", *, games: int = 1) -> Game:
    """A game that has come about so far, with the first of its people to move."""
    game = play.open_table(people[0], name=name, size=len(people), games=games, at=BEGIN)
    for player in people[1:]:
        play.join_table(game, player=player, at=BEGIN)
    game.refresh_from_db()
    rng, at = Random(plies), BEGIN
    while not game.is_over and plies and (game.ply < plies or game.awaited != people[0]):
        at += EVERY
        move = rules.random_step(game.position(), rng).move
        seat = game.seats.select_related("player").get(number=game.to_move)
        play.play_move(game, seat=seat, move=move, ply=game.ply, key=str(game.ply), at=at)
        game.refresh_from_db()
    return game


def _mails(games: dict[str, Game], people: list[Player]) -> Iterator[tuple[str, bytes]]:
    kind = Notice.Kind
    middle = games["middle"]
    yield "turn-first", _mail([_notice(games["first"], kind.TURN)])
    yield "turn-early", _mail([_notice(games["early"], kind.TURN)])
    yield "turn", _mail([_notice(middle, kind.TURN)])
    yield "turn-of-two", _mail([_notice(games["two"], kind.TURN)])
    yield "turn-late", _mail([_notice(games["late"], kind.TURN)])
    yield "started", _mail([_notice(games["first"], kind.STARTED, awaited=False)])
    yield "finished", _mail([_notice(games["over"], kind.FINISHED, of=people[1])])
    yield "reminder", _mail([_notice(middle, kind.REMINDER)], waited=0.8)
    yield "reminder-last", _mail([_notice(games["early"], kind.REMINDER)], waited=0.95)
    waiting = [_notice(games[name], kind.TURN, of=people[0]) for name in ("middle", "late", "early")]
    yield "bundle", _mail([*waiting[:1], _notice(games["over"], kind.FINISHED, of=people[0])])
    yield (
        "bundle-many",
        _mail([*waiting, *(_notice(games[name], kind.REMINDER, of=people[0]) for name in ("two", "first"))]),
    )
    yield from _mails_to_answer(waiting)
    yield "nudge", _mail([_notice(middle, kind.NUDGE, about=middle.to_move - 1 if middle.to_move else 1)])
    for told in (kind.BOUNCED, kind.PROPOSAL, kind.WITHDRAWN, kind.RESIGNED):
        yield told, _mail([_notice(middle, told, awaited=False, about=middle.to_move)])
    tea = games["early"]
    for number, text in (
        (1, "Who builds in the steppe, of all places?"),
        (2, "Wait & see.\nIt is <my> steppe."),
    ):
        play.write_postcard(tea, player=people[number], text=text, at=BEGIN + EVERY * 5)
    tea.refresh_from_db()
    yield "postcard", _mail([_notice(tea, kind.POSTCARD, of=people[0])])
    yield "turn-with-talk", _mail([_notice(tea, kind.TURN)])
    play.open_table(people[2], name="The last village (2)", size=3, follows=games["over"], at=BEGIN)
    asks = games["over"].seats.get(player=people[2])
    yield "again", _mail([_notice(games["over"], kind.AGAIN, of=people[1], about=asks.number)])
    yield "receipt", _mail([_played(middle)])
    yield "receipt-refused", _mail([_refused(middle)])
    with override_settings(REPLY_ADDRESS="turn@clans.example.com"):
        yield "receipt-asked", _mail([_asked(middle)])
    yield "test", _mail([_notice(middle, kind.TEST)])
    Seat.objects.filter(game=games["two"]).update(autopiloted=1)
    yield "autopilot", _mail([_moved_by_autopilot(games["two"])])
    yield "taken", _mail([_taken_over(games["two"], of=people[0], by=people[2])])
    table = play.open_table(people[0], name="Nobody on Monday", size=4, at=BEGIN)
    yield "expired", _mail([_notice(table, kind.EXPIRED, of=people[0])])
    play.join_table(table, player=people[1], at=BEGIN)
    play.hand_on_table(table, by=people[0], name=people[1].username, at=BEGIN)
    yield "handed", _mail([_notice(table, kind.HANDED, of=people[1], about=0)])
    yield from _mails_of_series(people)
    yield "season", _mail([_notice(_of_a_season(games["over"]), kind.SEASON, of=people[1])])
    yield "invitation", _invitation(people[0])
    yield "invitation-to-season", _invitation_to_season(people[0])
    yield "release", _release(people[0], people[1])
    yield "cancelled", _of_closed_season(people[0], people[1])
    yield "season-for-opener", _of_season_over(games["over"])


def _mails_to_answer(waiting: list[Notice]) -> Iterator[tuple[str, bytes]]:
    """Calls that can be answered by mail, with a short text and with a full one."""
    with override_settings(REPLY_ADDRESS="turn@clans.example.com"):
        yield "turn-to-answer", _mail(waiting[:1])
        yield "bundle-to-answer", _mail(waiting)
        for notice in waiting:
            notice.reader.mail_text = "full"
        yield "turn-in-full", _mail(waiting[:1])
        yield "bundle-in-full", _mail(waiting)
    for notice in waiting:
        notice.reader.mail_text = "short"


def _mails_of_series(people: list[Player]) -> Iterator[tuple[str, bytes]]:
    """The end of the first game of three, the question who is ready, the second game's first turn, and the end of a
    series that somebody leaves."""
    kind = Notice.Kind
    first = _game(people, 60, "Three evenings", games=3)
    play.open_next_table(first.series_id or 0, at=BEGIN)
    second = first.followed_by.get()
    yield "next", _mail([_notice(second, kind.NEXT, of=people[0])])
    yield "finished-of-series", _mail([_notice(first, kind.FINISHED, of=people[0])])
    for player in people:
        play.say_ready(second, player=player, at=BEGIN)
    second.refresh_from_db()
    yield "turn-of-series", _mail([_notice(second, kind.TURN)])
    other = _game(people, 60, "Two evenings", games=2)
    play.open_next_table(other.series_id or 0, at=BEGIN)
    table = other.followed_by.get()
    play.close_table(table, player=people[1], at=BEGIN)
    leaver = table.seats.get(player=people[1])
    yield "expired-of-series", _mail([_notice(table, kind.EXPIRED, of=people[0], about=leaver.joined)])


def _of_a_season(game: Game) -> Game:
    """The finished game, as the last of a season that its players have played."""
    seats = list(game.seats.select_related("player").order_by("joined"))
    people = [seat.player for seat in seats if seat.player is not None]
    about = {"move_hours": game.move_hours, "reserve_hours": game.reserve_hours, "status": Season.Status.OVER}
    about["ended_at"] = BEGIN
    season = Season.objects.create(
        name="Spring league", opener=people[0], size=len(seats), rounds=1, created_at=BEGIN, started_at=BEGIN, **about
    )
    Entrant.objects.bulk_create(Entrant(season=season, player=player, joined_at=BEGIN) for player in people)
    drawn = Round.objects.create(season=season, number=1, began_at=BEGIN)
    SeasonTable.objects.create(round=drawn, number=1, players=[player.pk for player in people], game=game)
    return game


def _invitation(opener: Player) -> bytes:
    table = play.open_table(opener, name="By the mill", size=4, bots=1, at=BEGIN)
    made = play.invite(table, by=opener, to="dora@example.com", keeps_seat=True, at=BEGIN)
    return _invitation_bytes(made)


def _invitation_to_season(opener: Player) -> bytes:
    season = play.open_season(opener, name="Winter league", size=3, rounds=4, key="winter", at=BEGIN)
    play.invite_to_season(season, by=opener, names=("dora@example.com",), at=BEGIN)
    return _invitation_bytes(season.invitations.get())


def _release(opener: Player, other: Player) -> bytes:
    table = play.open_table(opener, name="By the ferry", size=4, bots=1, at=BEGIN)
    play.join_table(table, player=other, at=BEGIN)
    play.release_player(table, by=opener, name=other.username, at=BEGIN)
    made = Invitation.objects.get(game=table, is_release=True)
    return _invitation_bytes(made)


def _of_closed_season(opener: Player, other: Player) -> bytes:
    """The mail to `other`, who had joined a season that was closed before it began."""
    season = play.open_season(opener, name="Spring league", size=2, rounds=3, key="spring", at=BEGIN)
    play.join_season(season, player=other, at=BEGIN)
    play.close_season(season, by=opener, at=BEGIN)
    return _season_bytes(SeasonMail.objects.get(season=season))


def _of_season_over(game: Game) -> bytes:
    """The mail to its opener that the season of this game is over, as if they had not played."""
    season = game.season_table.round.season
    about = {"message_id": "<season@clans.example.com>", "created_at": BEGIN, "due_at": BEGIN}
    return _season_bytes(SeasonMail.objects.create(season=season, player=season.opener, **about))


def _season_bytes(made: SeasonMail) -> bytes:
    render_season_mail(made)
    return _bytes_of(made)


def _invitation_bytes(made: Invitation) -> bytes:
    render_invitation(made)
    return _bytes_of(made)


def _notice(
    game: Game, kind: str, *, awaited: bool = True, of: Player | None = None, about: int | None = None
) -> Notice:
    """A notice to the player who is to move, to somebody else, or to a player; not in the database."""
    seats = game.seats.select_related("game", "player").order_by("joined")
    if of is not None:
        seat = seats.get(player=of)
    else:
        seat = next(seat for seat in seats if (seat.number == (game.to_move or 0)) == awaited)
    return Notice(seat=seat, kind=kind, ply=game.ply, about=about, created_at=BEGIN)


def _moved_by_autopilot(game: Game) -> Notice:
    """A notice of the game's last move, as if the autopilot had made it."""
    mover = Move.objects.filter(game=game).latest("ply")
    Move.objects.filter(pk=mover.pk).update(by_bot=True, by_autopilot=True)
    # What this process has read of the game's moves before must not be kept.
    game.edition = 1
    game.save(update_fields=("edition",))
    seat = game.seats.get(number=mover.seat)
    return _notice(game, "autopilot", of=seat.player)


def _taken_over(game: Game, *, of: Player, by: Player) -> Notice:
    """A notice to the player of a seat that the autopilot had, who has lost it to `by`."""
    Game.objects.filter(pk=game.pk).update(allows_takeover=True)
    game.seats.filter(player=of).update(autopiloted=3)
    play.take_over(game, player=by, number=game.seats.get(player=of).number or 0, at=BEGIN)
    return Notice.objects.loaded().get(seat__game=game, kind=Notice.Kind.TAKEN)


def _played(game: Game) -> Notice:
    """A notice that the last move has come by mail."""
    last = game.moves.order_by("-ply")[0]
    notice = _notice(game, "receipt", of=game.seats.get(number=last.seat).player)
    return _answered(notice, code="played", is_done=True, read=last.text)


def _refused(game: Game) -> Notice:
    """A notice that a move which came by mail is not legal."""
    legal = rules.legal_moves(game.position())
    origin, far = legal[0].origin, legal[-1].origin
    choices = [str(move) for move in legal if move.origin == origin]
    places = {"origin": origin, "territory": far}
    read = f"{origin}-{far}"
    about = {"code": "not-neighbors", "read": read, "params": places, "origin": origin, "choices": choices}
    return _answered(_notice(game, "receipt"), is_done=False, **about)


def _asked(game: Game) -> Notice:
    """A notice that a move which came by mail waits until it is confirmed."""
    notice, move = _notice(game, "receipt"), rules.legal_moves(game.position())[0]
    notice.number = 1
    return _answered(notice, code="asked", is_done=True, read=str(move), params={"is_signed": 1})


def _answered(notice: Notice, **result: object) -> Notice:
    """The notice with the mail of its reader that it answers, both in the database."""
    notice.due_at = BEGIN
    notice.save()
    game, player = notice.seat.game, notice.reader
    token = find_turn_token(make_turn_token(player, {1: notice.seat}, use="answer", at=BEGIN), "answer")
    if token is None:
        raise LookupError("there is no token that was made just now")
    InboundMail.objects.create(
        token=token,
        player=player,
        received_at=BEGIN,
        due_at=BEGIN,
        size=0,
        state="sent",
        outcome="read" if result["is_done"] else "empty",
        results=[{"number": 1, "table": game.name, "slug": game.slug} | result],
        notice=notice,
    )
    return notice


def _mail(notices: list[Notice], *, waited: float = 0.02) -> bytes:
    """The mail of notices when so much of the turn is over."""
    first = notices[0]
    game = first.seat.game
    since, due = game.turn_since or game.ended_at or BEGIN, game.due_at or game.turn_since or BEGIN
    mail = Mail(player=first.reader, message_id=f"<{first.kind}-{game.slug}@example.com>")
    render(mail, notices, at=since + max(due - since, timedelta()) * waited)
    return _bytes_of(mail)


def _bytes_of(row: OutgoingMail) -> bytes:
    """What the mail server gets."""
    sent: bytes = as_message(row).message().as_bytes(linesep="\r\n")
    return sent
