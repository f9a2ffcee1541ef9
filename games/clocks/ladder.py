"""When to remind the player of a turn."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from .calendars import Calendar
from .periods import Period, advance, elapsed
from .turn import Clock

RUNGS: Final = (2, 4, 10)
"""A reminder is due when a half, a quarter and a tenth of the time is left."""
SHORT: Final = timedelta(hours=2)
"""A leg shorter than this has the last reminder only."""
NOTICE: Final = timedelta(hours=1)
"""How long before the end the last reminder is at the latest, and how far apart they are at least."""
SETTLE: Final = timedelta(minutes=30)
"""How long before quiet hours a reminder goes, so that it arrives before they begin."""


def ladder(clock: Clock, calendar: Calendar) -> tuple[datetime, ...]:
    """The moments of reminders, all in waking hours, at least an hour apart and before the turn is due.

    There is at least one if the player has waking hours during the turn.
    """
    rungs: list[datetime] = []
    for moment in sorted(_rungs(clock, calendar)):
        if not rungs or moment - rungs[-1] >= NOTICE:
            rungs.append(moment)
    if not rungs and (moment := calendar.next_awake(clock.began)) < clock.due:
        rungs.append(moment)
    return tuple(rungs)


def _rungs(clock: Clock, calendar: Calendar) -> Iterator[datetime]:
    for leg in ((clock.began, clock.free_until), (clock.free_until, clock.due)):
        for moment, latest in _aims(leg, calendar):
            awake = _awake(moment, latest, calendar, began=clock.began)
            if awake is not None:
                yield awake


def _aims(leg: Period, calendar: Calendar) -> Iterator[Period]:
    """When to remind in a leg of the clock, and at the latest, not counting quiet hours."""
    begin, end = leg
    time = elapsed(begin, end, calendar.still)
    if not time:
        return
    for part in RUNGS if time >= SHORT else RUNGS[-1:]:
        moment = advance(begin, time - time / part, calendar.still)
        latest = end - NOTICE if time >= SHORT else moment
        yield min(moment, latest), latest


def _awake(moment: datetime, latest: datetime, calendar: Calendar, *, began: datetime) -> datetime | None:
    """The waking moment for a reminder: the next one, or else one before the last quiet hours of this turn."""
    awake = calendar.next_awake(moment)
    if awake <= latest:
        return awake
    last = calendar.last_awake(moment)
    if last is None or last <= began:
        return None
    settled = last - SETTLE
    return settled if settled > began and calendar.waking.is_open(settled) else last
