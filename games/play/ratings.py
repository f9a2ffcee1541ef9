"""Ratings by the method of Weng and Lin (docs/ratings.md): brought up to date when a game ends, and computed again from
the log. A game is rated after all earlier rated games of its players, in the order of `Game.rated_at`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple

from django.db import connection, transaction
from django.db.models import QuerySet
from django.db.models.functions import Coalesce
from openskill.models import BradleyTerryPart

from games.models import AUTOPILOT_AFTER, START_MU, START_SIGMA, Game, Rating, Seat

FIELDS: Final = ("mu", "sigma", "games", "rated_at", "least", "curve")
TELL_EVERY: Final = 1000

# It compares each player with each other at the table and takes the mean, so that a game of four weighs as much as one
# of two, and the scale is the same for both.
_MODEL: Final = BradleyTerryPart(mu=START_MU, sigma=START_SIGMA)
_MOMENT: Final = timedelta(microseconds=1)


class Recount(NamedTuple):
    """How many games were rated again, and how many ratings were wrong."""

    games: int
    changed: int


class RatedSeat(NamedTuple):
    """What is read of a seat to rate its game, by the names of its columns; `order` is when that was rated."""

    game_id: int
    order: datetime
    player_id: int | None
    rank: int | None
    is_bot: bool
    autopiloted: int
    taken_over_at: datetime | None


def is_to_be_rated(game: Game, seats: Iterable[Seat]) -> bool:
    """Whether a game that is over is rated. It is if its table is rated, only people played, they played it to its
    end, and no seat was resigned, left to the autopilot when it ended, or ever taken over."""
    is_complete = game.end in (Game.End.VILLAGES, Game.End.NO_MOVES)
    return game.is_rated and is_complete and _are_people(seats)


def _are_people(seats: Iterable[Seat | RatedSeat]) -> bool:
    return not any(
        seat.player_id is None or seat.is_bot or seat.autopiloted >= AUTOPILOT_AFTER or seat.taken_over_at
        for seat in seats
    )


def rate_game(game: Game, seats: Sequence[Seat], *, at: datetime) -> None:
    """Rate a game that has just ended, if it is to be rated, in its transaction; the caller saves it. Some 4 queries.

    It is done there and not in a task, so that the order in which the games of a player are rated is that in which they
    ended, and no task can be lost. Rows are locked in the order of their players: games that end at the same time wait
    for each other.
    """
    if not is_to_be_rated(game, seats):
        return
    players = sorted(seat.player_id or 0 for seat in seats)
    Rating.objects.bulk_create([Rating(player_id=player) for player in players], ignore_conflicts=True)
    locked = Rating.objects.select_for_update().filter(player__in=players).order_by("player")
    ratings = {rating.player_id: rating for rating in locked}
    game.rated_at = max([at, *(rating.rated_at + _MOMENT for rating in ratings.values() if rating.rated_at)])
    _rate([ratings[seat.player_id or 0] for seat in seats], [seat.rank or 0 for seat in seats], at=game.rated_at)
    Rating.objects.bulk_update(ratings.values(), FIELDS)


def _rate(ratings: Sequence[Rating], ranks: Sequence[int], *, at: datetime) -> None:
    """Change the ratings of the players of one game, who had these ranks; equal ranks are a draw."""
    before = [[_MODEL.rating(rating.mu, rating.sigma)] for rating in ratings]
    for rating, [after] in zip(ratings, _MODEL.rate(before, ranks=list(ranks)), strict=True):
        rating.mu, rating.sigma = after.mu, after.sigma
        rating.games, rating.rated_at = rating.games + 1, at
        rating.note_change()


def recount_ratings(*, tell: Callable[[int, int], None] = lambda done, of: None) -> Recount:
    """Compute all ratings again from the log, and write those that differ. It calls `tell` every 1,000 games with how
    many are done, and of how many.

    While it computes, games can end. Only rating those, and writing, happens under a lock.
    """
    book = _Book()
    of = _rated_games().count()
    for done in book.add(_seats_in_order().iterator(chunk_size=3000)):
        if done % TELL_EVERY == 0:
            tell(done, of)
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("LOCK TABLE games_rating IN EXCLUSIVE MODE")
        new = set(_rated_games().values_list("pk", flat=True)) - book.read
        for _done in book.add(_seats_in_order().filter(game__in=new) if new else ()):
            pass
        changed = _write(book.ratings)
    return Recount(len(book.read), changed)


class _Book:
    """Ratings in memory, computed from the seats of games."""

    def __init__(self) -> None:
        self.ratings: dict[int, Rating] = {}
        self.read: set[int] = set()

    def add(self, seats: Iterable[tuple[Any, ...]]) -> Iterator[int]:
        """Rate games by all their seats, in the order of `_seats_in_order`. Yields how many games it has read."""
        for game, group in groupby(map(RatedSeat._make, seats), key=attrgetter("game_id")):
            self.read.add(game)
            together = list(group)
            if _are_people(together):
                ratings = [self._rating(seat.player_id or 0) for seat in together]
                _rate(ratings, [seat.rank or 0 for seat in together], at=together[0].order)
            yield len(self.read)

    def _rating(self, player: int) -> Rating:
        if player not in self.ratings:
            self.ratings[player] = Rating(player_id=player)
        return self.ratings[player]


def _rated_games() -> QuerySet[Game]:
    """Games that are over and played out, at tables that are rated."""
    return Game.objects.filter(is_rated=True, status=Game.Status.FINISHED).exclude(end=Game.End.ABANDONED)


def _seats_in_order() -> QuerySet[Seat, tuple[Any, ...]]:
    """All seats of these games, in the order in which the games were rated."""
    order = Coalesce("game__rated_at", "game__ended_at")
    seats = Seat.objects.filter(game__in=_rated_games()).annotate(order=order).order_by("order", "game", "number")
    return seats.values_list(*RatedSeat._fields)


def _write(ratings: dict[int, Rating]) -> int:
    """Store these ratings and no others; returns how many rows that changed."""
    stored = {rating.player_id: rating for rating in Rating.objects.all()}
    gone = stored.keys() - ratings.keys()
    added = [rating for player, rating in sorted(ratings.items()) if player not in stored]
    other = [
        rating for player, rating in sorted(ratings.items()) if player in stored and _differ(rating, stored[player])
    ]
    for start in range(0, len(gone), 500):
        Rating.objects.filter(player__in=sorted(gone)[start : start + 500]).delete()
    Rating.objects.bulk_create(added, batch_size=500)
    Rating.objects.bulk_update(other, FIELDS, batch_size=100)
    return len(gone) + len(added) + len(other)


def _differ(one: Rating, other: Rating) -> bool:
    return any(getattr(one, field) != getattr(other, field) for field in FIELDS)
