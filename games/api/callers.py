"""Who calls the API, by the token that comes with the request, and how often they may."""

from __future__ import annotations

from http import HTTPStatus
from typing import NamedTuple

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja.errors import Throttled
from ninja.security import HttpBearer

from games.api.problems import Problem
from games.caching import prepared
from games.limits import API_BY_TOKEN, API_WITHOUT_TOKEN
from games.models import Player, digest_of
from games.pages.counting import refused


class Caller(NamedTuple):
    """The `player` whose token came with the request; None for anybody without one."""

    player: Player | None


class Bearer(HttpBearer):
    """Takes requests with a good token and those without any. Cookies count for nothing here: a page of another site
    must not read in somebody's name."""

    def __call__(self, request: HttpRequest) -> Caller:
        if "Authorization" not in request.headers:
            return self._count(request, Caller(None))
        player: Player | None = super().__call__(request)
        caller = self._count(request, Caller(player))
        if player is None:
            raise Problem(HTTPStatus.UNAUTHORIZED, _("There is no such token, or it was revoked."))
        return caller

    def authenticate(self, request: HttpRequest, token: str) -> Player | None:
        found = _holders(digest_of(token))
        return found[0] if found else None

    def _count(self, request: HttpRequest, caller: Caller) -> Caller:
        """Raises Throttled for whoever has called too often."""
        if caller.player is None:
            rate = refused(API_WITHOUT_TOKEN, request)
        else:
            rate = refused(API_BY_TOKEN, request, person=caller.player.pk)
        if rate is not None:
            raise Throttled(rate.seconds)
        return caller


@prepared
def _holders(digest: str) -> QuerySet[Player]:
    return Player.objects.filter(api_tokens__digest=digest, is_active=True)


def caller_of(request: HttpRequest) -> Player | None:
    """The player who asks; None without a token."""
    caller: Caller = request.auth  # type: ignore[attr-defined]
    return caller.player
