"""Spans of time as (from, until), until not included; and time that stands still in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

Span = tuple[datetime, datetime]
Spans = tuple[Span, ...]


def merge(spans: Iterable[Span]) -> Spans:
    """The same moments in UTC, in order and apart: what overlaps or touches is one span, what is empty is none."""
    merged: list[Span] = []
    for begin, end in sorted((begin.astimezone(UTC), end.astimezone(UTC)) for begin, end in spans):
        if begin >= end:
            continue
        if merged and begin <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((begin, end))
    return tuple(merged)


def advance(at: datetime, time: timedelta, still: Spans) -> datetime:
    """When `time` has run since `at`. Never inside a span of `still`, where none runs."""
    for begin, end in still:
        if end <= at:
            continue
        if at + time < begin:
            break
        time -= max(begin - at, timedelta())
        at = end
    return at + time


def elapsed(begin: datetime, end: datetime, still: Spans) -> timedelta:
    """How much time runs from `begin` to `end`; none when that is earlier."""
    return sum((until - since for since, until in running(begin, end, still)), timedelta())


def running(begin: datetime, end: datetime, still: Spans) -> Iterator[Span]:
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
