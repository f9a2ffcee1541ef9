"""What holds for every turn of every player, wherever they live and whenever they sleep."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise

from hypothesis import assume, given, strategies as st

from games.clocks import MOST_DELAY, Calendar, Clock, Pace, reminder_moments, run
from tests.clocks.moments import HOUR, NONE
from tests.clocks.turns import MINUTE, calendars, paces, patient, places, spans_of


@given(places())
@patient
def test_it_opens_once_and_not_before(place: tuple[datetime, Calendar]) -> None:
    at, calendar = place
    opens = calendar.next_open(at)
    assert opens >= at
    assert calendar.is_open(opens)
    assert (opens == at) == calendar.is_open(at)
    assert calendar.next_open(opens) == opens


@given(places(), spans_of(10))
@patient
def test_it_opens_in_order(place: tuple[datetime, Calendar], later: timedelta) -> None:
    at, calendar = place
    assert calendar.next_open(at) <= calendar.next_open(at + later)
    assert calendar.waking.next_open(at) <= calendar.waking.next_open(at + later)
    assert calendar.next_open(at) <= calendar.waking.next_open(at)


@given(places(), st.sets(st.integers(0, 23), min_size=1))
@patient
def test_it_sends_digests_in_order_and_when_it_may(place: tuple[datetime, Calendar], hours: set[int]) -> None:
    at, calendar = place
    first = calendar.next_hour(at, hours)
    second = calendar.next_hour(first + MINUTE, hours)
    assert at <= first < second
    assert calendar.is_open(first)
    assert calendar.is_open(second)
    assert calendar.next_hour(first, hours) == first


@given(places(), paces(), spans_of(20))
@patient
def test_it_ends_no_turn_when_nobody_should_be_asked(
    place: tuple[datetime, Calendar], pace: Pace, used: timedelta
) -> None:
    began, calendar = place
    clock = run(began, pace, used=used, calendar=calendar)
    assert clock.reserve == max(pace.reserve - used, NONE)
    assert began + pace.move <= clock.free_until <= clock.due
    assert clock.due - clock.free_until >= clock.reserve
    assert calendar.is_open(clock.free_until)
    assert calendar.is_open(clock.due)


@given(places(), paces(), spans_of(5), spans_of(5), spans_of(5))
@patient
def test_it_gives_more_time_to_slower_paces_and_larger_reserves(
    place: tuple[datetime, Calendar], pace: Pace, move: timedelta, reserve: timedelta, used: timedelta
) -> None:
    began, calendar = place
    due = run(began, pace, used=used, calendar=calendar).due
    slower = Pace(pace.move + move, pace.reserve)
    larger = Pace(pace.move, pace.reserve + reserve)
    assert run(began, slower, used=used, calendar=calendar).due >= due
    assert run(began, larger, used=used, calendar=calendar).due >= due
    assert run(began, pace, used=used + reserve, calendar=calendar).due <= due
    assert run(began + move, pace, used=used, calendar=calendar).due >= due


@given(places(), paces(), spans_of(10), spans_of(10))
@patient
def test_it_gives_no_less_time_for_one_more_vacation(
    place: tuple[datetime, Calendar], pace: Pace, after: timedelta, lasts: timedelta
) -> None:
    began, calendar = place
    more = Calendar(
        calendar.zone,
        calendar.quiet,
        calendar.days_off,
        (*calendar.vacations, (began + after, began + after + lasts)),
    )
    assert run(began, pace, used=NONE, calendar=more).due >= run(began, pace, used=NONE, calendar=calendar).due


@given(places(), paces(), spans_of(40), spans_of(40), spans_of(3))
@patient
def test_it_draws_the_reserve_bit_by_bit(
    place: tuple[datetime, Calendar], pace: Pace, after: timedelta, later: timedelta, away: timedelta
) -> None:
    began, calendar = place
    clock = run(began, pace, used=NONE, calendar=calendar)
    at = began + after
    assert clock.drawn(clock.free_until) == NONE
    assert clock.drawn(clock.due) == clock.reserve
    assert NONE <= clock.drawn(at + later) - clock.drawn(at) <= later
    assert clock.drawn(at) + clock.left(at) == clock.reserve
    assert all(clock.drawn(begin) == clock.drawn(until) for begin, until in calendar.still)


@st.composite
def promises(draw: st.DrawFn) -> tuple[datetime, Calendar, Pace, datetime]:
    """A turn, and when it was due before the player moved to another calendar."""
    began, calendar = draw(places())
    pace = draw(paces(5, 7))
    return began, calendar, pace, began + draw(spans_of(30))


@given(promises())
@patient
def test_it_is_never_due_earlier_than_promised(promise: tuple[datetime, Calendar, Pace, datetime]) -> None:
    began, calendar, pace, promised = promise
    plain = run(began, pace, used=NONE, calendar=calendar)
    clock = run(began, pace, used=NONE, calendar=calendar, promised=promised)
    assert clock.due >= max(promised, plain.due)
    assert clock.due == plain.due or plain.due < promised
    assert calendar.is_open(clock.due) or clock.due == max(promised, most(plain))
    assert clock.due <= max(promised, plain.due, most(plain))


@given(promises(), spans_of(5), spans_of(5))
@patient
def test_it_stays_in_order_when_something_was_promised(
    promise: tuple[datetime, Calendar, Pace, datetime], more: timedelta, later: timedelta
) -> None:
    began, calendar, pace, promised = promise
    due = run(began, pace, used=NONE, calendar=calendar, promised=promised).due
    slower = Pace(pace.move + more, pace.reserve)
    assert run(began, slower, used=NONE, calendar=calendar, promised=promised).due >= due
    assert run(began, pace, used=NONE, calendar=calendar, promised=promised + later).due >= due


@given(st.data(), places(), paces(5, 7))
@patient
def test_it_gains_little_by_any_changes_of_settings(
    data: st.DataObject, place: tuple[datetime, Calendar], pace: Pace
) -> None:
    """However often they change during a turn; vacations stay, they are paid for by the day"""
    began, calendar = place
    due = promised = run(began, pace, used=NONE, calendar=calendar).due
    bound = due
    for _ in range(data.draw(st.integers(1, 6))):
        other = data.draw(calendars(calendar.zone, began))
        calendar = Calendar(other.zone, other.quiet, other.days_off, calendar.vacations)
        plain = run(began, pace, used=NONE, calendar=calendar)
        bound = max(bound, plain.due, most(plain))
        due = run(began, pace, used=NONE, calendar=calendar, promised=promised).due
        assert promised <= due <= bound
        promised = due


def most(clock: Clock) -> datetime:
    """The latest that a turn can be due for what was promised alone."""
    still = Calendar(vacations=clock.still)
    return run(clock.free_until, Pace(clock.reserve + MOST_DELAY, NONE), used=NONE, calendar=still).due


@given(places(), paces(), spans_of(5))
@patient
def test_it_reminds_in_waking_hours_and_in_time(place: tuple[datetime, Calendar], pace: Pace, used: timedelta) -> None:
    began, calendar = place
    clock = run(began, pace, used=used, calendar=calendar)
    moments = reminder_moments(clock, calendar)
    assert len(moments) <= 6
    assert all(later - earlier >= HOUR for earlier, later in pairwise(moments))
    assert all(began <= moment < clock.due for moment in moments)
    assert all(calendar.waking.next_open(moment) == moment for moment in moments)
    assert bool(moments) == (calendar.waking.next_open(began) < clock.due)


@given(places(), paces(least=2 * 60))
@patient
def test_it_reminds_an_hour_before_the_end(place: tuple[datetime, Calendar], pace: Pace) -> None:
    """But of those who are awake in the last hour alone"""
    began, calendar = place
    clock = run(began, pace, used=pace.reserve, calendar=calendar)
    moments = reminder_moments(clock, calendar)
    assume(moments)
    assert moments[-1] <= clock.due - HOUR or moments == (calendar.waking.next_open(began),)
