"""The first page: for a player the tables, for a visitor what this is."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, gettext_lazy as _
from django.views.decorators.http import require_safe

from games.models import Game, Player
from games.models.game import GameQuerySet
from games.pages.lists import table_lines
from games.pages.paging import Page, page_of
from games.pages.rows import table_rows
from games.pages.sample import sample
from games.pages.table import viewer_of

A_FEW = 5
SOME = 12
PAGE = 24

TITLES = {"waiting": _("Waiting for you"), "tables": _("Your tables"), "open": _("Open tables")}


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Tables waiting for me, mine, open ones and my last games; `?list=` shows one of the lists on pages."""
    viewer = viewer_of(request)
    if "list" in request.GET:
        return _one_list(request, viewer)
    return _tables(request, viewer) if viewer else _welcome(request)


def waiting(viewer: Player) -> GameQuerySet:
    """Where the player is to move, longest waiting first."""
    return Game.objects.awaiting(viewer)


def others(viewer: Player) -> GameQuerySet:
    """Open and running tables of the player at which somebody else is to act."""
    return Game.objects.unfinished_of(viewer).exclude(awaited=viewer)


def joinable(viewer: Player | None) -> GameQuerySet:
    """Open tables at which the viewer does not sit."""
    tables = Game.objects.open_tables()
    return tables.exclude(seats__player=viewer) if viewer else tables


def _tables(request: HttpRequest, viewer: Player) -> HttpResponse:
    """Six queries, however many games there are."""
    finished = Game.objects.finished().filter(seats__player=viewer)
    queries = {"waiting": waiting(viewer), "tables": others(viewer), "open": joinable(viewer), "finished": finished}
    sizes = {"waiting": SOME, "tables": SOME, "open": A_FEW, "finished": A_FEW}
    pages = {name: page_of(games, size=sizes[name]) for name, games in queries.items()}
    return render(request, "games/home.html", _lists(pages, viewer))


def _welcome(request: HttpRequest) -> HttpResponse:
    finished = Game.objects.finished().filter(is_public=True)
    pages = {"open": page_of(joinable(None), size=A_FEW), "finished": page_of(finished, size=A_FEW)}
    return render(request, "games/welcome.html", {**_lists(pages, None), "sample": sample(get_language() or "")})


def _one_list(request: HttpRequest, viewer: Player | None) -> HttpResponse:
    name, cursor = request.GET["list"], request.GET.get("at", "")
    if name == "open":
        games = joinable(viewer)
    elif viewer and name == "waiting":
        games = waiting(viewer)
    elif viewer and name == "tables":
        games = others(viewer)
    else:
        raise Http404
    page = page_of(games, size=PAGE, cursor=cursor)
    [lines] = table_lines([page.games], viewer=viewer)
    about = {"title": TITLES[name], "here": f"?list={name}&", "page": page, "rows": table_rows(lines)}
    return render(request, "games/home_list.html", about)


def _lists(pages: dict[str, Page], viewer: Player | None) -> dict[str, dict[str, str]]:
    """For each list its rows and whether there are more."""
    lines = table_lines([page.games for page in pages.values()], viewer=viewer)
    return {
        name: {"rows": table_rows(some), "more": page.after}
        for (name, page), some in zip(pages.items(), lines, strict=True)
    }
