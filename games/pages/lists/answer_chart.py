"""How fast a player answers: median and quartiles, and the hours of the day as a chart with a table behind it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from django.utils.translation import gettext as _

from games.clocks import FEW, quantile
from games.drawing import draw_hours
from games.models import HOURS
from games.words.answer_times import say_median, say_quartiles

Counts = tuple[tuple[int, ...], ...]


def hours_ahead(zone: tzinfo) -> int:
    """By how many hours the clock of a reader is ahead of UTC now, rounded: answers are counted by whole hours."""
    offset = datetime.now(UTC).astimezone(zone).utcoffset() or timedelta()
    return round(offset / timedelta(hours=1))


def about_answers(counts: Counts, offset: int) -> dict[str, Any]:
    """What a page says of the answer times that `AnswerTimes.counts` has, by a clock that is `offset` hours ahead of
    UTC; empty if they are few."""
    by_class = [sum(column) for column in zip(*counts, strict=True)]
    answers = sum(by_class)
    if answers < FEW:
        return {}
    local = [counts[(hour - offset) % HOURS] for hour in range(HOURS)]
    return {
        "answers": answers,
        "quartiles": say_quartiles(*(quantile(by_class, part) for part in (0.25, 0.5, 0.75))),
        "chart": draw_hours([sum(classes) for classes in local]),
        "hours": [_row(hour, classes) for hour, classes in enumerate(local) if sum(classes)],
    }


def _row(hour: int, classes: Sequence[int]) -> dict[str, object]:
    """An hour of the reader's day: the moves made in it, and the median time until they were made."""
    span = _("%(hour)s:00 to %(hour)s:59") % {"hour": f"{hour:02}"}
    return {"hour": span, "moves": sum(classes), "median": say_median(quantile(classes, 0.5))}
