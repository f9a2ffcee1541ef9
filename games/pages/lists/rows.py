"""Rows of a list of tables."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.caching import cached
from games.pages.access import table_url
from games.pages.lists.small_board import small_board_url
from games.pages.lists.summaries import TableSummary
from games.pages.times import say_when, show_sentence
from games.words.time_left import say_due
from games.words.zone import zone_here

TIME = SafeString("\0")
"""A placeholder in a cached row for its time."""


def table_rows(tables: Iterable[TableSummary], *, with_ending: bool = False) -> SafeString:
    """A list item for each table, with what ended the game if the caller asks for it."""
    now, row = datetime.now(UTC), table_row.here()
    return SafeString("".join([row(table, with_ending).replace(TIME, _time(table, now=now)) for table in tables]))


@cached(most=2048)
def table_row(table: TableSummary, with_ending: bool) -> str:
    """A row without its time. Cached because a page has up to 24 rows: twelve, rendered each time, are a third of the
    first page, and a game that is over never changes."""
    about = {"table": table, "url": table_url(table.game.slug), "with_ending": with_ending, "time": TIME}
    about["small_board"] = small_board_url(table)
    return render_to_string("games/_table_row.html", about).strip()


def _time(table: TableSummary, *, now: datetime) -> SafeString:
    """Until when a move may take if somebody's clock runs; otherwise since when the table is in its state, if that is
    known."""
    zone = zone_here()
    if not table.has_time:
        return SafeString(escape(_("time unknown")))
    if table.due_at is None or table.game.free_until is None:
        return say_when(table.since, now=now, zone=zone)
    return show_sentence(say_due(free_until=table.game.free_until, due_at=table.due_at, now=now, zone=zone))
