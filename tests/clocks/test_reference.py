"""The same as a walk from minute to minute."""

from __future__ import annotations

from datetime import datetime, timedelta

from hypothesis import assume, given, settings, strategies as st

from games.clocks import Calendar, Pace, run
from tests.clocks import reference
from tests.clocks.moments import NONE
from tests.clocks.turns import SKIPPED_DAY, paces, patient, places, spans_of

few = settings(patient, max_examples=40)


@given(places())
@few
def test_it_opens_and_wakes_as_the_reference_does(place: tuple[datetime, Calendar]) -> None:
    at, calendar = place
    assert calendar.is_open(at) == reference.is_open(calendar, at)
    assert calendar.next_open(at) == reference.next_open(calendar, at)
    assert calendar.waking.last_open(at) == reference.last_awake(calendar, at)
    awake = calendar.waking.next_open(at)
    assert reference.is_awake(calendar, awake)
    assert not any(reference.is_awake(calendar, minute) for minute in reference.span(at, awake))


@given(places(), st.sets(st.integers(0, 23), min_size=1, max_size=4))
@few
def test_it_finds_the_next_digest_as_the_reference_does(place: tuple[datetime, Calendar], hours: set[int]) -> None:
    """But in the days when Apia skipped one: test_calendars.py tells which digests came"""
    at, calendar = place
    assume(at.year != SKIPPED_DAY.year)
    assert calendar.next_hour(at, hours) == reference.next_hour(calendar, at, hours)


@given(places(), paces(3, 4), spans_of(2), spans_of(9))
@few
def test_it_runs_as_the_reference_does(
    place: tuple[datetime, Calendar], pace: Pace, used: timedelta, after: timedelta
) -> None:
    began, calendar = place
    clock = run(began, pace, used=used, calendar=calendar)
    left = max(pace.reserve - used, NONE)
    assert (clock.free_until, clock.due) == reference.dues(began, pace, left, calendar)
    at = began + after
    assert clock.drawn(at) == min(reference.drawn(calendar, clock.free_until, at), left)
