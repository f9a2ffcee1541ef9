"""Values with their confidence intervals, one below the other, as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil, floor
from typing import Final, NamedTuple

from django.utils.safestring import SafeString

WIDTH, LEFT, RIGHT, ROW = 400, 128, 344, 24
STEPS: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200)
"""From one line of the chart to the next."""
MOST_STEPS: Final = 4
LEAST_RANGE: Final = 0.1
"""A chart shows at least this part of its highest value, so that tiny differences look tiny."""


class Bar(NamedTuple):
    """A value under its `label`, counted `of` so many, between `low` and `high`; `even` is what it would be if there
    were no difference."""

    label: str
    of: str
    value: float
    low: float
    high: float
    even: float | None = None


def lines_for(bars: Sequence[Bar]) -> list[float]:
    """The values at which a chart of `bars` has lines: at least two, equally far apart, with all bars between them."""
    values = [value for bar in bars for value in (bar.low, bar.high, bar.even) if value is not None]
    low, high = min(values), max(values)
    wider = max(0.0, high * LEAST_RANGE - (high - low)) / 2
    low, high = max(0.0, low - wider), high + wider
    step = next((step for step in STEPS if high - low <= MOST_STEPS * step), high)
    first = floor(low / step)
    return [number * step for number in range(first, max(ceil(high / step), first + 1) + 1)]


def draw_intervals(bars: Sequence[Bar], *, lines: Sequence[float], names: Sequence[str]) -> SafeString:
    """A dot for each value in a line from `low` to `high`, a stroke at `even`, and how many were counted at the end of
    the row; `names` are those of the `lines`. It is decoration: what it shows is to be said beside it."""
    foot, scale = ROW * len(bars), (RIGHT - LEFT) / (lines[-1] - lines[0])

    def x(value: float) -> str:
        return f"{round(LEFT + (value - lines[0]) * scale, 1):g}"

    def draw(bar: Bar, middle: int) -> Iterator[str]:
        if bar.even is not None:
            yield f'<path stroke-dasharray="2 2" d="M{x(bar.even)} {middle - 9}v18"/>'
        yield f'<path stroke-width="2" d="M{x(bar.low)} {middle}H{x(bar.high)}"/>'
        yield f'<circle cx="{x(bar.value)}" cy="{middle}" r="4"/>'

    marks = "".join(mark for number, bar in enumerate(bars) for mark in draw(bar, ROW * number + ROW // 2))
    grid = "".join(f"M{x(line)} 0V{foot}" for line in lines)
    labels = "".join(
        f'<text y="{ROW * number + 16}">{escape(bar.label)}</text>'
        f'<text x="{WIDTH}" y="{ROW * number + 16}" text-anchor="end">{escape(bar.of)}</text>'
        for number, bar in enumerate(bars)
    )
    axis = "".join(
        f'<text x="{x(line)}" y="{foot + 18}" text-anchor="middle">{escape(name)}</text>'
        for line, name in zip(lines, names, strict=True)
    )
    return SafeString(
        f'<svg width="{WIDTH}" viewBox="0 -2 {WIDTH} {foot + 26}" aria-hidden="true">'
        f'<path stroke="var(--line)" d="{grid}"/><g fill="currentColor" stroke="currentColor">{marks}</g>'
        f'<g class="label" fill="currentColor">{labels}{axis}</g></svg>'
    )
