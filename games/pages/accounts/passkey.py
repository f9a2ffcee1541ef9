"""Signing in by passkey: allauth's page, but a visitor who asks for a challenge leaves no session behind.

The challenge is in a signed cookie, for a few minutes, and can be answered once.
"""

from __future__ import annotations

from typing import Any, Final

from allauth.mfa.webauthn import views
from allauth.mfa.webauthn.internal.auth import STATE_SESSION_KEY
from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse

from games.pages.replies import set_cookie

AGE: Final = 5 * 60
"""How many seconds somebody has to touch the key."""
SALT: Final = "games.pages.accounts.passkey"


def sign_in_by_passkey(request: HttpRequest) -> HttpResponse:
    """A challenge for whoever asks, and the way in for whoever answers it."""
    return _answer(request) if request.method == "POST" else _challenge(request)


def _challenge(request: HttpRequest) -> HttpResponse:
    # The player who asks is found in the session, so that comes first.
    _ = request.user.is_authenticated
    session: Any = request.session
    held: dict[str, Any] = {}
    request.session = held  # type: ignore[assignment]
    try:
        response: HttpResponse = views.login_webauthn(request)
    finally:
        request.session = session
    if state := held.get(STATE_SESSION_KEY):
        challenge = signing.dumps(state, salt=SALT)
        set_cookie(response, settings.PASSKEY_COOKIE_NAME, challenge, age=AGE, is_strict=True)
    return response


def _answer(request: HttpRequest) -> HttpResponse:
    if state := _taken_state(request):
        request.session[STATE_SESSION_KEY] = state
    response: HttpResponse = views.login_webauthn(request)
    request.session.pop(STATE_SESSION_KEY, None)
    response.delete_cookie(settings.PASSKEY_COOKIE_NAME)
    return response


def _taken_state(request: HttpRequest) -> dict[str, Any] | None:
    """The challenge that this browser was given; None if there is none, or if it has been answered before."""
    sent = request.COOKIES.get(settings.PASSKEY_COOKIE_NAME, "")
    try:
        state: dict[str, Any] = signing.loads(sent, salt=SALT, max_age=AGE)
    except signing.BadSignature:
        return None
    return state if cache.add(f"passkey-{state['challenge']}", True, timeout=AGE) else None
