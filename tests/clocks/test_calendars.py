"""Nights, days off and vacations at real dates."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from games.clocks import Calendar
from tests.clocks.moments import DAY, HOUR, hours, utc, vienna

NIGHT = Calendar("Europe/Vienna", hours("22:00", "7:30"))


@pytest.mark.parametrize(
    ("at", "opens"),
    [
        ("2026-06-01 21:59", "2026-06-01 21:59"),
        ("2026-06-01 22:00", "2026-06-02 07:30"),
        ("2026-06-02 00:00", "2026-06-02 07:30"),
        ("2026-06-02 07:29", "2026-06-02 07:30"),
        ("2026-06-02 07:30", "2026-06-02 07:30"),
        # the nights of the changes
        ("2026-03-28 23:00", "2026-03-29 07:30"),
        ("2026-10-24 23:00", "2026-10-25 07:30"),
        # a leap day
        ("2028-02-28 23:00", "2028-02-29 07:30"),
        ("2028-02-29 23:00", "2028-03-01 07:30"),
    ],
)
def test_it_opens_when_the_night_ends(at: str, opens: str) -> None:
    assert NIGHT.next_open(vienna(at)) == vienna(opens)
    assert NIGHT.is_open(vienna(at)) == (at == opens)


def test_it_knows_how_long_the_nights_of_the_changes_are() -> None:
    spring, autumn = vienna("2026-03-28 22:00"), vienna("2026-10-24 22:00")
    assert NIGHT.next_open(spring) - spring == 8.5 * HOUR
    assert NIGHT.next_open(autumn) - autumn == 10.5 * HOUR


def test_it_opens_at_once_where_the_clock_skips_the_end_of_the_night() -> None:
    early = Calendar("Europe/Vienna", hours("22:00", "2:30"))
    assert early.next_open(vienna("2026-03-28 23:00")) == utc("2026-03-29 01:00") == vienna("2026-03-29 03:00")


def test_it_is_as_quiet_as_the_wall_says_when_an_hour_comes_twice() -> None:
    late = Calendar("Europe/Vienna", hours("2:30", "7:00"))
    first, second = vienna("2026-10-25 02:40"), vienna("2026-10-25 02:40") + HOUR
    assert late.next_open(first) == utc("2026-10-25 01:00")
    assert late.is_open(vienna("2026-10-25 02:10") + HOUR)
    assert late.next_open(second) == vienna("2026-10-25 07:00")


def test_it_keeps_days_off_from_midnight_to_midnight() -> None:
    weekend = Calendar("Europe/Vienna", days_off=frozenset({5, 6}))
    friday, monday = vienna("2026-03-27 23:59"), vienna("2026-03-30 00:00")
    assert weekend.is_open(friday)
    assert weekend.next_open(friday + timedelta(minutes=1)) == weekend.next_open(vienna("2026-03-29 12:00")) == monday
    assert monday - friday == 47 * HOUR + timedelta(minutes=1)


def test_it_goes_from_night_to_day_off_to_night_to_vacation() -> None:
    away = vienna("2026-06-08 06:00"), vienna("2026-06-09 23:00")
    calendar = Calendar("Europe/Vienna", hours("22:00", "7:30"), frozenset({6}), (away,))
    assert calendar.next_open(vienna("2026-06-06 22:30")) == vienna("2026-06-10 07:30")


def test_it_merges_vacations_that_overlap_or_touch() -> None:
    begin = utc("2026-06-01 00:00")
    weeks = ((begin + 3 * DAY, begin + 5 * DAY), (begin, begin + 2 * DAY), (begin + DAY, begin + 3 * DAY))
    calendar = Calendar(vacations=weeks)
    assert calendar.next_open(begin) == begin + 5 * DAY
    assert calendar.still == ((begin, begin + 5 * DAY),)


def test_it_takes_a_vacation_of_no_time_for_none() -> None:
    at = utc("2026-06-01 00:00")
    assert Calendar(vacations=((at, at), (at + DAY, at - DAY))).is_open(at)


@pytest.mark.parametrize("zone", ["Nowhere/Atall", "", "Europe", "../etc/passwd", "x" * 300, "a\0b"])
def test_it_takes_utc_for_an_unknown_zone(zone: str) -> None:
    calendar = Calendar(zone, hours("22:00", "7:00"))
    assert calendar.next_open(utc("2026-06-01 23:00")) == utc("2026-06-02 07:00")


def test_it_has_no_quiet_hours_that_end_as_they_begin() -> None:
    calendar = Calendar("Europe/Vienna", (480, 480))
    assert calendar.is_open(vienna("2026-06-01 08:00"))
    assert calendar.waking.next_open(vienna("2026-06-01 23:00")) == vienna("2026-06-02 08:00")


@pytest.mark.parametrize("quiet", [(-1, 5), (0, 1440)])
def test_it_refuses_minutes_that_no_day_has(quiet: tuple[int, int]) -> None:
    with pytest.raises(ValueError):
        Calendar(quiet=quiet)


@pytest.mark.parametrize("days", [{0, 1, 2, 3}, {7}, {-1}])
def test_it_refuses_days_off_that_leave_no_week(days: set[int]) -> None:
    with pytest.raises(ValueError):
        Calendar(days_off=frozenset(days))


def test_it_answers_in_utc_whatever_zone_it_is_asked_in() -> None:
    at = datetime(2026, 6, 1, 23, tzinfo=ZoneInfo("Asia/Kolkata"))
    waking = NIGHT.waking
    for answer in (NIGHT.next_open(at), waking.next_open(at), waking.last_open(at), NIGHT.next_hour(at, (8,))):
        assert answer is not None
        assert answer.tzinfo is UTC


@pytest.mark.parametrize(
    ("at", "awake", "last"),
    [
        ("2026-06-01 12:00", "2026-06-01 12:00", "2026-06-01 12:00"),
        ("2026-06-01 22:00", "2026-06-02 08:00", "2026-06-01 21:59"),
        ("2026-06-02 03:00", "2026-06-02 08:00", "2026-06-01 21:59"),
        ("2026-03-29 03:00", "2026-03-29 08:00", "2026-03-28 21:59"),
    ],
)
def test_it_wakes_nobody_who_has_no_quiet_hours(at: str, awake: str, last: str) -> None:
    calendar = Calendar("Europe/Vienna")
    assert calendar.is_open(vienna(at))
    assert calendar.waking.next_open(vienna(at)) == vienna(awake)
    assert calendar.waking.last_open(vienna(at)) == vienna(last)


def test_it_reminds_night_owls_at_night() -> None:
    owl = Calendar("Europe/Vienna", hours("6:00", "15:00"))
    assert owl.waking.next_open(vienna("2026-06-01 23:00")) == vienna("2026-06-01 23:00")
    assert owl.waking.next_open(vienna("2026-06-01 06:00")) == vienna("2026-06-01 15:00")


def test_it_was_not_awake_in_a_week_of_vacation() -> None:
    begin = utc("2026-06-01 12:00")
    calendar = Calendar(vacations=((begin, begin + 20 * DAY),))
    last = begin - timedelta(minutes=1)
    assert calendar.waking.last_open(last + 7 * DAY) == last
    assert calendar.waking.last_open(begin + 7 * DAY) is None


@pytest.mark.parametrize(
    ("at", "comes"),
    [
        ("2026-06-01 07:30", "2026-06-01 07:30"),
        ("2026-06-01 07:31", "2026-06-01 08:00"),
        ("2026-06-01 08:00", "2026-06-01 08:00"),
        ("2026-06-01 08:01", "2026-06-01 18:00"),
        ("2026-06-01 18:01", "2026-06-02 07:30"),
        ("2026-06-02 06:30", "2026-06-02 07:30"),
        ("2026-10-24 18:01", "2026-10-25 07:30"),
    ],
)
def test_it_tells_when_the_next_digest_goes(at: str, comes: str) -> None:
    """That of 6 o'clock waits until the night is over"""
    assert NIGHT.next_hour(vienna(at), (18, 6, 8)) == vienna(comes)


