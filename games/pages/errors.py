"""The pages about errors. They read nothing of what was sent. Django's own pages look for a token in the form again, so
they fail again if it was the form that could not be read."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

RETRY_SECONDS: Final = 30
"""When to try again what is out of order."""


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(None, "400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "403.html", status=403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """With the reason of a `games.pages.access.Missing`; what Django says itself is for developers."""
    why = getattr(exception, "reason", "")
    return render(request, "404.html", {"why": why}, status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Rendered without the request: what has failed may fail again when the page asks who reads it."""
    return render(None, "500.html", status=500)


def unavailable(request: HttpRequest) -> HttpResponse:
    response = render(request, "503.html", status=503)
    response["Retry-After"] = str(RETRY_SECONDS)
    return response
