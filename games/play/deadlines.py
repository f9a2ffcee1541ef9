"""The clocks of turns: started when a turn begins, stopped by its move, set again when the player's calendar changes.

What is due stands in indexed columns of the game. The next move overwrites them, so old deadlines and reminders need no
cleaning up; a sweep (`owe_reminders`, `end_overdue_turns`) looks for those that are due.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.utils import timezone

from games import clocks, hooks
from games.mail import owe_many
from games.models import Game, Notice, Player, Seat
from games.play.lock import locked
from games.words.refusals import GameNotRunning, NoReserve, NotYourTurn, StaleAnswer

CHUNK = 200
"""Reminders in one transaction: few enough that no move has to wait for long."""
RESERVE_DAY = timedelta(days=1)
EVENING = 20
"""The hour of "tonight"."""


def now() -> datetime:
    """The time of the database, so that a late player and the sweep go by the same clock on several machines. Costs a
    query, except on SQLite, where it is the time of this machine. What has no deadline, such as talk, always goes by
    the time of this machine."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        [moment] = cursor.fetchone()
    return moment if isinstance(moment, datetime) else timezone.now()


def start_clock(game: Game, seat: Seat, *, at: datetime) -> None:
    """Begin the turn of `seat` at `at`: sets the columns of `game` (CLOCK_FIELDS), which the caller saves. A computer
    player has no clock. The player of the seat must be loaded."""
    game.to_move, game.turn_since = seat.number, at
    if seat.is_automatic or seat.player is None:
        game.awaited = None
        clear_clock(game)
        return
    game.awaited = seat.player
    _set(game, seat, seat.player, at=at)


def clear_clock(game: Game) -> None:
    """Clear what is due, because the game is over or a computer player is to move. The caller saves `game`."""
    game.free_until = game.due_at = game.remind_at = None
    game.reminded = 0


def stop_clock(game: Game, seat: Seat, *, at: datetime) -> None:
    """Subtract from the reserve what the turn of `seat`, which ends at `at`, has used of it. The caller saves the
    seat."""
    if game.due_at is not None and seat.player is not None:
        seat.reserve_used += seat.reserve_taken + _clock_of(game, seat, seat.player).drawn(at)
    clear_answers(seat)


def clear_answers(seat: Seat) -> None:
    """Clear what the player of `seat` has answered in this turn (ANSWER_FIELDS). The caller saves the seat."""
    seat.reserve_taken = timedelta()
    seat.says, seat.says_at = "", None


def snapshot_turn(game: Game, seat: Seat, *, at: datetime, by_mail: bool) -> dict[str, Any] | None:
    """The turn of `seat`, which ends at `at`, for `resume_turn`: what the end changes permanently, and whether its move
    came `by_mail`. None without a clock."""
    if game.turn_since is None or game.due_at is None:
        return None
    return {
        "seat": seat.number,
        "ended_at": at.isoformat(),
        "turn_since": game.turn_since.isoformat(),
        "due_at": game.due_at.isoformat(),
        "reserve_used": seat.reserve_used.total_seconds(),
        "reserve_taken": seat.reserve_taken.total_seconds(),
        "says": seat.says,
        "says_at": seat.says_at.isoformat() if seat.says_at else None,
        "by_mail": by_mail,
    }


def resume_turn(game: Game, seat: Seat, turn: Mapping[str, Any], *, at: datetime) -> None:
    """Continue the turn that `snapshot_turn` stored for `seat`, as if it had never ended: no time is won by that. Saves
    the clock of the game and the answers of the seat."""
    player = seat.player
    if player is None:
        raise NotYourTurn
    seat.reserve_used = timedelta(seconds=turn["reserve_used"])
    seat.reserve_taken = timedelta(seconds=turn["reserve_taken"])
    seat.says = turn["says"]
    seat.says_at = datetime.fromisoformat(turn["says_at"]) if turn["says_at"] else None
    seat.save(update_fields=("reserve_used", *ANSWER_FIELDS))
    game.to_move, game.awaited, game.reminded = seat.number, player, 0
    game.turn_since = datetime.fromisoformat(turn["turn_since"])
    _set(game, seat, player, at=at, promised=datetime.fromisoformat(turn["due_at"]))
    game.save(update_fields=CLOCK_FIELDS)


