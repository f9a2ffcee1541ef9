"""Reminders at real dates."""

from datetime import timedelta

from games.clocks import STEADY, Calendar, Pace, reminder_moments, run
from tests.clocks.moments import DAY, HOUR, NONE, hours, utc, vienna

NIGHT = Calendar("Europe/Vienna", hours("22:00", "7:30"))


def test_it_reminds_at_a_half_a_quarter_and_a_tenth_of_both_phases() -> None:
    """Of three days, and then of the seven of the reserve"""
    began = utc("2026-06-01 20:00")
    clock = run(began, STEADY.pace, used=NONE, calendar=Calendar(quiet=hours("5:00", "5:30")))
    days = [(moment - began) / HOUR for moment in reminder_moments(clock, Calendar(quiet=hours("5:00", "5:30")))]
    assert days == [36, 54, 64.8, 72 + 84, 72 + 126, 72 + 151.2]


def test_it_reminds_of_the_free_time_alone_where_no_reserve_is_left() -> None:
    """The last one would come in the night before: half an hour before that begins"""
    clock = run(utc("2026-06-01 08:00"), STEADY.pace, used=7 * DAY, calendar=Calendar())
    moments = utc("2026-06-02 20:00"), utc("2026-06-03 14:00"), utc("2026-06-03 21:29")
    assert reminder_moments(clock, Calendar()) == moments


def test_it_moves_a_reminder_out_of_the_night() -> None:
    clock = run(vienna("2026-06-01 18:00"), Pace(12 * HOUR, NONE), used=NONE, calendar=NIGHT)
    assert clock.due == vienna("2026-06-02 07:30")
    assert reminder_moments(clock, NIGHT) == (vienna("2026-06-01 21:29"),)


def test_it_reminds_at_once_of_a_turn_that_began_late_in_the_evening() -> None:
    """A mail half an hour before the night would come before the turn"""
    clock = run(vienna("2026-06-01 21:45"), Pace(9.5 * HOUR, NONE), used=NONE, calendar=NIGHT)
    assert reminder_moments(clock, NIGHT) == (vienna("2026-06-01 21:59"),)


def test_it_finds_the_few_minutes_of_those_who_are_hardly_ever_awake() -> None:
    hermit = Calendar("Europe/Vienna", hours("22:00", "21:40"))
    clock = run(vienna("2026-06-01 12:00"), Pace(12 * HOUR, NONE), used=NONE, calendar=hermit)
    assert clock.due == vienna("2026-06-02 21:40")
    assert reminder_moments(clock, hermit) == (vienna("2026-06-01 21:59"),)


def test_it_leaves_an_hour_after_the_last_reminder() -> None:
    began = utc("2026-06-01 10:00")
    clock = run(began, Pace(9 * HOUR, NONE), used=NONE, calendar=Calendar())
    assert reminder_moments(clock, Calendar()) == (began + 4.5 * HOUR, began + 6.75 * HOUR, began + 8 * HOUR)


def test_it_merges_what_comes_together_in_the_morning() -> None:
    clock = run(vienna("2026-06-01 23:00"), Pace(12 * HOUR, NONE), used=NONE, calendar=NIGHT)
    assert clock.due == vienna("2026-06-02 11:00")
    assert reminder_moments(clock, NIGHT) == (vienna("2026-06-02 07:30"), vienna("2026-06-02 09:48"))


def test_it_reminds_after_a_vacation_of_what_is_left() -> None:
    began = vienna("2026-06-01 12:00")
    away = Calendar("Europe/Vienna", vacations=((began + 10 * HOUR, began + 10 * DAY),))
    clock = run(began, Pace(DAY, NONE), used=NONE, calendar=away)
    assert clock.due == began + 10 * DAY + 14 * HOUR
    assert reminder_moments(clock, away)[0] == began + 10 * DAY + 2 * HOUR


def test_it_reminds_once_of_a_short_leg() -> None:
    began = utc("2026-06-01 12:00")
    clock = run(began, Pace(timedelta(minutes=100), NONE), used=NONE, calendar=Calendar())
    assert reminder_moments(clock, Calendar()) == (began + timedelta(minutes=90),)


def test_it_reminds_when_the_player_wakes_only_near_the_end() -> None:
    began = vienna("2026-06-01 22:30")
    clock = run(began, Pace(9.5 * HOUR, NONE), used=NONE, calendar=NIGHT)
    assert clock.due == vienna("2026-06-02 08:00")
    assert reminder_moments(clock, NIGHT) == (vienna("2026-06-02 07:30"),)


def test_it_wakes_nobody_who_sleeps_through_the_turn() -> None:
    clock = run(vienna("2026-06-01 22:30"), Pace(9 * HOUR, NONE), used=NONE, calendar=NIGHT)
    assert clock.due == vienna("2026-06-02 07:30")
    assert reminder_moments(clock, NIGHT) == ()
