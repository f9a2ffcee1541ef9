"""A game as it stood at one ply, and its record: public things only, until the game is over."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import pov, words
from games.pages.access import game_of, look_at, viewer_of
from games.pages.table import board, choices, moves, side
from games.pages.table.long_lists import list_territories


@require_safe
def ply(request: HttpRequest, slug: str, ply: int) -> HttpResponse:
    """The game when `ply` moves had been played, with the last of them in words; 404 beyond the last."""
    _game, seen, position = look_at(slug, ply, viewer=viewer_of(request))
    to_move = None if position.over else position.to_move
    contents = words.tell_board(position, seen.seats, [move.step for move in seen.moves])
    about = {
        "pov": seen,
        "board": board.draw_ply(seen, position, contents=contents),
        "last": choices.last_sentences(seen),
        "at": seen.moves[-1].at if seen.moves else seen.started_at,
        "opening": _("Before the first move."),
        "plies": _plies(seen),
        "territories": list_territories(seen.ruleset.board, contents, is_told=True),
        "moves": moves.places(seen.ruleset.board),
        "result": words.say_result(seen),
    }
    return render(request, "games/replay.html", about | side.about_position(seen, position, to_move=to_move))


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
