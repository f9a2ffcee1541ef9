"""Points of a season in words, and why there are none."""

from __future__ import annotations

from typing import Final

from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _, ngettext

from games.models import Player, Season
from games.words import pace

PLACES_TOLD: Final = 3
"""How many places a mail of the end tells, besides the reader's own."""


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


def say_first_places(season: Season) -> tuple[str, ...]:
    """Who leads a season: `Place 1: alice, 5 points.` and so on, a sentence each. A query besides those of the
    standings."""
    first = season.standings()[:PLACES_TOLD]
    names = dict(Player.objects.filter(pk__in=[each.player for each in first]).values_list("pk", "username"))
    return tuple(
        _("Place %(place)s: %(name)s, %(points)s.")
        % {"place": each.place, "name": names[each.player], "points": say_points(each.points)}
        for each in first
    )


def say_closed(season: Season) -> str:
    """Why a season that is over has never begun; empty for any other."""
    if season.ended_at is None or season.started_at is not None:
        return ""
    if season.ended_at >= season.open_until:
        return _("Nobody began this season within 30 days, so it was closed.")
    return _("This season was closed before it began.")


def say_joined() -> str:
    """To somebody who has just joined a season."""
    return _("You play this season. A mail calls you when it begins.")


def tell_season(season: Season) -> str:
    """What is played: `Swiss, 2 at a table, 3 rounds. Steady: 3 days for each move.`"""
    told = [capfirst(season.get_format_display()), _("%(size)d at a table") % {"size": season.size}]
    if season.format == Season.Format.SWISS and not season.ends_by_day:
        told.append(ngettext("%(rounds)d round", "%(rounds)d rounds", season.rounds) % {"rounds": season.rounds})
    if season.ends_on:
        told.append(_("until %(day)s") % {"day": date_format(season.ends_on)})
    return f"{', '.join(told)}. {pace.say_pace(season.move_hours, season.reserve_hours)}."
