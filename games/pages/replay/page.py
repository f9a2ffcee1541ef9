"""A game as it stood at one ply, and its record: public things only, until the game is over."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import pov
from games.pages.access import game_of, look_at, viewer_of
from games.pages.table.one_ply import about_ply


@require_safe
def ply(request: HttpRequest, slug: str, ply: int) -> HttpResponse:
    """The game when `ply` moves had been played, with the last of them in words; 404 beyond the last."""
    _game, seen, position = look_at(slug, ply, viewer=viewer_of(request))
    return render(request, "games/replay.html", about_ply(seen, position))


@require_safe
def record(request: HttpRequest, slug: str) -> HttpResponse:
    """The record of a game that is over, as a file to download; 404 before."""
    game = game_of(slug)
    if not game.is_over:
        raise Http404(_("The record of a game is there once the game is over."))
    seen = pov.look(game, viewer=None)
    headers = {"Content-Disposition": f'attachment; filename="clans-{slug}.json"'}
    return JsonResponse(seen.record(), headers=headers, json_dumps_params={"indent": 1})
