"""What a browser stores of the site: a page for when it is offline, and the script that shows notifications."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The page that a browser shows when it is offline. It fetches the page in advance, as a visitor."""
    return render(request, "games/offline.html")


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker. Its address is at the top, because it works for all pages below it."""
    return render(request, "games/service_worker.js", content_type="text/javascript; charset=utf-8")
