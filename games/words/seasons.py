"""Points of a season in words, and why there are none."""

from __future__ import annotations

from django.utils.translation import gettext as _, ngettext

from games.models import Season


def write_points(halves: int) -> str:
    """Points that are counted in halves, as a number: `2½`."""
    whole, half = divmod(halves, 2)
    return f"{whole or ''}½" if half else str(whole)


def say_round(name: str, number: int) -> str:
    """`Round 2 of the season Spring league.`"""
    return _("Round %(number)s of the season %(season)s.") % {"number": number, "season": name}


def say_points(halves: int) -> str:
    """The same in words: `2½ points`."""
    if halves % 2:
        return _("%(number)s points") % {"number": write_points(halves)}
    return ngettext("%(number)s point", "%(number)s points", halves // 2) % {"number": write_points(halves)}


def say_closed(season: Season) -> str:
    """Why a season that is over has never begun; empty for any other."""
    if season.ended_at is None or season.started_at is not None:
        return ""
    if season.ended_at >= season.open_until:
        return _("Nobody began this season within 30 days, so it was closed.")
    return _("This season was closed before it began.")
