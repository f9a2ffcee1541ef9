"""Strategies: players all over the world, and turns near everything that makes time difficult."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from hypothesis import HealthCheck, settings, strategies as st

from games.clocks import Calendar, Pace

ZONES = (
    "UTC",
    "Europe/Vienna",
    "America/New_York",
    "America/Santiago",
    "Australia/Sydney",
    "Australia/Lord_Howe",  # half an hour of DST
    "Africa/Casablanca",  # back and forth around Ramadan
    "Africa/Cairo",  # changes at midnight
    "Asia/Kathmandu",  # a quarter past
    "Pacific/Kiritimati",  # UTC+14
    "Pacific/Apia",
    "Pacific/Pago_Pago",
)
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""However busy the machine is."""
FIRST, LAST = datetime(2026, 1, 1, tzinfo=UTC), datetime(2029, 1, 1, tzinfo=UTC)
SKIPPED_DAY = datetime(2011, 12, 30, 10, tzinfo=UTC)  # in Apia
LEAP_DAY = datetime(2028, 2, 29, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@cache
def changes(zone: str) -> tuple[datetime, ...]:
    """About when the clocks of a zone change; the leap day for those that never do."""
    days = [FIRST + timedelta(days=day) for day in range((LAST - FIRST).days)]
    offsets = [day.astimezone(ZoneInfo(zone)).utcoffset() for day in days]
    found = [day for day, here, there in zip(days, offsets, offsets[1:], strict=False) if here != there]
    return (*found, *([SKIPPED_DAY] if zone == "Pacific/Apia" else [LEAP_DAY]))


def spans_of(days: float, *, least: int = 0) -> st.SearchStrategy[timedelta]:
    """Whole minutes, often whole hours."""
    longest = int(days * 24)
    hours = st.integers(-(-least // 60), longest).map(lambda hour: timedelta(hours=hour))
    return hours | st.integers(least, longest * 60).map(lambda minute: MINUTE * minute)


@st.composite
def moments(draw: st.DrawFn, zone: str) -> datetime:
    """A whole minute, more often than not around a change."""
    if draw(st.integers(0, 3)):
        return draw(st.sampled_from(changes(zone))) + draw(spans_of(4)) - timedelta(days=2)
    return FIRST + draw(spans_of((LAST - FIRST).days))


QUIET = (
    st.none()
    | st.tuples(st.integers(20 * 60, 1439), st.integers(0, 9 * 60))
    | st.tuples(st.integers(0, 4 * 60), st.integers(0, 4 * 60))
    | st.tuples(st.integers(0, 1439), st.integers(0, 1439))
)
DAYS_OFF = st.frozensets(st.integers(0, 6), max_size=3)


@st.composite
def calendars(draw: st.DrawFn, zone: str, around: datetime, days: int = 12) -> Calendar:
    """Someone's calendar, with up to four vacations near a moment that may touch and overlap."""
    away: list[tuple[datetime, datetime]] = []
    for _ in range(draw(st.integers(0, 3)) + draw(st.integers(0, 1))):
        begin, touches = around + draw(spans_of(days)) - timedelta(days=2), draw(st.booleans())
        if away and touches:
            begin = away[-1][1]
        away.append((begin, begin + draw(spans_of(days / 4))))
    return Calendar(zone, draw(QUIET), draw(DAYS_OFF), tuple(away))


@st.composite
def places(draw: st.DrawFn) -> tuple[datetime, Calendar]:
    """A moment and the calendar of somebody who lives then."""
    zone = draw(st.sampled_from(ZONES))
    at = draw(moments(zone))
    return at, draw(calendars(zone, at))


def paces(move: float = 14, reserve: float = 30, *, least: int = 1) -> st.SearchStrategy[Pace]:
    """Also far faster than any table is, down to `least` minutes."""
    return st.builds(Pace, spans_of(move, least=least), spans_of(reserve) | st.just(timedelta()))
