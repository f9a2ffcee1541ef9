"""The list of all players, and finding one by how the name begins."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import quote

from django.db import connection
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Sum, TextField, Value
from django.db.models.functions import Cast, Coalesce, Lower
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from games import words
from games.models import PageFor, Player, Tally
from games.pages.access import viewer_of
from games.pages.lists.favorites import Companion, median_of
from games.pages.lists.paging import Page

PAGE: Final = 50
LONGEST: Final = 60
LAST_SIGN: Final = "\U0010ffff"
Row = tuple[int, str, str | None, int]
"""Key, name, answer times as the database has them, and how many games the player has played to the end."""


@require_safe
def players(request: HttpRequest) -> HttpResponse:
    """Those whose page everybody may see, by name; `?name=` is how the name begins. One query, besides those for the
    viewer."""
    typed = words.one_line(request.GET.get("name", ""))[:LONGEST]
    page = _page(_shown(typed), request.GET.get("at", ""))
    viewer = viewer_of(request)
    rows = [
        (Companion(pk, name, median_of(counts) if counts else None), games, viewer is not None and viewer.pk == pk)
        for pk, name, counts, games in page.rows
    ]
    here = f"?{urlencode({'name': typed})}&" if typed else "?"
    return render(request, "games/players.html", {"typed": typed, "page": page, "rows": rows, "here": here})


def _page(found: QuerySet[Any, Row], cursor: str) -> Page[Row]:
    """The players after a name or before it, the first ones without a cursor; it costs the same however far one has
    paged."""
    side, _dash, name = cursor.partition("-")
    last = Lower(Value(words.one_line(name)[:LONGEST]))
    if side == "before":
        rows = list(found.filter(lower__lt=last).reverse()[: PAGE + 1])
        has_after, has_before = True, len(rows) > PAGE
        rows = rows[PAGE - 1 :: -1]
    else:
        has_before = side == "after"
        rows = list((found.filter(lower__gt=last) if has_before else found)[: PAGE + 1])
        has_after, rows = len(rows) > PAGE, rows[:PAGE]
    if not rows:
        return _page(found, "") if cursor else Page([])
    before, after = (f"{way}-{quote(row[1])}" for way, row in (("before", rows[0]), ("after", rows[-1])))
    return Page(rows, before=before if has_before else "", after=after if has_after else "")


def _shown(typed: str) -> QuerySet[Any, Row]:
    """Whose name begins so. The index of names in small letters has their order, and where the search begins."""
    unfinished = Player.objects.never_confirmed().filter(pk=OuterRef("pk"))
    listed = Player.objects.filter(~Exists(unfinished), is_active=True, page_for=PageFor.EVERYBODY)
    tallies = Tally.objects.filter(player=OuterRef("pk")).order_by().values("player")
    games = Coalesce(Subquery(tallies.annotate(games=Sum("played")).values("games")), 0)
    return (
        listed.annotate(lower=Lower("username"), counts=Cast("answer_times__counts", TextField()), games=games)
        .filter(_begins(typed))
        .order_by("lower")
        .values_list("pk", F("username"), "counts", "games")
    )


def _begins(typed: str) -> Q:
    """Which names begin so, in any case. SQLite makes only the letters of ASCII small, so others are tried as large
    ones, too."""
    begins = Q()
    for form in {typed.lower(), typed.capitalize()} if not typed.isascii() else {typed} - {""}:
        small = Lower(Value(form))
        so = Q(lower__gte=small, lower__startswith=small)
        if connection.vendor == "sqlite":
            # Where its index need not be read any further. PostgreSQL may have another order of letters.
            so &= Q(lower__lt=Lower(Value(f"{form}{LAST_SIGN}")))
        begins |= so
    return begins