def test_it_sends_a_digest_of_an_hour_that_is_skipped_or_comes_twice_once() -> None:
    calendar = Calendar("Europe/Vienna")
    assert calendar.next_hour(vienna("2026-03-29 01:30"), (2,)) == vienna("2026-03-29 03:00")
    assert calendar.next_hour(vienna("2026-03-29 03:01"), (2,)) == vienna("2026-03-30 02:00")
    assert calendar.next_hour(vienna("2026-10-25 02:01"), (2,)) == vienna("2026-10-26 02:00")


def test_it_sends_a_digest_without_hours_when_it_may() -> None:
    assert NIGHT.next_hour(vienna("2026-06-01 23:00"), ()) == vienna("2026-06-02 07:30")


@pytest.mark.parametrize(
    ("zone", "day", "begins"),
    [
        ("UTC", "2028-02-29", "2028-02-29 00:00"),
        ("Europe/Vienna", "2026-03-29", "2026-03-28 23:00"),
        ("Europe/Vienna", "2026-03-30", "2026-03-29 22:00"),
        ("Pacific/Kiritimati", "2026-01-01", "2025-12-31 10:00"),
        # it begins at one o'clock, as midnight is skipped
        ("Africa/Cairo", "2026-04-24", "2026-04-23 22:00"),
    ],
)
def test_it_tells_when_a_day_begins(zone: str, day: str, begins: str) -> None:
    calendar = Calendar(zone)
    assert calendar.midnight(date.fromisoformat(day)) == utc(begins)
    assert calendar.day(utc(begins)) == date.fromisoformat(day)
    assert calendar.day(utc(begins) - timedelta(minutes=1)) == date.fromisoformat(day) - DAY


def test_it_knows_the_day_that_apia_skipped() -> None:
    """The clocks went from the end of 29 December 2011 to the 31st, a Saturday"""
    off = Calendar("Pacific/Apia", days_off=frozenset({3}))
    assert off.next_open(utc("2011-12-29 20:00")) == utc("2011-12-30 10:00")
    assert Calendar("Pacific/Apia").next_hour(utc("2011-12-30 09:00"), (9,)) == utc("2011-12-30 19:00")
