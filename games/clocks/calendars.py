"""When a player may be reached and when a deadline may fall, in their own zone."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from typing import Final
from zoneinfo import ZoneInfo

from .periods import Period, Periods, merge

AWAKE: Final = (8 * 60, 22 * 60)
"""Minutes of the local day, from and until, in which people without quiet hours of their own are reminded."""
MOST_DAYS_OFF: Final = 3

DAY: Final = timedelta(days=1)
WEEK: Final = timedelta(days=7)
MINUTE: Final = timedelta(minutes=1)
MINUTES: Final = 24 * 60


@dataclass(frozen=True)
class Calendar:
    """Zone, quiet hours, days off and vacations of a player.

    A moment is in the quiet hours or on a day off when the clock on the player's wall says so, also where that clock
    is put forward or back. `quiet` is (from, until) in minutes of the local day, `until` not included; it may pass
    midnight, and from == until means none. `days_off` are weekdays, 0 = Monday. An unknown zone is UTC.
    Raises ValueError for minutes or weekdays that do not exist and for more than MOST_DAYS_OFF.
    """

    zone: str = "UTC"
    quiet: tuple[int, int] | None = None
    days_off: frozenset[int] = frozenset()
    vacations: Periods = ()

    def __post_init__(self) -> None:
        if self.quiet and not all(0 <= minute < MINUTES for minute in self.quiet):
            raise ValueError(f"no minutes of a day: {self.quiet}")
        if len(self.days_off) > MOST_DAYS_OFF or not self.days_off <= frozenset(range(7)):
            raise ValueError(f"not at most {MOST_DAYS_OFF} weekdays: {sorted(self.days_off)}")

    @cached_property
    def still(self) -> Periods:
        """The vacations in UTC, in order; those that touch are one."""
        return merge(self.vacations)

    def is_open(self, at: datetime) -> bool:
        """Whether `at` is outside of quiet hours, days off and vacations."""
        return self._closed(at.astimezone(UTC)) is None

    def next_open(self, at: datetime) -> datetime:
        """The first open moment that is not before `at`."""
        at = at.astimezone(UTC)
        while period := self._closed(at):
            at = period[1]
        return at

    def last_open(self, at: datetime) -> datetime | None:
        """The latest open moment that is not after `at`, to the minute. None when there is none within 7 days."""
        at = at.astimezone(UTC)
        earliest = at - WEEK
        while period := self._closed(at):
            at = period[0] - MINUTE
            if at < earliest:
                return None
        return at

    def next_hour(self, at: datetime, hours: Collection[int]) -> datetime:
        """When the next of these full local hours comes, not before `at`; one that is not open moves to where it is.

        An hour that the clock skips comes as if it did not, one that comes twice counts the first time. Without hours:
        the next open moment.
        """
        at = at.astimezone(UTC)
        if not hours:
            return self.next_open(at)
        today = self.day(at)
        moments = sorted({self._moment(today + DAY * days, hour) for days in range(-2, 3) for hour in hours})
        before = [moment for moment in moments if moment <= at]
        moved = self.next_open(before[-1]) if before else at
        return moved if moved >= at else self.next_open(moments[len(before)])

    def day(self, at: datetime) -> date:
        """The day that the player has then."""
        return at.astimezone(self._zone).date()

    def midnight(self, day: date) -> datetime:
        """When a day of the player begins."""
        return self._moment(day, 0)

    @cached_property
    def _zone(self) -> ZoneInfo:
        return zone_named(self.zone)

    @cached_property
    def waking(self) -> Calendar:
        """The same calendar, with all hours outside AWAKE quiet if there are no quiet hours."""
        if self.quiet and self.quiet[0] != self.quiet[1]:
            return self
        return replace(self, quiet=AWAKE[::-1])

    def _moment(self, day: date, hour: int) -> datetime:
        return datetime.combine(day, time(hour), self._zone).astimezone(UTC)

    def _closed(self, at: datetime) -> Period | None:
        """A period around `at` that is closed for one reason, with one offset from UTC; None when `at` is open."""
        for period in self.still:
            if period[0] <= at < period[1]:
                return period
        local = at.astimezone(self._zone)
        minute = local.hour * 60 + local.minute
        if local.weekday() in self.days_off:
            since, lasts = minute, MINUTES
        elif self.quiet:
            since, lasts = (minute - self.quiet[0]) % MINUTES, (self.quiet[1] - self.quiet[0]) % MINUTES
        else:
            return None
        if since >= lasts:
            return None
        begin = at - timedelta(minutes=since, seconds=local.second, microseconds=local.microsecond)
        return self._of_one_offset(begin, at, begin + timedelta(minutes=lasts))

    def _of_one_offset(self, begin: datetime, at: datetime, end: datetime) -> Period:
        """The part around `at` of a period in which the wall clock runs as it does at `at`."""
        offset = self._offset(at)
        if self._offset(begin) != offset:
            begin = self._change(begin, at, offset)
        if self._offset(end) != offset:
            end = self._change(end, at, offset) + MINUTE
        return begin, end

    def _change(self, other: datetime, at: datetime, offset: timedelta | None) -> datetime:
        """The minute farthest from `at` towards `other` up to which the offset is that of `at`."""
        whole = at.replace(second=0, microsecond=0)
        toward = MINUTE if other > at else -MINUTE
        same, apart = 0, (other - whole) // toward
        while apart - same > 1:
            middle = (same + apart) // 2
            if self._offset(whole + toward * middle) == offset:
                same = middle
            else:
                apart = middle
        return whole + toward * same

    def _offset(self, at: datetime) -> timedelta | None:
        return at.astimezone(self._zone).utcoffset()


def zone_named(name: str) -> ZoneInfo:
    """The zone of that name; UTC where this machine does not know it: a page or a mail is worth more than its hour."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return ZoneInfo("UTC")
