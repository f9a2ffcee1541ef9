"""What a browser keeps of the site: a page for when there is no net, and the script that shows messages."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The page that stands for all others when there is no net. A browser gets it ahead, signed out."""
    return render(request, "games/offline.html")


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """The script that a browser runs besides the pages. It lies at the top, since it is for the pages below it."""
    return render(request, "games/service_worker.js", content_type="text/javascript; charset=utf-8")
