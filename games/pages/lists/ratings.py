"""The list of ratings, and how they work."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.models import FEWEST_RATED, PageFor, Player, Rating
from games.pages.access import link_player, viewer_of
from games.pages.lists.paging import page_of_rows
from games.pages.lists.rating_chart import show_rating

PAGE = 50


class ListedRating(NamedTuple):
    """What the list reads of a rating, by the names of its columns."""

    least: int
    player_id: int
    player__username: str
    mu: float
    sigma: float
    games: int


@require_safe
def ratings(request: HttpRequest) -> HttpResponse:
    """The players whose page everybody may see, the strongest first. One query, besides those for the viewer, and one
    more beyond the first page."""
    page = page_of_rows(shown_to_all(), ListedRating, size=PAGE, cursor=request.GET.get("at", ""))
    viewer = viewer_of(request)
    first = 1 + _count_before(page.rows[0]) if page.before else 1
    rows = [_row(place, found, viewer) for place, found in enumerate(page.rows, first)]
    about = {"here": "?", "page": page, "rows": rows, "fewest": FEWEST_RATED}
    return render(request, "games/ratings.html", about)


def shown_to_all() -> QuerySet[Rating]:
    """Ratings that rest on enough games, of players who show their page to everybody; sorted by what they are at
    least."""
    rated = Rating.objects.filter(games__gte=FEWEST_RATED)
    everybodys = rated.filter(player__page_for=PageFor.EVERYBODY, player__closed_at=None)
    return everybodys.order_by("-least", "-player_id")


def _count_before(row: ListedRating) -> int:
    return shown_to_all().filter(Q(least__gt=row.least) | Q(least=row.least, player__gt=row.player_id)).count()


def _row(place: int, found: ListedRating, viewer: Player | None) -> dict[str, object]:
    return {
        "place": place,
        "link": link_player(found.player__username),
        "rating": show_rating(Rating(mu=found.mu, sigma=found.sigma, games=found.games)),
        "is_mine": viewer is not None and viewer.pk == found.player_id,
    }
