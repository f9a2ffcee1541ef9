"""What every page says about its reader."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from django.db.models import Count, QuerySet
from django.http import HttpRequest

from games.models import Game, Player
from games.prepared import fetch


def waiting_count(request: HttpRequest) -> dict[str, Callable[[], int]]:
    """How many tables wait for the reader: one query by index on pages that show it, none for visitors."""

    @cache
    def count() -> int:
        # Pages about errors also answer requests that never came as far as to have a user.
        viewer = getattr(request, "user", None)
        return _count_waiting(viewer.pk) if isinstance(viewer, Player) else 0

    return {"waiting_count": count}


def _count_waiting(player: int) -> int:
    return sum(count for (count,) in fetch(counted, player))


def counted(player: int) -> QuerySet[Game, Any]:
    """How many tables wait for the player of this key, by index: one row, or none when none waits."""
    waiting = Game.objects.awaiting(Player(pk=player)).order_by()
    return waiting.values("awaited").annotate(count=Count("pk")).values_list("count")
