"""How fast a player answers: median and quartiles, and the hours of the day as a chart with a table behind it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.clocks import FEW, quantile
from games.models import HOURS
from games.words.answer_times import say_median, say_quartiles

WIDE, HIGH, BAR = 456, 110, 13


class HourRow(NamedTuple):
    """An hour of the reader's day: the moves made in it, and the median time until they were made."""

    hour: str
    moves: int
    median: str


Counts = tuple[tuple[int, ...], ...]


def hours_ahead(zone: tzinfo) -> int:
    """By how many hours the clock of a reader is ahead of UTC now, rounded: answers are counted by whole hours."""
    offset = datetime.now(UTC).astimezone(zone).utcoffset() or timedelta()
    return round(offset / timedelta(hours=1))


def about_answers(counts: Counts, offset: int) -> dict[str, Any]:
    """What a page says of the answer times that `AnswerTimes.counts` has, by a clock that is `offset` hours ahead of
    UTC; empty where they are few."""
    by_class = [sum(column) for column in zip(*counts, strict=True)]
    answers = sum(by_class)
    if answers < FEW:
        return {}
    local = [counts[(hour - offset) % HOURS] for hour in range(HOURS)]
    return {
        "answers": answers,
        "quartiles": say_quartiles(*(quantile(by_class, part) for part in (0.25, 0.5, 0.75))),
        "chart": _draw([sum(classes) for classes in local]),
        "hours": [_row(hour, classes) for hour, classes in enumerate(local) if sum(classes)],
    }


def _row(hour: int, classes: Sequence[int]) -> HourRow:
    span = _("%(hour)s:00 to %(hour)s:59") % {"hour": f"{hour:02}"}
    return HourRow(span, sum(classes), say_median(quantile(classes, 0.5)))


def _draw(moves: Sequence[int]) -> SafeString:
    """A bar for each hour. Those who cannot see it have the table."""
    most, step = max(moves), WIDE / HOURS
    bars = "".join(
        f'<rect x="{hour * step + (step - BAR) / 2:g}" y="{HIGH - height:g}" width="{BAR}" height="{height:g}"/>'
        for hour, count in enumerate(moves)
        if (height := round(count * HIGH / most, 1))
    )
    hours = "".join(
        f'<text x="{hour * step + step / 2:g}" y="{HIGH + 20}">{hour:02}</text>' for hour in range(0, HOURS, 3)
    )
    return SafeString(
        f'<svg width="{WIDE}" viewBox="0 -2 {WIDE} {HIGH + 26}" aria-hidden="true">'
        f'<g fill="var(--accent-paper)" stroke="currentColor">{bars}<path d="M0 {HIGH}H{WIDE}"/></g>'
        f'<g class="label" fill="currentColor" text-anchor="middle">{hours}</g></svg>'
    )
