"""Series in words: which game this is, how the totals stand, and what comes next."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from games.models import Game, Series, SeriesRow
from games.words.vocabulary import join_words


def say_place(number: int, length: int) -> str:
    """`Game 2 of 3 in this series.`"""
    return _("Game %(number)s of %(length)s in this series.") % {"number": number, "length": length}


def say_first(series: Series | None) -> str:
    """What an invitation to the first table of a series says besides; empty where there is no series."""
    return _("It is the first of %(length)s games in a row.") % {"length": series.length} if series else ""


def explain_abandoned() -> str:
    """What becomes of a series when one of its games is abandoned."""
    return _("An abandoned game ends its series, and counts no points in it.")


def say_totals(rows: Sequence[SeriesRow]) -> str:
    """The running total, best first: `alice 31, bob and carol 28 each`."""
    best_first = sorted({row.total for row in rows}, reverse=True)
    return ", ".join(_say_total(total, [row.name for row in rows if row.total == total]) for total in best_first)


def _say_total(total: int, names: Sequence[str]) -> str:
    places = {"names": join_words(names), "total": total}
    return (_("%(names)s %(total)s each") if names[1:] else _("%(names)s %(total)s")) % places


def say_leader(rows: Sequence[SeriesRow], *, is_over: bool) -> str:
    """Who leads, or has won; a tie is told as one."""
    first = [row.name for row in rows if row.rank == 1]
    names = join_words(first)
    if first[1:]:
        said = _("%(names)s share the win.") if is_over else _("%(names)s lead together.")
    else:
        said = _("%(names)s has won the series.") if is_over else _("%(names)s leads.")
    return said % {"names": names}


def say_state(series: Series, last: Game) -> str:
    """What comes next, given the newest game of the series; whether somebody declined, was silent, left or is blocked
    is not told apart."""
    number, places = last.series_number or 0, {"length": series.length}
    if series.state == Series.State.DUE:
        return _("The next table is about to be opened.")
    if series.state == Series.State.PLAYING:
        if last.is_running:
            return _("%(table)s is being played.") % {"table": last.name}
        if last.asks_who_is_ready:
            return _("%(table)s begins when all have said that they are ready.") % {"table": last.name}
        return _("%(table)s waits for players.") % {"table": last.name}
    if last.status == Game.Status.FINISHED and last.end == Game.End.ABANDONED:
        return _("%(table)s was abandoned, which ended the series. It counts no points.") % {"table": last.name}
    if number == series.length and last.is_over:
        return _("All %(length)s games are played.") % places
    return _("The series ended early: not everybody went on. The totals stand as they are.")
