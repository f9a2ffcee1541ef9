"""Middleware: the player's time zone and language, what browsers may do on a page, and texts for answers that Django
leaves empty."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache, cached_property, lru_cache
from http import HTTPStatus

from csp.constants import HEADER as CSP
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from games import words
from games.clocks import zone_named
from games.models import Player

GetResponse = Callable[[HttpRequest], HttpResponse]


class ContentPolicy(CSPMiddleware):
    """django-csp's, which builds the policy of each answer anew, where from page to page only the nonce changes.

    Not for its decorators: an answer that wants another policy sets the header.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if settings.DEBUG and response.status_code in (HTTPStatus.NOT_FOUND, HTTPStatus.INTERNAL_SERVER_ERROR):
            # Django's own pages about errors in the program style themselves.
            return response
        nonce = getattr(request, "_csp_nonce", None)
        response.headers.setdefault(CSP, _policy(is_open=nonce is not None).replace(NONCE_HERE, nonce or ""))
        return response


NONCE_HERE = "nonce-here"


@cache
def _policy(*, is_open: bool) -> str:
    """The policy of the settings; one that is open lets scripts of a nonce run."""
    return build_policy(nonce=NONCE_HERE if is_open else None)


class PlayerZone(tzinfo):
    """The time zone of whoever asks. Who that is gets looked up when the first time is shown, not before."""

    def __init__(self, request: HttpRequest) -> None:
        self.request = request

    @cached_property
    def zone(self) -> tzinfo:
        user = self.request.user
        return zone_named(user.time_zone) if isinstance(user, Player) else UTC

    def utcoffset(self, moment: datetime | None, /) -> timedelta | None:
        return self.zone.utcoffset(self._there(moment))

    def dst(self, moment: datetime | None, /) -> timedelta | None:
        return self.zone.dst(self._there(moment))

    def tzname(self, moment: datetime | None, /) -> str | None:
        return self.zone.tzname(self._there(moment))

    def fromutc(self, moment: datetime, /) -> datetime:
        return self.zone.fromutc(moment.replace(tzinfo=self.zone)).replace(tzinfo=self)

    def _there(self, moment: datetime | None) -> datetime | None:
        return moment and moment.replace(tzinfo=self.zone)


def zone_here() -> tzinfo:
    """The active time zone itself, which is quicker than the one that looks up who asks at each turn."""
    zone = timezone.get_current_timezone()
    return zone.zone if isinstance(zone, PlayerZone) else zone


def player_clock(get_response: GetResponse) -> GetResponse:
    """Show times in the player's zone. Costs nothing on pages that show none."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with timezone.override(PlayerZone(request)):
            return get_response(request)

    return middleware


def player_language(get_response: GetResponse) -> GetResponse:
    """Speak a player's language, kept in a cookie so that no page looks it up, or else the one that the browser wishes;
    with it the dialect, which Django does not read."""
    usual = settings.LANGUAGE_CODE if len(settings.LANGUAGES) < 2 else ""

    @lru_cache(maxsize=1024)
    def language(kept: str, wished: str) -> str:
        asking = HttpRequest()
        asking.COOKIES, asking.META = {settings.LANGUAGE_COOKIE_NAME: kept}, {"HTTP_ACCEPT_LANGUAGE": wished}
        return words.dialect(translation.get_language_from_request(asking), white_clan=kept.endswith(words.WHITE))

    def middleware(request: HttpRequest) -> HttpResponse:
        kept = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, usual)
        spoken = language(kept, request.META.get("HTTP_ACCEPT_LANGUAGE", ""))
        with translation.override(spoken):
            response = get_response(request)
        response.headers.setdefault("Content-Language", spoken)
        patch_vary_headers(response, ("Accept-Language",))
        if (player := _known_player(request)) is not None:
            _keep_language(response, player, kept)
        return response

    return middleware


def _keep_language(response: HttpResponse, player: Player, kept: str) -> None:
    """Set the cookie when the player speaks another language than it says."""
    spoken = words.dialect(player.language, white_clan=player.white_clan)
    if spoken != kept:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            spoken,
            max_age=settings.SESSION_COOKIE_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            samesite="Lax",
        )


def wrong_way(get_response: GetResponse) -> GetResponse:
    """Let a page say that an address is not for reading, or not for sending to; Django's own answer is empty."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if isinstance(response, HttpResponseNotAllowed):
            page = render(request, "405.html", status=response.status_code)
            page["Allow"] = response["Allow"]
            return page
        return response

    return middleware


def _known_player(request: HttpRequest) -> Player | None:
    """Who asks, if this request has learned it anyhow (or just signed them in)."""
    # Some refusals come before anybody asks who it is.
    user = getattr(request, "user", None)
    is_known = hasattr(request, "_cached_user") or type(user) is Player
    return user if is_known and isinstance(user, Player) else None
