"""Ratings in words."""

from __future__ import annotations

from django.utils.formats import number_format
from django.utils.translation import gettext as _


def write_points(points: int) -> str:
    """`1,520`, as the reader's language groups digits."""
    return number_format(points, force_grouping=True)


def say_rating(points: int, margin: int) -> str:
    """A rating with its uncertainty as one reads it aloud: `1,520, give or take 90`."""
    return _("%(points)s, give or take %(margin)s") % {"points": write_points(points), "margin": write_points(margin)}


def say_rated(*, is_rated: bool, has_counted: bool, is_over: bool, has_left: bool = False) -> str:
    """Whether a table is rated, and once the game is over whether it counted; it cannot where somebody `has_left` their
    seat for good."""
    if not is_rated:
        return _("Not rated.")
    if not is_over:
        return _("Not rated any more, since a player has left.") if has_left else _("Rated.")
    if has_counted:
        return _("Rated: it counts for the ratings of its players.")
    return _("Not rated, since people did not play it to its end.")
