"""Views that leak on purpose, each in another way; the addresses of the site with these among them."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.urls import path

from clans_site.urls import urlpatterns as site_urls
from games.enqueue import enqueue
from games.models import Game, Seat

logger = logging.getLogger("games.leaks")


def _first(slug: str) -> Seat | None:
    return Seat.objects.filter(game__slug=slug).exclude(clan="").order_by("number").first()


def body(request: HttpRequest, slug: str) -> HttpResponse:
    """No name of a color, only another number of spaces."""
    seat = _first(slug)
    return HttpResponse("A table." + " " * (len(seat.clan) if seat else 0))


def order(request: HttpRequest, slug: str) -> HttpResponse:
    seats = Seat.objects.filter(game__slug=slug).order_by("clan")
    return HttpResponse(", ".join(seat.name for seat in seats))


def seed(request: HttpRequest, slug: str) -> HttpResponse:
    game = Game.objects.filter(slug=slug).first()
    return HttpResponse(str(bytes(game.deal.seed)[0] % 7) if game else "")


def words(request: HttpRequest, slug: str) -> HttpResponse:
    return HttpResponse(" ".join(Seat.objects.filter(game__slug=slug).values_list("entropy", flat=True)))


def header(request: HttpRequest, slug: str) -> HttpResponse:
    seat = _first(slug)
    return HttpResponse("A table.", headers={"ETag": f'"{hash(seat.clan)}"' if seat else ""})


def cookie(request: HttpRequest, slug: str) -> HttpResponse:
    response, seat = HttpResponse("A table."), _first(slug)
    response.set_cookie("looks", seat.clan if seat else "")
    return response


def status(request: HttpRequest, slug: str) -> HttpResponse:
    seat = _first(slug)
    return HttpResponse("A table.", status=404 if seat and seat.clan == "red" else 200)


def crash(request: HttpRequest, slug: str) -> HttpResponse:
    seat = _first(slug)
    if seat and seat.clan == "blue":
        raise RuntimeError
    return HttpResponse("A table.")


def log(request: HttpRequest, slug: str) -> HttpResponse:
    logger.debug("looked at %s", _first(slug) and Seat.objects.filter(game__slug=slug).values_list("clan"))
    return HttpResponse("A table.")


def kept(request: HttpRequest, slug: str) -> HttpResponse:
    seat = _first(slug)
    cache.set(f"look-{slug}", seat.clan if seat else "")
    return HttpResponse("A table.")


def told(request: HttpRequest, slug: str) -> HttpResponse:
    """Sends the worker, and writes down, what nobody should read."""
    game = Game.objects.filter(slug=slug).first()
    if request.method == "POST" and game:
        enqueue("games.tasks.send_notice", bytes(game.deal.seed)[0])
        Game.objects.filter(pk=game.pk).update(name=bytes(game.deal.seed).hex()[:50])
    return HttpResponse("A table.")


GETS: dict[str, Callable[[HttpRequest, str], HttpResponse]] = {
    "body": body,
    "order": order,
    "seed": seed,
    "words": words,
    "header": header,
    "cookie": cookie,
    "status": status,
    "crash": crash,
    "log": log,
    "cache": kept,
}
NAMES = tuple(GETS)

urlpatterns = [
    *(path(f"tables/<slug:slug>/leak-{name}/", view, name=f"leak-{name}") for name, view in GETS.items()),
    path("tables/<slug:slug>/leak-told/", told, name="leak-told"),
    *site_urls,
]
