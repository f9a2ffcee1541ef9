"""A game as it stood at one ply, and its record: public things only, until the game is over."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import pov, rules, words
from games.models import Game, Player
from games.pages import ask, board, margin
from games.pages.table import game_of, viewer_of


@require_safe
def ply(request: HttpRequest, slug: str, ply: int) -> HttpResponse:
    """The game when `ply` moves had been played, with the last of them in words; 404 beyond the last."""
    _game, seen, position = look_at(slug, ply, viewer=viewer_of(request))
    to_move = None if position.over else position.to_move
    contents = words.describe_board(position, seen.seats)
    about = {
        "pov": seen,
        "board": board.draw_ply(seen, position, contents=contents),
        "last": ask.last_sentences(seen),
        "at": seen.moves[-1].at if seen.moves else seen.started_at,
        "opening": _("Before the first move."),
        "plies": _plies(seen),
        "territories": margin.territory_lists(contents),
        "result": words.say_result(seen),
    }
    return render(request, "games/replay.html", about | margin.about_position(seen, position, to_move=to_move))


def look_at(slug: str, ply: int, *, viewer: Player | None) -> tuple[Game, pov.Pov, rules.Position]:
    """A game as it stood at `ply`; raises Http404 before the start and beyond the last move."""
    game = game_of(slug)
    try:
        seen = pov.look(game, viewer=viewer, ply=ply)
    except IndexError as error:
        raise Http404(_("This game has not come so far.")) from error
    if seen.position is None:
        raise Http404(_("This game has not started."))
    return game, seen, seen.position


def _plies(seen: pov.Pov) -> dict[str, str]:
    """The addresses of the other plies that can be gone to."""
    back = {"first": 0, "previous": seen.ply - 1} if seen.ply else {}
    on = {"next": seen.ply + 1, "last": seen.last_ply} if seen.ply < seen.last_ply else {}
    return {name: reverse("ply", args=(seen.slug, number)) for name, number in {**back, **on}.items()}


@require_safe
def record(request: HttpRequest, slug: str) -> HttpResponse:
    """The record of a game that is over, as a file to download; 404 before."""
    game = game_of(slug)
    if not game.is_over:
        raise Http404(_("The record of a game is there once the game is over."))
    seen = pov.look(game, viewer=None)
    headers = {"Content-Disposition": f'attachment; filename="clans-{slug}.json"'}
    return JsonResponse(seen.record(), headers=headers, json_dumps_params={"indent": 1})
