"""How fast somebody answers, in words."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.words.answer_times import say_quartiles


@pytest.mark.parametrize(
    ("hours", "said"),
    [
        (
            (2, 4, 9),
            (
                "A quarter of the moves came within 2 hours after the turn began, half within 4 hours, "
                "three quarters within 9 hours."
            ),
        ),
        (
            (2, 4, 4.5),
            "A quarter of the moves came within 2 hours after the turn began, three quarters within 4 hours.",
        ),
        ((4, 4, 9), "Half of the moves came within 4 hours after the turn began, three quarters within 9 hours."),
        (
            (0, 0.01, 2),
            "Half of the moves came within 1 minute after the turn began, three quarters within 2 hours.",
        ),
        ((4, 4.2, 4.5), "Three quarters of the moves came within 4 hours after the turn began."),
    ],
)
def test_it_says_quartiles_from_the_shortest_on_and_none_twice(hours: tuple[float, float, float], said: str) -> None:
    assert say_quartiles(*(timedelta(hours=count) for count in hours)) == said
