"""Short ways of the cast lead to where the long ones do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.db import transaction

from games import play
from games.models import Game, Notice, Player
from tests.cast import AT, make_game, play_out, play_random
from tests.chance import CHANCE


def of_two(alice: Player, bob: Player, carol: Player) -> Game:
    return make_game(alice, bob, is_rated=True)


def with_a_computer_player(alice: Player, bob: Player, carol: Player) -> Game:
    return make_game(alice, bob, carol, bots=1, five_clans="nothing")


def resigned(alice: Player, bob: Player, carol: Player) -> Game:
    game = make_game(alice, bob, carol, is_public=False)
    play.resign(game, player=bob, at=AT)
    return game


def begun(alice: Player, bob: Player, carol: Player) -> Game:
    return play_random(make_game(alice, bob, carol, is_rated=True), 7)


@pytest.mark.parametrize("make", [of_two, with_a_computer_player, resigned, begun])
def test_a_game_played_out_is_as_one_played_move_by_move(
    alice: Player, bob: Player, carol: Player, make: Callable[..., Game]
) -> None:
    game = make(alice, bob, carol)
    assert rows_after(play_out, game) == rows_after(play_random, game)


def rows_after(way: Callable[..., Game], game: Game) -> dict[str, list[Any]]:
    """All rows of the database but the calls to turns; then it is as before."""
    with transaction.atomic():
        with CHANCE.stream("the game"):
            assert way(game, seed=3).is_over
        found = {model.__name__: list(model._default_manager.order_by("pk").values()) for model in apps.get_models()}
        transaction.set_rollback(True)
    told = [row for row in found["Notice"] if row["kind"] != Notice.Kind.TURN]
    return found | {"Notice": [row | {"id": None} for row in told]}
