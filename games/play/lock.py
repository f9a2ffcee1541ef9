from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from django.db.models import QuerySet

from games.models import Game
from games.prepared import fetch


@contextmanager
def locked(game: Game) -> Iterator[Game]:
    """A transaction that alone may write `game`, giving the row as it is now.

    Games are locked one at a time, but for those that are reminded of, which skip whatever another holds; and whoever
    has locked a player's row locks no game meanwhile (design 2.4). So nobody waits in a circle. On SQLite every
    transaction starts IMMEDIATE, which locks the database; elsewhere the game row is locked. Raises Game.DoesNotExist.
    """
    with transaction.atomic():
        found = fetch(_for_update, game.pk)
        if not found:
            raise Game.DoesNotExist
        yield found[0]


def _for_update(game: int) -> QuerySet[Game]:
    return Game.objects.select_for_update().filter(pk=game)