CLOCK_FIELDS = (
    "to_move",
    "awaited",
    "turn_since",
    "free_until",
    "due_at",
    "clock_set_at",
    "remind_at",
    "reminded",
)
ANSWER_FIELDS = ("reserve_taken", "says", "says_at")
STOP_FIELDS = ("reserve_used", *ANSWER_FIELDS, "autopiloted")


def _clock_of(game: Game, seat: Seat, player: Player) -> clocks.Clock:
    """The clock of the current turn, from its columns. Costs a query when the player has planned vacations."""
    if game.turn_since is None or game.free_until is None or game.due_at is None:
        raise GameNotRunning
    calendar = _calendar(game, player, at=game.turn_since)
    return clocks.Clock(game.turn_since, game.free_until, game.due_at, seat.reserve_left(game), calendar.still)


def reset_clocks(player: Player, *, at: datetime, keeps_promise: bool = False) -> None:
    """Set the clocks of all turns of `player` again, after their calendar has changed. With `keeps_promise` no turn
    becomes due earlier than before."""
    for game in Game.objects.awaiting(player).only("pk"):
        with locked(game) as current:
            if current.awaited_id == player.pk:
                _reset(current, player, at=at, promised=current.due_at if keeps_promise else None)


def is_overdue(game: Game, *, at: datetime) -> bool:
    """Whether the time of the player to move has run out. Sets the clock by their calendar once more first: the process
    that changed the calendar may have been killed before it did."""
    with locked(game) as game:
        if game.awaited is None or game.due_at is None or game.due_at > at:
            return False
        _reset(game, game.awaited, at=at, promised=game.due_at)
        return game.due_at <= at


def _reset(game: Game, player: Player, *, at: datetime, promised: datetime | None) -> None:
    seat = game.seats.defer("clan", "entropy").get(player=player)
    _set(game, seat, player, at=at, promised=promised)
    game.save(update_fields=CLOCK_FIELDS)


class Turn(NamedTuple):
    """A turn as a form saw it: edition and ply of its game, and how many days of the reserve it had been given."""

    edition: int
    ply: int
    days: int


