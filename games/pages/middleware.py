"""Middleware: the player's time zone and language, and pages for answers that Django leaves empty or explains."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseNotFound
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from games import words
from games.models import Player
from games.pages import errors
from games.words.zone import PlayerZone

logger = logging.getLogger(__name__)

REFUSED: Final = frozenset({403, 429})
METHODS: Final = ("GET", "HEAD", "POST")

GetResponse = Callable[[HttpRequest], HttpResponse]


def player_clock(get_response: GetResponse) -> GetResponse:
    """Show times in the player's zone. A page without times does not look up the player for it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with timezone.override(PlayerZone(request)):
            return get_response(request)

    return middleware


def player_language(get_response: GetResponse) -> GetResponse:
    """Use the player's language and dialect, which a cookie stores so that no page looks them up, or else the language
    of the browser. Django ignores the dialect."""

    def middleware(request: HttpRequest) -> HttpResponse:
        is_white = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "").endswith(words.WHITE)
        language = translation.get_language_from_request(request)
        with words.speaking(language, white_clan=is_white):
            response = get_response(request)
        response.headers.setdefault("Content-Language", language)
        patch_vary_headers(response, ("Accept-Language",))
        if (player := _known_player(request)) is not None:
            _keep_language(response, player, words.language_tag(language, white_clan=is_white))
        return response

    return middleware


def _keep_language(response: HttpResponse, player: Player, spoken: str) -> None:
    """Set the cookie if the player's language is not the one that the page was in."""
    chosen = words.language_tag(player.language, white_clan=player.white_clan)
    if chosen != spoken:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            chosen,
            max_age=settings.SESSION_COOKIE_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            samesite="Lax",
        )


def last_player(get_response: GetResponse) -> GetResponse:
    """Remember in a cookie who was signed in last with this browser: what they send once they are signed out waits for
    them alone (design 4.5). Whoever signs out here leaves no such cookie (`uncached`)."""
    name = settings.PLAYER_COOKIE_NAME

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if (player := _known_player(request)) is not None and request.COOKIES.get(name) != str(player.pk):
            response.set_cookie(
                name,
                str(player.pk),
                # It is set once, and outlives the sessions of a year.
                max_age=timedelta(days=365),
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response

    return middleware


def wrong_way(get_response: GetResponse) -> GetResponse:
    """Refuse all methods that no page has, so that a view which shows and takes a form need not: views of Django and
    allauth treat PUT as POST and answer OPTIONS. A page says that the address cannot be read, or that nothing can be
    sent to it; Django's own answer is empty."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request) if request.method in METHODS else HttpResponseNotAllowed(METHODS)
        if isinstance(response, HttpResponseNotAllowed):
            page = render(request, "405.html", status=response.status_code)
            page["Allow"] = response["Allow"]
            return page
        return response

    return middleware


class SiteNotFound:
    """Show the site's page for a wrong address where DEBUG is on, too: people who try the site out take Django's page,
    a list of patterns, for a fault."""

    def __init__(self, get_response: GetResponse) -> None:
        if not settings.DEBUG:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        return errors.not_found(request) if isinstance(response, HttpResponseNotFound) else response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return errors.not_found(request, exception) if isinstance(exception, Http404) else None


def note_refusals(get_response: GetResponse) -> GetResponse:
    """Log what was refused to whom: by permissions, by limits and as a forged form. Of an address the log has only the
    pattern."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code in REFUSED:
            player = _known_player(request)
            route = request.resolver_match.route if request.resolver_match else "?"
            logger.info(
                "refused with %d: %s /%s, player %s",
                response.status_code,
                request.method,
                route,
                player.pk if player else "-",
            )
        return response

    return middleware


def _known_player(request: HttpRequest) -> Player | None:
    """The player of the request, if it has looked them up anyway (or just signed them in)."""
    # Some refusals come before anybody asks who it is.
    user = getattr(request, "user", None)
    is_known = hasattr(request, "_cached_user") or type(user) is Player
    return user if is_known and isinstance(user, Player) else None
