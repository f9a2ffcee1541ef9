"""When to remind the player of a turn."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from .calendars import Calendar
from .periods import Period, advance, elapsed
from .turn import Clock

PARTS_LEFT: Final = (2, 4, 10)
"""A reminder is due when a half, a quarter and a tenth is left of a phase of the clock: first of the time for the move,
then of the reserve. How much is left of both together is told by `Clock.part_left`."""
SHORT: Final = timedelta(hours=2)
"""A phase shorter than this has the last reminder only."""
LAST_CALL: Final = timedelta(hours=1)
"""How long before the end the last reminder is at the latest, and how far apart they are at least."""
SETTLE: Final = timedelta(minutes=30)
"""How long before quiet hours a reminder goes, so that it arrives before they begin."""


def reminder_moments(clock: Clock, calendar: Calendar) -> tuple[datetime, ...]:
    """The moments of reminders, all in waking hours, at least an hour apart and before the turn is due.

    There is at least one if the player has waking hours during the turn.
    """
    moments: list[datetime] = []
    for moment in sorted(_all_moments(clock, calendar)):
        if not moments or moment - moments[-1] >= LAST_CALL:
            moments.append(moment)
    if not moments and (moment := calendar.waking.next_open(clock.began)) < clock.due:
        moments.append(moment)
    return tuple(moments)


def _all_moments(clock: Clock, calendar: Calendar) -> Iterator[datetime]:
    for phase in ((clock.began, clock.free_until), (clock.free_until, clock.due)):
        for moment, latest in _aims(phase, calendar):
            awake = _awake(moment, latest, calendar, began=clock.began)
            if awake is not None:
                yield awake


def _aims(phase: Period, calendar: Calendar) -> Iterator[Period]:
    """When to remind in a phase of the clock, and at the latest, not counting quiet hours."""
    begin, end = phase
    time = elapsed(begin, end, calendar.still)
    if not time:
        return
    for part in PARTS_LEFT if time >= SHORT else PARTS_LEFT[-1:]:
        moment = advance(begin, time - time / part, calendar.still)
        latest = end - LAST_CALL if time >= SHORT else moment
        yield min(moment, latest), latest


def _awake(moment: datetime, latest: datetime, calendar: Calendar, *, began: datetime) -> datetime | None:
    """The waking moment for a reminder: the next one, or else one before the last quiet hours of this turn."""
    awake = calendar.waking.next_open(moment)
    if awake <= latest:
        return awake
    last = calendar.waking.last_open(moment)
    if last is None or last <= began:
        return None
    settled = last - SETTLE
    return settled if settled > began and calendar.waking.is_open(settled) else last
