"""A player's rating on their page: the number with its uncertainty, and a curve with a table behind it."""

from __future__ import annotations

from typing import Any, NamedTuple

from games.drawing import CurvePoint, draw_curve
from games.models import FEWEST_RATED, PastRating, Rating
from games.words.ratings import say_rating, write_points
from games.words.times import name_days


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


def show_rating(rating: Rating) -> RatingShown:
    return RatingShown(rating.points, rating.margin, rating.games, rating.past)


def about_rating(shown: RatingShown | None) -> dict[str, Any]:
    """What a page says of a rating; empty for somebody without a rated game, and without the number before the fifth
    one."""
    if shown is None:
        return {}
    about: dict[str, Any] = {"rating": shown, "fewest": FEWEST_RATED}
    if len(shown.past) > 1:
        points = [CurvePoint(then.games, then.points, then.margin) for then in shown.past]
        about["curve"] = draw_curve(points, write=write_points)
        about["past"] = [_row(then) for then in reversed(shown.past)]
    return about


def _row(then: PastRating) -> dict[str, object]:
    """A row of the table behind the curve."""
    rating = RatingShown(then.points, then.margin, then.games)
    return {"games": then.games, "day": name_days(then.on, then.on), "rating": rating}
