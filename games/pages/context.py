"""What every page says about its reader."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from django.http import HttpRequest

from games.models import Game, Player


def waiting_count(request: HttpRequest) -> dict[str, Callable[[], int]]:
    """How many tables wait for the reader: one query by index on pages that show it, none for visitors."""

    @cache
    def count() -> int:
        # Pages about errors are also shown to requests that never came as far as to have a user.
        viewer = getattr(request, "user", None)
        return Game.objects.awaiting(viewer).count() if isinstance(viewer, Player) else 0

    return {"waiting_count": count}
