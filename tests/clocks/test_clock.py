"""Turns at real dates."""

from datetime import timedelta

import pytest

from games.clocks import LEAST_MOVE, MOST_MOVE, MOST_RESERVE, PRESETS, STEADY, Calendar, Pace, run
from tests.clocks.moments import DAY, HOUR, NONE, hours, utc, vienna

DAILY = Pace(DAY, 5 * DAY)
PLAIN = Calendar("Europe/Vienna")
NIGHT = Calendar("Europe/Vienna", hours("22:00", "7:30"))
BEGAN = utc("2026-06-01 12:00")


def test_it_has_plain_presets_within_bounds_from_fast_to_slow() -> None:
    paces = [preset.pace for preset in PRESETS]
    assert sorted(paces) == paces
    assert STEADY in PRESETS
    assert len({preset.key for preset in PRESETS}) == len(PRESETS)
    assert (paces[0].move, paces[-1]) == (LEAST_MOVE, (MOST_MOVE, MOST_RESERVE))


def test_it_runs_the_free_time_and_then_the_reserve() -> None:
    clock = run(BEGAN, DAILY, used=2 * DAY, calendar=PLAIN)
    assert (clock.began, clock.free_until, clock.due) == (BEGAN, BEGAN + DAY, BEGAN + 4 * DAY)
    assert [clock.drawn(BEGAN + days * DAY) for days in (1, 2, 4, 5)] == [NONE, DAY, 3 * DAY, 3 * DAY]


@pytest.mark.parametrize("used", [5 * DAY, 9 * DAY])
def test_it_is_due_when_the_free_time_is_over_where_no_reserve_is_left(used: timedelta) -> None:
    clock = run(BEGAN, DAILY, used=used, calendar=PLAIN)
    assert clock.free_until == clock.due == BEGAN + DAY
    assert clock.drawn(BEGAN + 9 * DAY) == NONE
    assert clock.reserve == NONE


def test_it_tells_what_a_move_draws() -> None:
    clock = run(BEGAN, DAILY, used=2 * DAY, calendar=PLAIN)
    days = [clock.drawn(BEGAN + timedelta(hours=hour)) / HOUR for hour in (0, 24, 30, 96, 200)]
    assert days == [0, 0, 6, 72, 72]
    assert clock.left(BEGAN + 30 * HOUR) == 66 * HOUR


@pytest.mark.parametrize(
    ("began", "free", "due"),
    [
        # 24 hours are 24 hours: the wall clock shows another one after a change
        ("2026-03-28 12:00", "2026-03-29 13:00", "2026-04-03 13:00"),
        ("2026-10-24 12:00", "2026-10-25 11:00", "2026-10-30 11:00"),
        ("2028-02-28 12:00", "2028-02-29 12:00", "2028-03-05 12:00"),
        # in the night: when it ends, twice
        ("2026-03-27 23:30", "2026-03-29 07:30", "2026-04-03 07:30"),
        ("2026-06-01 23:00", "2026-06-03 07:30", "2026-06-08 07:30"),
    ],
)
def test_it_ends_no_turn_at_night(began: str, free: str, due: str) -> None:
    clock = run(vienna(began), DAILY, used=NONE, calendar=NIGHT)
    assert (clock.free_until, clock.due) == (vienna(free), vienna(due))


def test_it_stands_still_in_a_vacation() -> None:
    away = BEGAN + 12 * HOUR, BEGAN + 12 * HOUR + 7 * DAY
    later = BEGAN + 10 * DAY, BEGAN + 11 * DAY
    clock = run(BEGAN, DAILY, used=NONE, calendar=Calendar(vacations=(away, later)))
    assert (clock.free_until, clock.due) == (BEGAN + 8 * DAY, BEGAN + 14 * DAY)
    assert [clock.drawn(BEGAN + days * DAY) for days in (8, 10, 11, 14)] == [NONE, 2 * DAY, 2 * DAY, 5 * DAY]
    assert clock.drawn(BEGAN + 10.5 * DAY) == clock.drawn(BEGAN + 11 * DAY) == 2 * DAY


def test_it_begins_a_turn_in_a_vacation_when_that_is_over() -> None:
    clock = run(BEGAN, DAILY, used=NONE, calendar=Calendar(vacations=((BEGAN - DAY, BEGAN + DAY),)))
    assert clock.free_until == BEGAN + 2 * DAY


def test_it_does_not_run_out_as_a_vacation_begins() -> None:
    clock = run(BEGAN, DAILY, used=5 * DAY, calendar=Calendar(vacations=((BEGAN + DAY, BEGAN + 3 * DAY),)))
    assert clock.due == BEGAN + 3 * DAY


def test_it_keeps_what_was_promised() -> None:
    promised = BEGAN + 7 * DAY
    assert run(BEGAN, DAILY, used=NONE, calendar=PLAIN, promised=promised).due == promised
    assert run(BEGAN, DAILY, used=NONE, calendar=PLAIN, promised=BEGAN + 3 * DAY).due == BEGAN + 6 * DAY


def test_it_promises_free_time_to_those_who_have_no_reserve() -> None:
    clock = run(BEGAN, DAILY, used=5 * DAY, calendar=PLAIN, promised=BEGAN + 2 * DAY)
    assert clock.free_until == clock.due == BEGAN + 2 * DAY


def test_it_puts_what_was_promised_into_the_next_open_hour() -> None:
    began, promised = vienna("2026-06-01 12:00"), vienna("2026-06-07 23:00")
    assert run(began, DAILY, used=NONE, calendar=NIGHT, promised=promised).due == vienna("2026-06-08 07:30")


def test_it_lets_nobody_stall_by_settings() -> None:
    """Always today and the two days after it: 4 days are all that this brings"""
    due = run(BEGAN, DAILY, used=5 * DAY, calendar=PLAIN).due
    for _ in range(20):
        off = frozenset((due.weekday() + days) % 7 for days in range(3))
        calendar = Calendar("Europe/Vienna", days_off=off)
        later = run(BEGAN, DAILY, used=5 * DAY, calendar=calendar, promised=due).due
        assert later >= due
        due = later
    assert due == BEGAN + DAY + 4 * DAY


def test_it_keeps_a_promise_that_is_later_than_any_push() -> None:
    promised = BEGAN + 30 * DAY + HOUR
    calendar = Calendar(days_off=frozenset({promised.weekday()}))
    assert run(BEGAN, DAILY, used=NONE, calendar=calendar, promised=promised).due == promised


def test_it_tells_what_part_of_its_time_is_left() -> None:
    away = (BEGAN + 2 * DAY, BEGAN + 22 * DAY)
    clock = run(BEGAN, DAILY, used=NONE, calendar=Calendar("Europe/Vienna", vacations=(away,)))
    assert clock.due == BEGAN + 26 * DAY
    days = (0, 1, 2, 12, 22, 23, 26, 40)
    assert [round(6 * clock.part_left(BEGAN + day * DAY), 6) for day in days] == [6, 5, 4, 4, 4, 3, 0, 0]


def test_nothing_is_left_of_no_time() -> None:
    assert run(BEGAN, Pace(NONE, NONE), used=NONE, calendar=PLAIN).part_left(BEGAN) == 0
