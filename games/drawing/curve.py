"""How a value that is estimated from games changed with each of them, as SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from django.utils.safestring import SafeString

LEFT, RIGHT, TOP, FOOT = 52, 456, 10, 150
STEPS: Final = (50, 100, 200, 500, 1000)
"""Points from one line of the chart to the next."""
MOST_LINES: Final = 6


class CurvePoint(NamedTuple):
    """What the value was after so many games, and how uncertain."""

    games: int
    points: int
    margin: int


def draw_curve(past: Sequence[CurvePoint], *, write: Callable[[int], str]) -> SafeString:
    """A line of the points over the number of games, in a band of their uncertainty; `write` gives the text of a
    number of points. It is decoration: what it shows is to be said beside it."""
    field = _Field.around(past)
    upper = [f"{field.x(then.games):g} {field.y(then.points + then.margin):g}" for then in past]
    lower = [f"{field.x(then.games):g} {field.y(then.points - then.margin):g}" for then in reversed(past)]
    line = "L".join(f"{field.x(then.games):g} {field.y(then.points):g}" for then in past)
    last = past[-1]
    return SafeString(
        f'<svg width="{RIGHT + 12}" viewBox="0 0 {RIGHT + 12} {FOOT + 26}" aria-hidden="true">'
        f'<path fill="var(--accent-paper)" d="M{"L".join([*upper, *lower])}z"/>'
        f'<g fill="none" stroke="currentColor"><path stroke="var(--line)" d="{field.lines()}"/>'
        f'<path d="M{LEFT} {FOOT}H{RIGHT}"/><path stroke-width="2" stroke-linejoin="round" d="M{line}"/></g>'
        f'<circle cx="{field.x(last.games):g}" cy="{field.y(last.points):g}" r="4" fill="currentColor"/>'
        f'<g class="label" fill="currentColor">{"".join(field.labels(write))}</g></svg>'
    )


class _Field(NamedTuple):
    """Where a curve runs: from game `first` at the left to `last` at the right, from `low` at the foot to `high`."""

    first: int
    last: int
    low: int
    high: int
    step: int

    @classmethod
    def around(cls, past: Sequence[CurvePoint]) -> _Field:
        low, high = min(then.points - then.margin for then in past), max(then.points + then.margin for then in past)
        step = next((step for step in STEPS if high - low < MOST_LINES * step), STEPS[-1])
        return cls(past[0].games, past[-1].games, low // step * step, -(-high // step) * step, step)

    def x(self, games: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * (games - self.first) / (self.last - self.first), 1)

    def y(self, points: int) -> float:
        return round(FOOT - (FOOT - TOP) * (points - self.low) / (self.high - self.low), 1)

    def lines(self) -> str:
        return "".join(f"M{LEFT} {self.y(points):g}H{RIGHT}" for points in self._points())

    def labels(self, write: Callable[[int], str]) -> Iterator[str]:
        for points in self._points():
            yield f'<text x="{LEFT - 6}" y="{self.y(points) + 4:g}" text-anchor="end">{write(points)}</text>'
        for games in dict.fromkeys((self.first, (self.first + self.last) // 2, self.last)):
            yield f'<text x="{self.x(games):g}" y="{FOOT + 20}" text-anchor="middle">{games}</text>'

    def _points(self) -> range:
        return range(self.low, self.high + 1, self.step)
