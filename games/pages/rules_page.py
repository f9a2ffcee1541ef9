"""The rules in plain words, with every worked example to play; its numbers are computed by the rules themselves."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import rules, words
from games.drawing import draw_sprite
from games.pages import margin
from games.pages.plates import MAKERS, all_plates, plate_of


@require_safe
def rules_page(request: HttpRequest) -> HttpResponse:
    """The same for everybody. `?try=two-ways&move=A3-A2` tries a move on that plate; with `&part=1` the answer is the
    plate alone, for the script that swaps it."""
    key, move = request.GET.get("try", ""), request.GET.get("move", "")
    if key in MAKERS and "part" in request.GET:
        return render(request, "games/_plate.html", {"plate": plate_of(key, move)})
    about = {
        "epochs": margin.epoch_rows(rules.Position.parse("seats=2"), is_played=False),
        "plates": all_plates(key, move),
        "sprite": draw_sprite(),
        "terrains": {terrain: words.name_terrain(terrain) for terrain in rules.TERRAINS},
        "clans": {clan: words.name_clan(clan) for clan in rules.CLANS},
    }
    return render(request, "games/rules.html", about)
