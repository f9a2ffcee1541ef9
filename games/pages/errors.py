"""The pages about errors. They read nothing of what was sent. Django's own pages look for a token in the form again, so
they fail again if it was the form that could not be read."""

from __future__ import annotations

import sys
from typing import Final

import redis
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.outage import is_outage, refuses_writes

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
    """503 while the database or Redis cannot be used, else 500.

    Redis counts attempts, to sign in for example; most pages ask nothing of it. All other pages are rendered without
    the request: what has failed may fail again when the page asks who reads it.
    """
    error = sys.exception()
    if isinstance(error, redis.ConnectionError | redis.TimeoutError | redis.ResponseError):
        return _unavailable(request, bare=False)
    if is_outage(error):
        return _unavailable(None, bare=True, only_reads=refuses_writes(error))
    return render(None, "500.html", status=500)


def _unavailable(request: HttpRequest | None, *, bare: bool, only_reads: bool = False) -> HttpResponse:
    response = render(request, "503.html", {"bare": bare, "only_reads": only_reads}, status=503)
    response["Retry-After"] = str(RETRY_SECONDS)
    return response
