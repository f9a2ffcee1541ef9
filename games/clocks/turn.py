"""What one turn costs, and until when."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from .calendars import Calendar
from .pace import Pace
from .periods import Periods, advance, elapsed

MOST_DELAY: Final = timedelta(days=4)
"""How much later, in running time, a turn can become due when its player changes settings again and again."""


class Clock(NamedTuple):
    """The clock of one turn: free until `free_until`, then using the reserve, over at `due`."""

    began: datetime
    free_until: datetime
    due: datetime
    reserve: timedelta
    """What was left of the player's reserve when the turn began."""
    still: Periods
    """Vacations, in which the clock stands still."""

    def drawn(self, at: datetime) -> timedelta:
        """How much of the reserve a move at `at` uses."""
        return min(elapsed(self.free_until, at.astimezone(UTC), self.still), self.reserve)

    def left(self, at: datetime) -> timedelta:
        """What a move at `at` leaves of the reserve."""
        return self.reserve - self.drawn(at)

    def part_left(self, at: datetime) -> float:
        """Which part of the turn's time, with the reserve, is left at `at`: from 1 to 0."""
        whole = elapsed(self.began, self.due, self.still)
        return elapsed(at.astimezone(UTC), self.due, self.still) / whole if whole else 0


def run(began: datetime, pace: Pace, *, used: timedelta, calendar: Calendar, promised: datetime | None = None) -> Clock:
    """The clock of a turn that began then, for a player who has `used` so much of the reserve in earlier turns.

    Vacations stop it. Quiet hours and days off do not, but where it would run out in them it runs out when they end,
    both before the reserve is drawn and at last. `promised` is when the move was due before settings changed in the
    turn: it is never due earlier, and by that alone at most MOST_DELAY later than its time has run.
    """
    reserve = max(pace.reserve - used, timedelta())
    began = began.astimezone(UTC)
    free_until = calendar.next_open(advance(began, pace.move, calendar.still))
    runs_out = advance(free_until, reserve, calendar.still)
    due = calendar.next_open(runs_out)
    if promised is not None and due < promised:
        due = min(calendar.next_open(promised), max(promised, advance(runs_out, MOST_DELAY, calendar.still)))
    return Clock(began, free_until if reserve else due, due.astimezone(UTC), reserve, calendar.still)
