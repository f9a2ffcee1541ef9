"""The page of a series: its games, the points of each, the running total, and what comes next."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.models import Game, Player, Seat, Series, SeriesRow, add_up, read_games
from games.pages.access import Missing, link_player, table_url, viewer_of
from games.pages.forms import JoinForm
from games.words.series import say_leader, say_state


@require_safe
def series_page(request: HttpRequest, series: str) -> HttpResponse:
    """A series: for everybody if its tables are public, else only for its players. Three queries, besides those for the
    viewer."""
    found = Series.objects.filter(slug=series).first()
    games = read_games(found) if found else []
    viewer = viewer_of(request)
    if found is None or not games or not (games[0].is_public or any(_seat_of(game, viewer) for game in games)):
        raise Missing(_("There is no series at this address."))
    last, rows = games[-1], add_up(games)
    mine = _seat_of(last, viewer)
    has_points = any(points is not None for row in rows for points in row.points)
    about = {
        "name": games[0].name,
        "length": found.length,
        "state": say_state(found, last),
        "leader": say_leader(rows, is_over=found.state == Series.State.OVER) if has_points else "",
        "games": [{"number": game.series_number, "url": table_url(game.slug)} for game in games],
        "rows": [_row(row) for row in rows],
        "next": last if last.status in (Game.Status.OPEN, Game.Status.RUNNING) else None,
        "asks_me": last.status == Game.Status.OPEN and mine is not None and not mine.is_ready,
        "chance": JoinForm()["chance"],
    }
    return render(request, "games/series.html", about)


def _seat_of(game: Game, viewer: Player | None) -> Seat | None:
    return next((seat for seat in game.seats.all() if viewer and seat.player_id == viewer.pk), None)


def _row(row: SeriesRow) -> dict[str, object]:
    """A player of the series: the name, linked if there is a page, the points as texts, the total, and the rank."""
    points = ["–" if points is None else str(points) for points in row.points]
    return {
        "name": link_player(row.name, has_page=row.has_page),
        "points": points,
        "total": row.total,
        "rank": row.rank,
    }
