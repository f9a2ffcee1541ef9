"""The maps, for programs that look for legal moves."""

from __future__ import annotations

import pytest

from games import rules
from games.models import Player
from tests.api.helpers import call, read, refuse
from tests.cast import make_game, play_random

pytestmark = pytest.mark.django_db


def test_a_program_finds_the_legal_moves_by_the_api_alone(alice: Player, bob: Player) -> None:
    """As somebody would write it who has the rules, but not this program."""
    game = play_random(make_game(alice, bob), 25)
    shown = read(f"games/{game.slug}")
    board = read(f"boards/{shown['board']}/{shown['rules']}")
    around = {one["id"]: one["neighbors"] for one in board["territories"]}
    huts = shown["state"]["huts"]
    expected = {(move.origin, move.target) for move in rules.legal_moves(game.position())}
    # Rules 3.1 to 3.3: a group moves to a neighbor with huts; one of 7 or more only onto one that is as large.
    found = {
        (origin, target)
        for origin, group in huts.items()
        for target in around[origin]
        if target in huts and (len(group) < 7 or len(huts[target]) >= len(group))
    }
    villages = {each["territory"] for each in shown["state"]["villages"]}
    assert {move for move in found if not villages & {*move}} == expected


def test_it_is_the_map_that_the_rules_have() -> None:
    answer = call("boards/atlas-1/1")
    assert answer.json() == rules.STANDARD.export()
    assert answer["Cache-Control"] == "max-age=86400"


@pytest.mark.parametrize("path", ["boards/nowhere/1", "boards/atlas-1/99", "boards/atlas-1/0", "boards/atlas-1"])
def test_it_knows_no_other(path: str) -> None:
    assert refuse(path, 404)["status"] == 404
