"""Public games that are being played, for people who like to watch; read from the games' own columns."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.models import Game, GameQuerySet
from games.pages.access import viewer_of
from games.pages.lists.paging import page_of
from games.pages.lists.rows import table_rows
from games.pages.lists.summaries import summarize_tables

PAGE = 20


@require_safe
def watch(request: HttpRequest) -> HttpResponse:
    """Running public games, the one with the last move first. Two queries, besides those for the viewer."""
    page = page_of(running_in_public, size=PAGE, cursor=request.GET.get("at", ""))
    [tables] = summarize_tables([page.rows], viewer=viewer_of(request))
    return render(request, "games/watch.html", {"here": "?", "page": page, "rows": table_rows(tables)})


def running_in_public() -> GameQuerySet:
    """Games that everybody may watch, the one with the last move first."""
    return Game.objects.running().filter(is_public=True)
