from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from games.models import Game


@contextmanager
def locked(game: Game) -> Iterator[Game]:
    """A transaction that alone may write `game`, giving the row as it is now.

    It is the only lock of the program, never two at once (design 2.4). On SQLite every transaction starts
    IMMEDIATE, which locks the database; elsewhere the game row is locked. Raises Game.DoesNotExist.
    """
    with transaction.atomic():
        yield Game.objects.select_for_update().get(pk=game.pk)
