"""The same answers by walking from minute to minute, as somebody with a watch and a diary would find them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from games.clocks import Calendar, Pace

MINUTE = timedelta(minutes=1)


def is_away(calendar: Calendar, at: datetime) -> bool:
    return any(begin <= at < end for begin, end in calendar.vacations)


def is_open(calendar: Calendar, at: datetime) -> bool:
    wall = at.astimezone(ZoneInfo(calendar.zone))
    begin, end = calendar.quiet or (0, 0)
    minute = wall.hour * 60 + wall.minute
    quiet = begin <= minute < end if begin <= end else minute >= begin or minute < end
    return not (quiet or wall.weekday() in calendar.days_off or is_away(calendar, at))


def is_awake(calendar: Calendar, at: datetime) -> bool:
    begin, end = calendar.quiet or (0, 0)
    sleeps = begin == end and not 8 <= at.astimezone(ZoneInfo(calendar.zone)).hour < 22
    return is_open(calendar, at) and not sleeps


def minutes(at: datetime, step: timedelta = MINUTE) -> Iterator[datetime]:
    while True:
        yield at
        at += step


def next_open(calendar: Calendar, at: datetime) -> datetime:
    return next(minute for minute in minutes(at) if is_open(calendar, minute))


def last_awake(calendar: Calendar, at: datetime) -> datetime | None:
    for minute in minutes(at, -MINUTE):
        if at - minute > timedelta(days=7):
            return None
        if is_awake(calendar, minute):
            return minute
    raise AssertionError


def advance(calendar: Calendar, at: datetime, time: timedelta) -> datetime:
    """When a watch that is stopped in vacations has run so long."""
    for minute in minutes(at):
        if not is_away(calendar, minute):
            if not time:
                return minute
            time -= MINUTE
    raise AssertionError


def dues(began: datetime, pace: Pace, left: timedelta, calendar: Calendar) -> tuple[datetime, datetime]:
    """(free_until, due)."""
    free_until = next_open(calendar, advance(calendar, began, pace.move))
    return free_until, next_open(calendar, advance(calendar, free_until, left))


def drawn(calendar: Calendar, free_until: datetime, at: datetime) -> timedelta:
    """How far such a watch gets from `free_until` to `at`."""
    time = timedelta()
    for minute in minutes(free_until):
        if minute >= at:
            return time
        if not is_away(calendar, minute):
            time += MINUTE
    raise AssertionError


def digests(calendar: Calendar, since: datetime, hours: Collection[int]) -> Iterator[datetime]:
    """When the wall clock first reaches or passes each of these hours, from some time on; before they are moved."""
    zone = ZoneInfo(calendar.zone)
    latest = since.astimezone(zone).replace(tzinfo=UTC)
    for minute in minutes(since + MINUTE):
        wall = minute.astimezone(zone).replace(tzinfo=UTC)
        while latest < wall:
            latest += MINUTE
            if not latest.minute and latest.hour in hours:
                yield minute


def next_hour(calendar: Calendar, at: datetime, hours: Collection[int]) -> datetime:
    last = None
    for moment in digests(calendar, at - timedelta(days=3), hours):
        if moment > at:
            held = last is not None and not any(is_open(calendar, minute) for minute in span(last, at))
            return next_open(calendar, at if held or last == at else moment)
        last = moment
    raise AssertionError


def span(begin: datetime, end: datetime) -> Iterator[datetime]:
    """The minutes from `begin` on that are before `end`."""
    for minute in minutes(begin):
        if minute >= end:
            return
        yield minute
