"""A search of the archive as a feed, to subscribe to."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import words
from games.pages.access import table_url
from games.pages.lists.paging import page_in
from games.pages.lists.search import SearchForm, find_games
from games.pages.lists.summaries import TableSummary, summarize_tables
from games.pages.replies import ATOM, MOST_ENTRIES, Feed, respond_with_feed

NEVER: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""When a feed without entries last changed."""


@require_safe
def archive_feed(request: HttpRequest) -> HttpResponse:
    """The public games that a search finds, the one that ended last first, the same for everybody. What stands in the
    address is the search, as in the archive; one that cannot be read is answered 400, with why."""
    search, rows = SearchForm({name: str(value) for name, value in request.GET.items() if name != "order"}), []
    if search.is_valid():
        rows = page_in(find_games(search.cleaned_data, viewer=None, mine=False), size=MOST_ENTRIES).rows
    if not rows:
        search.refuse_nobody()
    if search.errors:
        errors = (f"{search[name].label}: {error}" for name, found in search.errors.items() for error in found)
        return HttpResponse("\n".join(errors), content_type="text/plain; charset=utf-8", status=400)
    [tables] = summarize_tables([rows], viewer=None)
    query = query_of(search)
    feed = Feed(
        " · ".join([_("Archive of Clans by mail"), *(f"{each.label}: {each.value}" for each in search.criteria())]),
        link=settings.SITE_URL + reverse("archive") + query,
        description=_("Public games that are over."),
        address=settings.SITE_URL + reverse("archive_feed") + query,
        name=f"archive{query}",
    )
    for table in tables:
        _add_game(feed, table)
    changed = max((table.since for table in tables), default=NEVER)
    return respond_with_feed(request, feed.dated(changed), ATOM, changed=changed)


def query_of(search: SearchForm) -> str:
    """The search as the end of an address; empty without a search. The order is left out: a feed has its own."""
    names = [name for name in search.fields if search.data.get(name) and name != "order"]
    filled = {name: str(search.data[name]) for name in names}
    return f"?{urlencode(filled)}" if filled else ""


def _add_game(feed: Feed, table: TableSummary) -> None:
    feed.add(
        f"{table.game.name}: {table.state}",
        link=settings.SITE_URL + table_url(table.game.slug),
        lines=[_say_totals(table), table.ending, words.count_moves(table.game.ply)],
        name=f"tables/{table.game.slug}/end",
        author=_say_players(table),
        at=table.since if table.has_time else None,
        changed=table.since,
    )


def _say_players(table: TableSummary) -> str:
    """Who won; all who sat there where nobody did."""
    players = [seat.named for seat in table.seats if seat.has_won] or [seat.named for seat in table.seats]
    return words.join_words(players) if players else table.game.name


def _say_totals(table: TableSummary) -> str:
    """Who sat there, with the totals of a game that was played to its end."""
    totals = (seat.named if seat.total is None else f"{seat.named}: {seat.total}" for seat in table.seats)
    return ", ".join(totals)
