"""A game as it stood at one ply, from each viewpoint, and its record: public things only, until the game is over."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import rules, words
from games.models import Game
from games.pages.access import Missing, game_of, look_at, may_share, ply_url, table_url, viewer_of
from games.pages.table.comments import comments_of, show_ply, unsent_comment
from games.pages.table.one_ply import about_ply
from games.pages.table.viewpoints import PUBLIC, about_public, about_seat, list_viewpoints, of_seat
from games.pov import Pov, as_seen_then, look, record_of


@require_safe
def ply(request: HttpRequest, slug: str, ply: int) -> HttpResponse:
    """The game when `ply` moves had been played, with the last of them in words; 404 beyond the last."""
    viewer = viewer_of(request)
    game, pov, position = look_at(slug, ply, viewer=viewer)
    return show_ply(request, pov, position, comments_of(game, pov, viewer=viewer, written=unsent_comment(request)))


@require_safe
def ply_as_public(request: HttpRequest, slug: str, ply: int) -> HttpResponse:
    """A finished game as everybody saw it at that ply, without cards and result; 404 before the end."""
    _game, pov, position = _look_back(request, slug, ply)
    then = as_seen_then(pov, seat=None)
    about = about_public(then) | {"may_share": may_share(pov)}
    return _show_then(request, then, position, viewpoint=PUBLIC, about=about)


@require_safe
def ply_as_seat(request: HttpRequest, slug: str, ply: int, number: int) -> HttpResponse:
    """The same as the seat of that `number`, from 1 in the order of play, saw it: with its own card and its sheet; 404
    if there is no such seat."""
    game, pov, position = _look_back(request, slug, ply)
    if not 1 <= number <= len(pov.seats):
        raise Missing(_("There is no such seat at this table."))
    then = as_seen_then(pov, seat=number - 1)
    about = about_seat(game, then, then.seats[number - 1]) | {"may_share": may_share(pov)}
    return _show_then(request, then, position, viewpoint=of_seat(number - 1), about=about)


def _look_back(request: HttpRequest, slug: str, ply: int) -> tuple[Game, Pov, rules.Position]:
    """A game that is over as `look_at` has it; raises Http404 for any other."""
    game, pov, position = look_at(slug, ply, viewer=viewer_of(request))
    if not pov.is_over:
        raise Missing(_("What each player saw is shown once the game is over."))
    return game, pov, position


def _show_then(
    request: HttpRequest, then: Pov, position: rules.Position, *, viewpoint: str, about: dict[str, object]
) -> HttpResponse:
    return render(
        request,
        "games/replay.html",
        {
            **about_ply(then, position, viewpoint=viewpoint),
            "viewpoints": list_viewpoints(then, chosen=viewpoint),
            "is_viewpoint": True,
            "link": settings.SITE_URL + ply_url(then.slug, then.ply, viewpoint),
            **about,
        },
    )


@require_safe
def record(request: HttpRequest, slug: str) -> HttpResponse:
    """The record of a game that is over, as a file to download; 404 before."""
    game = game_of(slug)
    if not game.is_over:
        raise Missing(_("The record of a game is there once the game is over."))
    pov = look(game, viewer=None)
    headers = {"Content-Disposition": f'attachment; filename="clans-{slug}.json"'}
    return JsonResponse(record_of(pov), headers=headers, json_dumps_params={"indent": 1})


@require_safe
def notation(request: HttpRequest, slug: str) -> HttpResponse:
    """The moves of a game that is over as a text to download, for those who may have its record."""
    game = game_of(slug)
    if not game.is_over:
        raise Missing(_("The moves of a game are there as a text once the game is over."))
    headers = {"Content-Disposition": f'attachment; filename="clans-{slug}.txt"'}
    text = _write_notation(look(game, viewer=None))
    return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=headers)


def _write_notation(pov: Pov) -> str:
    """The text, in the reader's language but for the moves. The moves can be pasted where moves are typed: into a
    try-out, or into the search for opening moves (docs/records.md)."""
    if pov.opening is None:
        raise ValueError(f"{pov.slug} is not over")
    head = [f"{name}: {words.one_line(value)}" for name, value in _head(pov, pov.opening)]
    return "\n".join([*head, "", *(str(move.step.move) for move in pov.moves), ""])


def _head(pov: Pov, opening: rules.Opening) -> Iterator[tuple[str, str]]:
    yield _("Table"), f"{pov.name} ({settings.SITE_URL}{table_url(pov.slug)})"
    for seat in pov.seats:
        yield _("Player %(number)d") % {"number": seat.number + 1}, f"{seat.name} ({words.name_clan(seat.clan)})"
    yield _("First to move"), pov.seats[opening.first].name
    yield _("Result"), f"{words.say_result(pov)} {words.say_end(pov)}"
    yield _("Map"), opening.ruleset.board.id
    yield _("Rules"), _("version %(number)d") % {"number": opening.ruleset.version.number}
    if opening.five_clans == "nothing":
        yield _("House rule"), _("a village in which all five clans keep huts scores nothing")
    yield _("Huts"), opening.huts
