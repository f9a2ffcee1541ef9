"""Players who stay away: the autopilot moves for them, the others nudge them, and they come back."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db.models import QuerySet

from games.models import AUTOPILOT_AFTER, Game, Move, Notice, Player, Seat
from games.play.announce import announce_nudge, announce_turn
from games.play.bot_turns import play_bot_turn
from games.play.clock import CLOCK_FIELDS, MARKS, forget_marks, is_overdue, wind_up
from games.play.errors import NobodyToNudge, NoSuchSeat, NothingToWithdraw, NudgedAlready
from games.play.lock import locked
from games.play.turns import finish, seat_of, seats_of

logger = logging.getLogger(__name__)

BETWEEN_NUDGES = timedelta(hours=24)
SAME_CLICK = timedelta(minutes=1)
"""Who asks for the same again within that has clicked twice."""


def end_overdue_turns(*, at: datetime) -> int:
    """Let the autopilot play, or abandon the game, wherever a player's time has run out; how many turns ended so.

    Costs what the turn of a computer player costs, for each. A turn that fails leaves the others alone.
    """
    ended = 0
    for game in list(_overdue(at)):
        try:
            ended += is_overdue(game, at=at) and _end_turn(game, at=at)
        except Exception:
            logger.exception("the overdue turn of game %d cannot be ended", game.pk)
    return ended


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
        finish(game, seats, game.position(), end=Game.End.ABANDONED, at=at)
        return True


def see(game: Game, *, player: Player, ply: int, at: datetime) -> None:
    """Note that `player` has the game in sight at `ply`: what a mail would tell, they know. Who sat on autopilot has
    come back. Raises NoSuchSeat."""
    seat = Seat.objects.filter(game=game, player=player).only("pk", "number", "is_bot", "autopiloted").first()
    if seat is None:
        raise NoSuchSeat
    Seat.objects.filter(pk=seat.pk).update(seen_ply=min(ply, game.ply), seen_at=at)
    Player.objects.filter(pk=player.pk).update(visited_at=at)
    if seat.autopiloted >= AUTOPILOT_AFTER and not seat.is_bot and game.status == Game.Status.RUNNING:
        come_back(game, player=player, at=at)


def come_back(game: Game, *, player: Player, at: datetime) -> None:
    """Give a seat back to the player whose autopilot has it. Raises GameNotRunning, NoSuchSeat."""
    with locked(game) as game:
        seat = seat_of(game, player)
        was_automatic, seat.autopiloted = seat.is_automatic, 0
        seat.save(update_fields=("autopiloted",))
        if was_automatic and game.to_move == seat.number:
            _begin_anew(game, seat.number, at=at)


def withdraw_autopilot(game: Game, *, player: Player, at: datetime) -> None:
    """Take back the move that the autopilot has played for `player`, once a game and only while nobody has moved since.

    The turn begins anew, with the time that a move has but the reserve that is left. Where that has just been done,
    nothing is. Raises GameNotRunning, NoSuchSeat, NothingToWithdraw.
    """
    with locked(game) as game:
        seat = seat_of(game, player)
        if _plays_anew(game, seat):
            return
        last = Move.objects.filter(game=game, ply=game.ply - 1, by_autopilot=True).first()
        if last is None or last.seat != seat.number or seat.has_withdrawn:
            raise NothingToWithdraw
        last.delete()
        seat.has_withdrawn, seat.autopiloted = True, 0
        seat.save(update_fields=("has_withdrawn", "autopiloted"))
        game.ply, game.edition = game.ply - 1, game.edition + 1
        game.save(update_fields=("ply", "edition"))
        _interrupt(game)
        _begin_anew(game, seat.number, at=at)


def _plays_anew(game: Game, seat: Seat) -> bool:
    """Whether the turn that runs is that of `seat` and began anew because its player withdrew a move."""
    if game.turn_since is None or game.to_move != seat.number or not seat.has_withdrawn:
        return False
    last = Move.objects.filter(game=game, ply=game.ply - 1).first()
    began = last.at if last else game.started_at
    return began is not None and game.turn_since > began


def _interrupt(game: Game) -> None:
    """Let whoever is to move have done nothing about their turn, neither for it nor of their reserve."""
    mover = game.seats.get(number=game.to_move)
    forget_marks(mover)
    mover.save(update_fields=MARKS)


def _begin_anew(game: Game, number: int | None, *, at: datetime) -> None:
    """Let the turn of a seat begin at `at`, whoever was to move."""
    seats = seats_of(game)
    wind_up(game, next(seat for seat in seats if seat.number == number), at=at)
    game.save(update_fields=CLOCK_FIELDS)
    announce_turn(game, seats, at=at)


def nudge(game: Game, *, player: Player, at: datetime) -> None:
    """Remind who is to move that `player` waits, at most once in 24 hours and not within the first of a turn. Again
    within SAME_CLICK, nothing is done.

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
        announce_nudge(game, mover, by=own.number, number=len(nudges), at=at)
