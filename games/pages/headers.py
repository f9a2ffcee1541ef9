"""Middleware: which other sites may load an answer, who may cache it, and cookies under their old names."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

GetResponse = Callable[[HttpRequest], HttpResponse]

UNCACHED: Final = frozenset(
    {
        *("home", "preferences", "mail_preferences", "mail_log", "browsers", "webhooks", "feeds", "api_tokens"),
        *("favorites", "muted", "my_data", "talk", "postcard"),
    }
)
"""Private pages besides those of the account: no browser stores them on its disk."""
ACCOUNT: Final = "accounts/"
RENAMED: Final = datetime(2027, 3, 1, tzinfo=UTC)
"""Until then cookies under their names from before November 2026 are accepted: each session lasts 60 days."""


def same_origin(get_response: GetResponse) -> GetResponse:
    """Let no other site load an answer into its pages."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        return response

    return middleware


def uncached(get_response: GetResponse) -> GetResponse:
    """Let nobody cache the pages of an account: codes, keys, addresses. Who signs out leaves nothing in the browser, by
    whichever page: also one that was open when the session ended elsewhere."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        match = request.resolver_match
        if match and (match.url_name in UNCACHED or match.route.startswith(ACCOUNT)):
            response.headers.setdefault("Cache-Control", "private, no-store")
        signs_out = match and match.url_name == "account_logout" and request.method == "POST"
        if signs_out or hasattr(request, "has_signed_out"):
            response.headers["Clear-Site-Data"] = '"cache"'
            response.delete_cookie(settings.PLAYER_COOKIE_NAME, samesite="Lax")
        return response

    return middleware


@receiver(user_logged_out)
def note_sign_out(request: Any, **_signal: object) -> None:
    """For `uncached`: pages sign players out that end a session or close an account, too."""
    request.has_signed_out = True


def old_cookies(get_response: GetResponse) -> GetResponse:
    """On https, accept cookies from before they were bound to the host, and set them again under their new names."""
    prefix = settings.COOKIE_PREFIX
    names = (settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, settings.LANGUAGE_COOKIE_NAME)

    def middleware(request: HttpRequest) -> HttpResponse:
        old = {name: request.COOKIES.get(name.removeprefix(prefix)) for name in names if name not in request.COOKIES}
        taken = {name: value for name, value in old.items() if value is not None and timezone.now() < RENAMED}
        request.COOKIES |= taken
        response = get_response(request)
        for name, value in taken.items():
            _rename(response, name, value)
        return response

    return middleware if prefix else get_response


def _rename(response: HttpResponse, name: str, value: str) -> None:
    """Set the cookie under its new name, unless the answer has set or deleted it, and delete it under its old one."""
    if name not in response.cookies:
        response.set_cookie(
            name,
            value,
            max_age=settings.SESSION_COOKIE_AGE,
            secure=True,
            httponly=name == settings.SESSION_COOKIE_NAME,
            samesite="Lax",
        )
    response.delete_cookie(name.removeprefix(settings.COOKIE_PREFIX))
