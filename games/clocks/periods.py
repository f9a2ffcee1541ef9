"""Periods of time as (from, until), until not included; and time that stands still in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

Period = tuple[datetime, datetime]
Periods = tuple[Period, ...]


def merge(periods: Iterable[Period]) -> Periods:
    """The same moments in UTC, in order and apart: what overlaps or touches is one period, what is empty is none."""
    merged: list[Period] = []
    for begin, end in sorted((begin.astimezone(UTC), end.astimezone(UTC)) for begin, end in periods):
        if begin >= end:
            continue
        if merged and begin <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((begin, end))
    return tuple(merged)


def advance(at: datetime, time: timedelta, still: Periods) -> datetime:
    """When `time` has run since `at`. Never inside a period of `still`, where none runs."""
    for begin, end in still:
        if end <= at:
            continue
        if at + time < begin:
            break
        time -= max(begin - at, timedelta())
        at = end
    return at + time


def elapsed(begin: datetime, end: datetime, still: Periods) -> timedelta:
    """How much time runs from `begin` to `end`; none when that is earlier."""
    return sum((until - since for since, until in running(begin, end, still)), timedelta())


def running(begin: datetime, end: datetime, still: Periods) -> Iterator[Period]:
    """The parts of `begin` to `end` in which time runs."""
    for since, until in still:
        if until <= begin:
            continue
        if since >= end:
            break
        if begin < since:
            yield begin, since
        begin = until
    if begin < end:
        yield begin, end
