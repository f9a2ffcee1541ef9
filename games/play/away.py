"""Players who are away: the autopilot moves for them, others nudge them, and they come back."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db.models import QuerySet

from games.limits import NUDGES
from games.models import AUTOPILOT_AFTER, Event, Game, Move, Notice, Player, Seat
from games.outage import try_each
from games.play.announce import announce_nudge, announce_turn
from games.play.bot_turns import play_bot_turn
from games.play.deadlines import ANSWER_FIELDS, CLOCK_FIELDS, clear_answers, is_overdue, start_clock
from games.play.events import note_event
from games.play.finish import finish_game
from games.play.lock import locked
from games.play.talk import mark_heard
from games.play.turns import REMOVED_FIELDS, remove_last_move, seat_of, seats_of
from games.words.refusals import NobodyToNudge, NoSuchSeat, NothingToWithdraw, NudgedAlready

logger = logging.getLogger(__name__)

BETWEEN_NUDGES = timedelta(seconds=NUDGES.rates[0].seconds)
SAME_CLICK = timedelta(minutes=1)
"""The same request within this time is a second click."""


def end_overdue_turns(*, at: datetime) -> int:
    """End each turn whose time has run out: the autopilot plays it, or the game is abandoned. Returns how many ended.

    Each costs as much as the turn of a computer player. One that fails is logged, and the others go on.
    """
    due = {game.pk: game for game in _overdue(at)}

    def end(pk: int) -> bool:
        return is_overdue(due[pk], at=at) and _end_turn(due[pk], at=at)

    return sum(try_each(due, end, failed="the overdue turn of game %d cannot be ended", logger=logger))


def _end_turn(game: Game, *, at: datetime) -> bool:
    if game.overdue == Game.Overdue.ABANDON:
        return _abandon(game, at=at)
    played = play_bot_turn(game.pk, at=at)
    return played is not None and not played.again


def _overdue(at: datetime) -> QuerySet[Game]:
    return Game.objects.filter(status=Game.Status.RUNNING, awaited__isnull=False, due_at__lte=at).order_by("due_at")


def _abandon(game: Game, *, at: datetime) -> bool:
    with locked(game) as game:
        if not _overdue(at).filter(pk=game.pk).exists():
            return False
        seats = seats_of(game)
        finish_game(game, seats, game.position(), end=Game.End.ABANDONED, at=at)
        return True


def mark_seen(game: Game, *, player: Player, ply: int, at: datetime, watched: bool = False, heard: int = 0) -> None:
    """Note that `player` has seen the game at `ply`, so that no mail need tell them; `watched` says that they were
    there when the last moves were made. `heard` is the number of the last postcard that they have read. If the
    autopilot has their seat, they get it back. Raises NoSuchSeat."""
    fields = ("pk", "number", "is_bot", "autopiloted", "seen_ply", "seen_before")
    seat = Seat.objects.filter(game=game, player=player).only(*fields).first()
    if seat is None:
        raise NoSuchSeat
    ply = min(ply, game.ply)
    before = ply if watched else seat.seen_before if seat.seen_ply == ply else seat.seen_ply
    Seat.objects.filter(pk=seat.pk, player=player).update(seen_ply=ply, seen_at=at, seen_before=before)
    Player.objects.filter(pk=player.pk).update(visited_at=at)
    if heard:
        mark_heard(game, player=player, heard=heard, at=at)
    if seat.autopiloted >= AUTOPILOT_AFTER and not seat.is_bot and game.is_running:
        come_back(game, player=player, at=at)


def come_back(game: Game, *, player: Player, at: datetime) -> bool:
    """Give the seat of `player` back to them when the autopilot has it; returns whether it had. Raises GameNotRunning,
    NoSuchSeat."""
    with locked(game) as game:
        seat = seat_of(game, player)
        was_automatic, seat.autopiloted = seat.is_automatic, 0
        seat.save(update_fields=("autopiloted",))
        if was_automatic and game.to_move == seat.number:
            restart_turn(game, seat.number, at=at)
    return was_automatic


def withdraw_autopilot(game: Game, *, player: Player, at: datetime) -> None:
    """Take back the move that the autopilot has played for `player`: once a game, and only while nobody has moved
    since.

    The turn begins again, with the full time of a move and the reserve that is left. When `player` has just done this,
    nothing changes. Raises GameNotRunning, NoSuchSeat, NothingToWithdraw.
    """
    with locked(game) as game:
        seat = seat_of(game, player)
        if _has_restarted(game, seat):
            return
        last = Move.objects.filter(game=game, ply=game.ply - 1, by_autopilot=True).first()
        if last is None or last.seat != seat.number or seat.has_withdrawn:
            raise NothingToWithdraw
        remove_last_move(game)
        seat.has_withdrawn, seat.autopiloted = True, 0
        seat.save(update_fields=("has_withdrawn", "autopiloted"))
        game.save(update_fields=REMOVED_FIELDS)
        note_event(game, seat, Event.Kind.WITHDREW, text=last.text, at=at)
        _clear_answers_of_mover(game)
        restart_turn(game, seat.number, at=at)


def _has_restarted(game: Game, seat: Seat) -> bool:
    """Whether the current turn is that of `seat` and began again because its player withdrew a move."""
    if game.turn_since is None or game.to_move != seat.number or not seat.has_withdrawn:
        return False
    last = Move.objects.filter(game=game, ply=game.ply - 1).first()
    began = last.at if last else game.started_at
    return began is not None and game.turn_since > began


def _clear_answers_of_mover(game: Game) -> None:
    """Forget what the player to move has answered in this turn: what they said, and days taken from the reserve."""
    mover = game.seats.get(number=game.to_move)
    clear_answers(mover)
    mover.save(update_fields=ANSWER_FIELDS)


def restart_turn(game: Game, number: int | None, *, at: datetime) -> None:
    """Begin the turn of seat `number` at `at`, whoever was to move, and call its player."""
    seats = seats_of(game)
    start_clock(game, next(seat for seat in seats if seat.number == number), at=at)
    game.save(update_fields=CLOCK_FIELDS)
    announce_turn(game, seats, at=at)


def nudge(game: Game, *, player: Player, at: datetime) -> None:
    """Remind the player to move that `player` waits: at most once in 24 hours, and not in the first 24 hours of a turn.
    A second request within SAME_CLICK changes nothing.

    Raises GameNotRunning, NoSuchSeat, NobodyToNudge, NudgedAlready.
    """
    with locked(game) as game:
        own = seat_of(game, player)
        mover = game.seats.filter(number=game.to_move).select_related("player").first()
        if mover is None or mover.is_automatic or mover.number == own.number or game.turn_since is None:
            raise NobodyToNudge
        nudges = list(Notice.objects.filter(seat=mover, kind=Notice.Kind.NUDGE, ply=game.ply).order_by("pk"))
        if nudges and nudges[-1].about == own.number and mover.nudged_at and at - mover.nudged_at < SAME_CLICK:
            return
        if at - max(mover.nudged_at or game.turn_since, game.turn_since) < BETWEEN_NUDGES:
            raise NudgedAlready
        mover.nudged_at = at
        mover.save(update_fields=("nudged_at",))
        note_event(game, own, Event.Kind.NUDGED, at=at)
        announce_nudge(game, mover, by=own.number, number=len(nudges), at=at)
