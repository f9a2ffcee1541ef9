"""A viewer who asks the site itself, without a server between: all middleware runs, nothing is drawn twice.

Django's own test client keeps a copy of every template's context, which takes as long as the page.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from http.cookies import SimpleCookie
from typing import Any

from django.core.handlers.base import BaseHandler
from django.http import HttpResponseBase
from django.test import Client, RequestFactory

from games.models import Player

FORM = "application/x-www-form-urlencoded"
HEALTH = "/health/"


class Browser:
    """Signed in (just now, by password) as one player, or nobody. Every request brings the same cookies, whatever the
    answers set."""

    def __init__(self, viewer: Player | None) -> None:
        self.viewer = viewer
        self._handler = BaseHandler()
        self._handler.load_middleware()
        self._requests = RequestFactory()
        if viewer:
            self.cookies = _sign_in(viewer)

    @property
    def cookies(self) -> SimpleCookie:
        """What every request brings."""
        return self._requests.cookies

    @cookies.setter
    def cookies(self, cookies: SimpleCookie) -> None:
        self._requests.cookies = cookies

    def get(self, path: str) -> HttpResponseBase:
        return self.ask("GET", path)

    def post(self, path: str, form: Mapping[str, Any]) -> HttpResponseBase:
        """The answer to a form, as if its CSRF token were right."""
        return self._answer(self._requests.post(path, form))

    def ask(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        content_type: str = FORM,
        headers: Mapping[str, str] | None = None,
    ) -> HttpResponseBase:
        """The answer to any request at all."""
        return self._answer(self._requests.generic(method, path, body, content_type, headers=dict(headers or {})))

    def _answer(self, request: Any) -> HttpResponseBase:
        request._dont_enforce_csrf_checks = True
        return self._handler.get_response(request)


def _sign_in(viewer: Player) -> SimpleCookie:
    client = Client()
    client.force_login(viewer)
    session = client.session
    # What allauth asks for before it shows the pages about passwords and keys.
    session["account_authentication_methods"] = [{"method": "password", "at": time.time(), "email": viewer.email}]
    session.save()
    return client.cookies


def has_failed(response: HttpResponseBase, path: str) -> bool:
    """Whether the site itself has failed at that path. /health/ alone may say 503, when no worker runs."""
    is_told = response.status_code == 503 and path.partition("?")[0] == HEALTH
    return response.status_code >= 500 and not is_told


def body_of(response: HttpResponseBase) -> bytes:
    """The whole body, streamed or not."""
    return b"".join(response) if response.streaming else response.content  # type: ignore[attr-defined]
