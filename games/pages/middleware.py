"""The player's own clock and tongue on every page, and words where Django has none."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cached_property

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.translation import get_language

from games import words
from games.models import Player

GetResponse = Callable[[HttpRequest], HttpResponse]


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


def zone_named(name: str) -> tzinfo:
    """The zone, or UTC when this machine does not know it: a page is worth more than its hour."""
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, OSError, ValueError):
        return UTC


def player_clock(get_response: GetResponse) -> GetResponse:
    """Show times in the player's zone. Costs nothing on pages that show none."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with timezone.override(PlayerZone(request)):
            return get_response(request)

    return middleware


def player_language(get_response: GetResponse) -> GetResponse:
    """Keep a player's language in the cookie that LocaleMiddleware reads, so that no page looks it up; with it the
    dialect, which Django does not read."""
    usual = settings.LANGUAGE_CODE if len(settings.LANGUAGES) < 2 else ""

    def middleware(request: HttpRequest) -> HttpResponse:
        kept = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, usual)
        with translation.override(words.dialect(get_language() or "", white_clan=kept.endswith(words.WHITE))):
            response = get_response(request)
        player = _known_player(request)
        spoken = words.dialect(player.language, white_clan=player.white_clan) if player else kept
        if spoken != kept:
            response.set_cookie(
                settings.LANGUAGE_COOKIE_NAME,
                spoken,
                max_age=settings.SESSION_COOKIE_AGE,
                secure=settings.SESSION_COOKIE_SECURE,
                samesite="Lax",
            )
        return response

    return middleware


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
    is_known = hasattr(request, "_cached_user") or type(request.user) is Player
    return request.user if is_known and isinstance(request.user, Player) else None
