"""What every page says about its reader."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.middleware.csrf import CSRF_ALLOWED_CHARS, get_token
from django.utils.functional import SimpleLazyObject
from django.utils.safestring import SafeString

from games.models import Game, Player
from games.prepared import fetch


def waiting_count(request: HttpRequest) -> dict[str, Callable[[], int]]:
    """How many tables wait for the reader, 0 for visitors. Whoever only reads is looked up with it (`Door.get_user`);
    in answer to a form it costs a query by index."""

    @cache
    def count() -> int:
        # Pages about errors also answer requests that never came as far as to have a user.
        viewer = getattr(request, "user", None)
        if not isinstance(viewer, Player):
            return 0
        # Counted when they were looked up, unless this request has come to change something since.
        waiting = getattr(viewer, "waiting", None) if request.method in ("GET", "HEAD") else None
        return _count_waiting(viewer.pk) if waiting is None else int(waiting)

    return {"waiting_count": count}


def form_token(request: HttpRequest) -> dict[str, object]:
    """Django's token of forms, which differs at each look so that nobody can guess it from how well a page compresses;
    Django asks the kernel for each of its letters."""
    return {"csrf_token": SimpleLazyObject(partial(_token, request))}


def _token(request: HttpRequest) -> str:
    # Where there is a cookie, it stays as it is: it lives for a year, and each sign-in makes a new one.
    return mask(request.META["CSRF_COOKIE"]) if "CSRF_COOKIE" in request.META else get_token(request)


def mask(secret: str) -> SafeString:
    """A random key and the secret shifted by it, in Django's letters, as Django unmasks it."""
    size, key, shifted = len(CSRF_ALLOWED_CHARS), [], []
    number = secrets.randbelow(size ** len(secret))
    for letter in secret:
        number, step = divmod(number, size)
        key.append(CSRF_ALLOWED_CHARS[step])
        shifted.append(CSRF_ALLOWED_CHARS[(CSRF_ALLOWED_CHARS.index(letter) + step) % size])
    return SafeString("".join([*key, *shifted]))


def _count_waiting(player: int) -> int:
    return sum(count for (count,) in fetch(counted, player))


def counted(player: int) -> QuerySet[Game, Any]:
    """How many tables wait for the player of this key, by index: one row, or none when none waits."""
    waiting = Game.objects.awaiting(Player(pk=player)).order_by()
    return waiting.values("awaited").annotate(count=Count("pk")).values_list("count")
