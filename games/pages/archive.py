"""The archive: finished games, newest first, read from the games' own columns without folding any."""

from __future__ import annotations

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.models import Game
from games.pages.lists import table_lines
from games.pages.paging import page_of
from games.pages.rows import table_rows
from games.pages.table import viewer_of

PAGE = 20


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """Public games for everybody; `?mine=1` the viewer's own, those by link only among them."""
    viewer = viewer_of(request)
    mine = "mine" in request.GET
    if mine and viewer is None:
        return redirect_to_login(request.get_full_path())
    games = Game.objects.finished()
    games = games.filter(seats__player=viewer) if mine else games.filter(is_public=True)
    page = page_of(games, size=PAGE, cursor=request.GET.get("at", ""))
    [lines] = table_lines([page.games], viewer=viewer)
    rows = table_rows(lines, with_ending=True)
    about = {"mine": mine, "here": "?mine=1&" if mine else "?", "page": page, "rows": rows}
    return render(request, "games/archive.html", about)
