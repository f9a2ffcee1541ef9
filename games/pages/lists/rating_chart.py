"""A player's rating on their page: the number with its uncertainty, and a curve with a table behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from django.utils.safestring import SafeString

from games.models import FEWEST_RATED, PastRating, Rating
from games.words.ratings import say_rating, write_points
from games.words.times import name_days

LEFT, RIGHT, TOP, FOOT = 44, 456, 10, 150
STEPS: Final = (50, 100, 200, 500, 1000)
"""Points from one line of the chart to the next."""
MOST_LINES = 6


class RatingShown(NamedTuple):
    """A rating as pages show it: what follows from a row of `Rating`."""

    points: int
    margin: int
    games: int
    past: tuple[PastRating, ...] = ()

    @property
    def is_shown(self) -> bool:
        return self.games >= FEWEST_RATED

    @property
    def written(self) -> str:
        return write_points(self.points)

    @property
    def aloud(self) -> str:
        return say_rating(self.points, self.margin)

    @property
    def low(self) -> str:
        return write_points(self.points - self.margin)

    @property
    def high(self) -> str:
        return write_points(self.points + self.margin)


class PastRow(NamedTuple):
    """A row of the table behind the curve."""

    games: int
    day: str
    rating: RatingShown


def show_rating(rating: Rating) -> RatingShown:
    return RatingShown(rating.points, rating.margin, rating.games, rating.past)


def about_rating(shown: RatingShown | None) -> dict[str, Any]:
    """What a page says of a rating; nothing of somebody without a rated game, and no number before the fifth one."""
    if shown is None:
        return {}
    about: dict[str, Any] = {"rating": shown, "fewest": FEWEST_RATED}
    if len(shown.past) > 1:
        about["curve"] = draw_curve(shown.past)
        about["past"] = [_row(then) for then in reversed(shown.past)]
    return about


def _row(then: PastRating) -> PastRow:
    return PastRow(then.games, name_days(then.on, then.on), RatingShown(then.points, then.margin, then.games))


def draw_curve(past: Sequence[PastRating]) -> SafeString:
    """A line of the ratings over the number of rated games, in a band of their uncertainty. Those who cannot see it
    have the table."""
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
        f'<g class="label" fill="currentColor">{"".join(field.labels())}</g></svg>'
    )


class _Field(NamedTuple):
    """Where a curve runs: from game `first` at the left to `last` at the right, from `low` at the foot to `high`."""

    first: int
    last: int
    low: int
    high: int
    step: int

    @classmethod
    def around(cls, past: Sequence[PastRating]) -> _Field:
        low, high = min(then.points - then.margin for then in past), max(then.points + then.margin for then in past)
        step = next((step for step in STEPS if high - low < MOST_LINES * step), STEPS[-1])
        return cls(past[0].games, past[-1].games, low // step * step, -(-high // step) * step, step)

    def x(self, games: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * (games - self.first) / (self.last - self.first), 1)

    def y(self, points: int) -> float:
        return round(FOOT - (FOOT - TOP) * (points - self.low) / (self.high - self.low), 1)

    def lines(self) -> str:
        return "".join(f"M{LEFT} {self.y(points):g}H{RIGHT}" for points in self._points())

    def labels(self) -> Iterator[str]:
        for points in self._points():
            yield f'<text x="{LEFT - 6}" y="{self.y(points) + 4:g}" text-anchor="end">{write_points(points)}</text>'
        for games in dict.fromkeys((self.first, (self.first + self.last) // 2, self.last)):
            yield f'<text x="{self.x(games):g}" y="{FOOT + 20}" text-anchor="middle">{games}</text>'

    def _points(self) -> range:
        return range(self.low, self.high + 1, self.step)
