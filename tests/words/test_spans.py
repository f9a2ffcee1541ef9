"""How long something takes, by the one rule for all pages and mails."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import translation
from django.utils.translation import trans_real

from games.words.pace import say_pace
from games.words.spans import say_span

SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@pytest.mark.parametrize(
    ("span", "said"),
    [
        (-HOUR, "0 minutes"),
        (59 * SECOND, "0 minutes"),
        (61 * SECOND, "1 minute"),
        (HOUR - SECOND, "59 minutes"),
        (HOUR, "1 hour"),
        (HOUR + 59 * SECOND, "1 hour"),
        (HOUR + MINUTE, "61 minutes"),
        (2 * HOUR - SECOND, "119 minutes"),
        (2 * HOUR, "2 hours"),
        (DAY, "24 hours"),
        (2 * DAY - MINUTE, "47 hours"),
        (2 * DAY, "2 days"),
        (3 * DAY - HOUR, "2 days"),
        (3 * DAY - HOUR + SECOND, "3 days"),
        (3 * DAY, "3 days"),
        (4 * DAY - HOUR, "3 days"),
        (8 * DAY, "8 days"),
    ],
)
def test_it_says_how_long_in_one_unit(span: timedelta, said: str) -> None:
    assert say_span(span) == said


@pytest.mark.parametrize(
    ("span", "said"),
    [
        (90 * SECOND, "90 seconds"),
        (120 * SECOND, "2 minutes"),
        (90 * MINUTE, "90 minutes"),
        (150 * MINUTE, "150 minutes"),
        (72 * HOUR, "3 days"),
        (100 * HOUR, "100 hours"),
        (96 * HOUR, "4 days"),
    ],
)
def test_it_rounds_nothing_that_somebody_has_set(span: timedelta, said: str) -> None:
    assert say_span(span, is_exact=True) == said


@pytest.mark.parametrize(
    ("move", "reserve", "said"),
    [
        (12, 48, "12 hours for each move, and 2 days in reserve for the whole game"),
        (100, 0, "100 hours for each move, and nothing in reserve"),
        (168, 336, "7 days for each move, and 14 days in reserve for the whole game"),
    ],
)
def test_it_says_what_a_pace_grants(move: int, reserve: int, said: str) -> None:
    assert say_pace(move, reserve) == said


@pytest.mark.usefixtures("two_languages")
def test_it_speaks_the_active_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said is cached by language: who reads another one gets their own."""
    assert say_span(5 * DAY) == "5 days"
    catalog = trans_real.translation("de")
    monkeypatch.setattr(catalog, "ngettext", lambda one, many, count: "%(count)d Tage")
    with translation.override("de"):
        assert say_span(5 * DAY) == "5 Tage"
    assert say_span(5 * DAY) == "5 days"