def take_reserve_day(game: Game, *, player: Player, turn: Turn | None = None, at: datetime) -> None:
    """Let the current turn begin to use the reserve a day later, in exchange for a day of the reserve.

    With the `turn` that a form was made for, one day is taken, however often the form is sent. Raises GameNotRunning,
    NotYourTurn, StaleAnswer, NoReserve.
    """
    with locked(game) as game:
        seat = _mover(game, player)
        current = Turn(game.edition, game.ply, seat.reserve_taken // RESERVE_DAY)
        if turn is not None and turn == current._replace(days=current.days - 1):
            return
        if turn not in (None, current):
            raise StaleAnswer
        if seat.reserve_left(game) < RESERVE_DAY:
            raise NoReserve
        seat.reserve_taken += RESERVE_DAY
        seat.save(update_fields=("reserve_taken",))
        _set(game, seat, player, at=at, promised=game.due_at)
        game.save(update_fields=CLOCK_FIELDS)


def tell_others(game: Game, *, player: Player, what: str, at: datetime) -> None:
    """Tell the others that `player`, who is to move, will play tonight or is thinking. A player who will play tonight
    is reminded then and not before. Raises GameNotRunning, NotYourTurn."""
    with locked(game) as game:
        seat = _mover(game, player)
        seat.says, seat.says_at = Seat.Says(what), at
        seat.save(update_fields=("says", "says_at"))
        if what == Seat.Says.TONIGHT and game.due_at is not None:
            game.remind_at = _tonight(seat, player, at=at, due=game.due_at) or game.remind_at
            game.save(update_fields=("remind_at",))


def owe_reminders(*, at: datetime) -> int:
    """Write the notices of reminders that are due, and set when the next one of each turn is due; returns how many.

    Costs some queries for each CHUNK.
    """
    owed = 0
    while chunk := _owe_some(at=at):
        owed += chunk
    return owed


def _owe_some(*, at: datetime) -> int:
    with transaction.atomic():
        due = Game.objects.filter(remind_at__lte=at).order_by("remind_at", "pk")
        games = list(due.select_for_update(skip_locked=connection.features.has_select_for_update_skip_locked)[:CHUNK])
        seats = _movers(games)
        reminders = [_reminder(game, seats[game.pk]) for game in games if game.pk in seats]
        owe_many(reminders, at=at)
        hooks.owe(reminders, at=at)
        for game in games:
            game.reminded += 1
            game.remind_at = _next_reminder(game, seats.get(game.pk), at=at)
        Game.objects.bulk_update(games, ("reminded", "remind_at"))
    return len(games)


def _movers(games: Sequence[Game]) -> dict[int, Seat]:
    """The seat that is to move in each of `games`, with game and player loaded."""
    found = {}
    by_pk = {game.pk: game for game in games}
    for seat in Seat.objects.filter(game__in=games).select_related("player").defer("clan", "entropy"):
        game = by_pk[seat.game_id]
        if seat.number == game.to_move and not seat.is_automatic and seat.player is not None:
            seat.game = game
            found[game.pk] = seat
    return found


def _reminder(game: Game, seat: Seat) -> Notice:
    # Numbered across editions: a ply that is played again has reminders of its own.
    return Notice(seat=seat, kind=Notice.Kind.REMINDER, ply=game.ply, number=100 * game.edition + game.reminded + 1)


def _next_reminder(game: Game, seat: Seat | None, *, at: datetime) -> datetime | None:
    if seat is None or seat.player is None or game.due_at is None or game.turn_since is None:
        return None
    clock = _clock_of(game, seat, seat.player)
    moments = clocks.reminder_moments(clock, _calendar(game, seat.player, at=game.turn_since))
    return next((moment for moment in moments if moment > at), None)


def _set(game: Game, seat: Seat, player: Player, *, at: datetime, promised: datetime | None = None) -> None:
    """Set the clock columns for the turn that began at `game.turn_since`."""
    if game.turn_since is None:
        raise GameNotRunning
    pace = clocks.Pace.of_hours(game.move_hours, game.reserve_hours)
    calendar = _calendar(game, player, at=game.turn_since)
    clock = clocks.run(
        game.turn_since,
        pace._replace(move=pace.move + seat.reserve_taken),
        used=seat.reserve_used + seat.reserve_taken,
        calendar=calendar,
        promised=promised,
    )
    game.free_until, game.due_at, game.clock_set_at = clock.free_until, clock.due, at
    if game.turn_since == at:
        game.reminded = 0
    tonight = _tonight(seat, player, at=at, due=clock.due)
    game.remind_at = tonight or next(
        (moment for moment in clocks.reminder_moments(clock, calendar) if moment > at), None
    )


def _tonight(seat: Seat, player: Player, *, at: datetime, due: datetime) -> datetime | None:
    """When to remind a player who will play tonight: None if that time is over, or not before the turn is due."""
    if seat.says != Seat.Says.TONIGHT or seat.says_at is None:
        return None
    evening = player.calendar().next_hour(seat.says_at, [EVENING])
    return evening if at < evening < due else None


def _calendar(game: Game, player: Player, *, at: datetime) -> clocks.Calendar:
    return player.calendar(with_vacations=game.allows_vacation, at=at)


def _mover(game: Game, player: Player) -> Seat:
    """The seat of `player`, who is to move in the running `game`."""
    if not game.is_running:
        raise GameNotRunning
    if game.awaited_id != player.pk:
        raise NotYourTurn
    seat: Seat = game.seats.defer("clan", "entropy").get(player=player)
    return seat
