"""The rules in plain words, with every worked example to play; its numbers are computed by the rules themselves."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import rules, words
from games.drawing import draw_sprite
from games.pages.practice.example_boards import EXAMPLES, all_examples, example_board
from games.pages.table import side


@require_safe
def rules_page(request: HttpRequest) -> HttpResponse:
    """The same for everybody. `?try=two-ways&move=A3-A2` tries a move on that example; with `&part=1` the answer is the
    example alone, for the script that swaps it."""
    key, move = request.GET.get("try", ""), request.GET.get("move", "")
    if key in EXAMPLES and "part" in request.GET:
        return render(request, "games/_example.html", {"example": example_board(key, move)})
    about = {
        "epochs": side.epoch_rows(rules.STANDARD.version, rules.CHIPS, is_played=False),
        "examples": all_examples(key, move),
        "sprite": draw_sprite(),
        "terrains": {terrain: words.name_terrain(terrain) for terrain in rules.TERRAINS},
        "clans": {clan: words.name_clan(clan) for clan in rules.CLANS},
    }
    return render(request, "games/rules.html", about)
