"""The site with views that do what fuzzing must notice: give text back as markup, break, lead away, stop half-way, ask
the database what it cannot be asked."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path

from clans_site.urls import urlpatterns as site_urls
from games.models import Game


def echo(request: HttpRequest) -> HttpResponse:
    return HttpResponse(request.GET["text"])


def crash(request: HttpRequest) -> HttpResponse:
    raise RuntimeError


def away(request: HttpRequest) -> HttpResponse:
    return HttpResponseRedirect("https://evil.example/")


def half(request: HttpRequest) -> HttpResponse:
    Game.objects.update(name="half")
    return HttpResponse(status=422)


def find(request: HttpRequest) -> HttpResponse:
    return HttpResponse(status=200 if Game.objects.filter(name=request.GET["text"]).exists() else 404)


urlpatterns = [
    *(path(f"unguarded/{view.__name__}/", view) for view in (echo, crash, away, half, find)),
    *site_urls,
]
