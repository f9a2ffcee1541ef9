"""Answer times in classes, and what can be told from how many there are in each."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from games.clocks import CLASSES, MOST_MOVE, PRESETS, Pace, class_of, hours_near, nearest_preset, quantile, suits_pace

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


def counted(times: list[timedelta]) -> list[int]:
    counts = [0] * CLASSES
    for time in times:
        counts[class_of(time)] += 1
    return counts


def test_every_time_has_a_class_and_longer_ones_no_lower_one() -> None:
    classes = [class_of(minutes * MINUTE) for minutes in range(0, 90 * 24 * 60, 7)]
    assert classes == sorted(classes)
    assert (classes[0], classes[-1]) == (0, CLASSES - 1)


def test_who_has_never_answered_has_no_median() -> None:
    assert quantile([0] * CLASSES, 0.5) is None


@pytest.mark.parametrize("part", [0.25, 0.5, 0.75])
@pytest.mark.parametrize("number", [1, 2, 7, 400])
def test_it_is_at_most_a_fifth_off(number: int, part: float) -> None:
    chance = random.Random(number)
    times = [2 ** chance.uniform(0, 14) * MINUTE for _answer in range(number)]
    told = quantile(counted(times), part)
    assert told is not None
    exact = sorted(times)[max(0, round(part * number + 0.49999) - 1)]
    assert exact / 1.2 <= told <= exact * 1.2


def test_its_median_is_that_of_the_times() -> None:
    times = [hours * 60 * MINUTE for hours in (1, 2, 3, 5, 8, 13, 21)]
    told = quantile(counted(times), 0.5)
    assert told is not None
    assert told / sorted(times)[3] == pytest.approx(1, abs=0.2)


def test_less_than_a_minute_is_less_than_a_minute() -> None:
    told = quantile(counted([timedelta(seconds=2)] * 3), 0.5)
    assert told is not None
    assert told < MINUTE


def test_what_no_table_grants_is_told_as_very_long() -> None:
    told = quantile(counted([300 * DAY]), 0.5)
    assert told is not None
    assert told > 30 * DAY


@pytest.mark.parametrize(("hours", "suits"), [(0, True), (18, True), (18.1, False), (100, False)])
def test_a_median_of_a_quarter_of_the_time_for_a_move_suits_a_pace(hours: float, suits: bool) -> None:
    """What the reserve has does not matter."""
    for reserve in (0, 500):
        assert suits_pace(hours * 60 * MINUTE, Pace.of_hours(72, reserve)) is suits


def test_every_time_for_a_move_is_near_one_preset() -> None:
    for hours in range(1, int(MOST_MOVE / timedelta(hours=1)) + 1):
        assert [preset.key for preset in PRESETS if hours in hours_near(preset.key)] == [nearest_preset(hours).key]
    assert [nearest_preset(hours).key for hours in (12, 13, 72, 73)] == ["brisk", "daily", "steady", "leisurely"]
