"""The locks of games and seasons: whoever writes to one or its rows takes its lock first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from django.db.models import QuerySet

from games.caching import prepared
from games.models import Game, Player, Season
from games.words.refusals import NotYourSeason


@contextmanager
def locked(game: Game) -> Iterator[Game]:
    """A transaction with the row of `game` locked; gives the row as it is now.

    There is no deadlock: games are locked one at a time, except by reminders, which skip locked rows; and nobody locks
    a game while they hold the row of a player (design 2.1). On SQLite every transaction starts IMMEDIATE, which locks
    the database; elsewhere the game row is locked. Raises Game.DoesNotExist.
    """
    with transaction.atomic():
        found = _for_update(game.pk)
        if not found:
            raise Game.DoesNotExist
        yield found[0]


@contextmanager
def locked_season(season: Season, *, of: Player | None = None) -> Iterator[Season]:
    """A transaction with the row of `season` locked; gives the row as it is now. A transaction that holds the row of a
    game must not ask for it. Raises NotYourSeason unless it is `of` that player."""
    with transaction.atomic():
        current = Season.objects.select_for_update().get(pk=season.pk)
        if of is not None and current.opener_id != of.pk:
            raise NotYourSeason
        yield current


@prepared
def _for_update(game: int) -> QuerySet[Game]:
    return Game.objects.select_for_update().filter(pk=game)
