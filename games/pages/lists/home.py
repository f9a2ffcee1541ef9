"""The first page: for a player the tables, for a visitor what this site is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Now
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games.drawing import map_file
from games.models import LEFT_SEAT, Game, GameQuerySet, Invitation, Player, Seat, Terms
from games.pages.access import viewer_of
from games.pages.forms import JoinForm
from games.pages.lists.archive import finished_by, finished_here
from games.pages.lists.asked import asked
from games.pages.lists.new_table import fields_at_once
from games.pages.lists.paging import Listing, Page, page_of
from games.pages.lists.rows import table_rows
from games.pages.lists.sample import sample
from games.pages.lists.summaries import ListedGame, summarize_tables

A_FEW = 5
SOME = 12
PAGE = 24

TITLES = {
    "waiting": _("Waiting for you"),
    "tables": _("Your tables"),
    "open": _("Open tables"),
    "free": _("Seats to take over"),
}
LEADS = {
    "free": _(
        "In these games somebody has resigned or stays away. You can take the seat over and play on with its card."
    ),
}


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Tables waiting for me, mine, open ones and my last games; `?list=` shows one of the lists on pages."""
    viewer = viewer_of(request)
    if "list" in request.GET:
        return _one_list(request, viewer)
    return _tables(request, viewer) if viewer else _welcome(request)


def waiting(player: int) -> GameQuerySet:
    """Where the player is to move, nearest deadline first."""
    return Game.objects.awaiting(Player(pk=player))


def others(player: int) -> GameQuerySet:
    """Open and running tables of the player at which somebody else is to act."""
    return Game.objects.unfinished_of(Player(pk=player)).exclude(awaited=player)


def open_tables() -> GameQuerySet:
    """Open tables with a seat for everybody."""
    return _with_free_seat(Invitation.objects.keeping(Now()))


def joinable(player: int) -> GameQuerySet:
    """Open tables at which the player does not sit, with a seat that is free or kept for them."""
    kept = Invitation.objects.keeping_from(player, at=Now())
    return _with_free_seat(kept).exclude(seats__player=player)


def _with_free_seat(kept: QuerySet[Invitation]) -> GameQuerySet:
    """Open tables where not all seats are taken, or `kept` by these invitations."""
    seats, invited = (
        some.filter(game=OuterRef("pk")).order_by().values("game").values(count=Count("pk"))
        for some in (Seat.objects.all(), kept)
    )
    taken = Coalesce(Subquery(seats), 0) + Coalesce(Subquery(invited), 0)
    return Game.objects.open_tables().filter(size__gt=taken)


def free_seats() -> QuerySet[Seat]:
    """A seat that anybody may take over (design 2.6) in each public game that has one, the newest game first."""
    others = Seat.objects.filter(LEFT_SEAT, game=OuterRef("game"), pk__lt=OuterRef("pk"))
    listed = Q(game__status=Game.Status.RUNNING, game__is_public=True, game__allows_takeover=True)
    return Seat.objects.filter(LEFT_SEAT, listed, ~Exists(others)).order_by("-game_id")


def free_seats_of_others(player: int) -> QuerySet[Seat]:
    """Of these the seats that the player may take over, by the rule of `play.check_takeover`: none where they have or
    had a seat themselves, or where somebody has blocked them."""
    here = Seat.objects.filter(game=OuterRef("game"))
    keeps_out = Q(player=player) | Q(former_holders__player=player)
    blocks = Q(player__mutes__other=player, player__mutes__blocks=True)
    return free_seats().exclude(Exists(here.filter(keeps_out | blocks)))


LISTS: dict[str, Listing] = {"waiting": waiting, "tables": others, "open": joinable, "free": free_seats_of_others}
FOR_ALL: dict[str, Listing] = {"open": open_tables, "free": free_seats}
"""The lists that visitors find, too."""


def _tables(request: HttpRequest, viewer: Player) -> HttpResponse:
    """Six queries for the lists, however many games there are."""
    asking, seasons = asked(viewer)
    pages = {
        "waiting": page_of(waiting, viewer.pk, size=SOME),
        "tables": page_of(others, viewer.pk, size=SOME),
        "asking": Page([game for game in asking if game.follows_id]),
        "inviting": Page([game for game in asking if not game.follows_id]),
        "open": page_of(joinable, viewer.pk, size=A_FEW),
        "finished": page_of(finished_by, viewer.pk, size=A_FEW),
    }
    # A table to which the viewer is asked stands in one list only.
    for name in ("open", "tables"):
        pages[name] = replace(pages[name], rows=[game for game in pages[name].rows if game not in asking])
    lists = _lists(pages, viewer)
    # All that are listed may be resigned, and others stand on the next page.
    has_tables = bool(lists["tables"]["rows"] or lists["tables"]["more"])
    is_idle = not (lists["waiting"]["rows"] or has_tables or pages["inviting"].rows or seasons)
    mine = (game for name in ("waiting", "tables", "finished") for game in pages[name].rows)
    about: dict[str, Any] = {
        "has_tables": has_tables,
        "has_played": any(game.status != Game.Status.OPEN for game in mine),
        "at_once": fields_at_once(viewer) if is_idle else {},
        "inviting_seasons": seasons,
    }
    if pages["inviting"].rows:
        about["chance"] = JoinForm()["chance"]
    if seasons:
        about["map"] = static(map_file(Terms().board, "small.svg"))
    return render(request, "games/home.html", {**lists, **about})


def _welcome(request: HttpRequest) -> HttpResponse:
    pages = {"open": page_of(open_tables, size=A_FEW), "finished": page_of(finished_here, size=A_FEW)}
    about = {"sample": sample()}
    return render(request, "games/welcome.html", {**_lists(pages, None), **about})


def _one_list(request: HttpRequest, viewer: Player | None) -> HttpResponse:
    name, cursor = request.GET["list"], request.GET.get("at", "")
    if name not in (LISTS if viewer else FOR_ALL):
        raise Http404
    if viewer:
        page = page_of(LISTS[name], viewer.pk, size=PAGE, cursor=cursor)
    else:
        page = page_of(FOR_ALL[name], size=PAGE, cursor=cursor)
    [tables] = summarize_tables([page.rows], viewer=viewer)
    about = {"title": TITLES[name], "lead": LEADS.get(name, ""), "here": f"?list={name}&", "page": page}
    return render(request, "games/home_list.html", about | {"rows": table_rows(tables)})


def _lists(pages: dict[str, Page[ListedGame]], viewer: Player | None) -> dict[str, dict[str, Any]]:
    """For each list its rows and whether there are more; of tables that invite each row with its address. Tables at
    which the viewer has resigned are a list of their own."""
    tables = summarize_tables([page.rows for page in pages.values()], viewer=viewer)
    found = dict(zip(pages, tables, strict=True))
    inviting, mine = found.pop("inviting", []), found.get("tables", [])
    if mine:
        found["tables"] = [table for table in mine if not table.i_resigned]
    lists = {name: {"rows": table_rows(some), "more": pages[name].after} for name, some in found.items()}
    return lists | {
        "resigned": {"rows": table_rows(table for table in mine if table.i_resigned)},
        "inviting": {"tables": [(table.game, table_rows([table])) for table in inviting]},
    }
