"""What the games of a series add up to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Prefetch

from games.models.game import Game
from games.models.names import FORMER
from games.models.seat import Seat
from games.models.series import Series


def read_games(series: Series) -> list[Game]:
    """Its games so far in order, with their seats but no card. Two queries."""
    seats = Prefetch("seats", Seat.objects.defer("clan", "entropy").order_by("joined"))
    return list(Game.objects.filter(series=series).order_by("series_number").prefetch_related(seats))


class SeriesRow(NamedTuple):
    """A player of a series: the points in each game, None where a game has none yet, their sum, and the rank by it."""

    name: str
    has_page: bool
    """Whether it is a person with an account: neither a computer player nor a closed account."""
    points: tuple[int | None, ...]
    total: int
    rank: int


def add_up(games: Iterable[Game]) -> list[SeriesRow]:
    """The table of points of a series, the best total first; equal totals share a rank. A game counts once it is over,
    unless it was abandoned; a computer player counts by its name, a person by whatever they are called now."""
    games = list(games)
    last: dict[int | str, Seat] = {}
    points: dict[int | str, list[int | None]] = {}
    for place, game in enumerate(games):
        for seat in game.seats.all():
            who = seat.player_id or seat.name
            last[who] = seat
            counts = game.is_over and game.end != game.End.ABANDONED
            points.setdefault(who, [None] * len(games))[place] = seat.total if counts else None
    totals = {who: sum(filter(None, some)) for who, some in points.items()}
    rows = [
        SeriesRow(seat.name, _has_page(seat), tuple(points[who]), totals[who], _rank(totals[who], totals.values()))
        for who, seat in last.items()
    ]
    return sorted(rows, key=lambda row: row.rank)


def _has_page(seat: Seat) -> bool:
    return seat.player_id is not None and not seat.name.startswith(FORMER)


def _rank(total: int, totals: Iterable[int]) -> int:
    return 1 + sum(other > total for other in totals)
