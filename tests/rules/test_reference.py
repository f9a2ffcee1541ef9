"""The rules against the slow reference, which was written from the rules text alone."""

import random
from random import Random

import pytest

from games.rules import (
    FIVE_CLANS,
    STANDARD,
    founding_orders,
    legal_moves,
    play,
    random_opening,
    random_step,
    set_up,
    simulate,
)
from tests.rules import reference
from tests.rules.reference import Reference


def test_it_agrees_with_the_reference_on_whole_games() -> None:
    """rules 1 to 7; new seeds in every run"""
    seed = random.getrandbits(32)
    board = STANDARD.export()
    for number in range(90):
        try:
            reference.check(board, simulate(number, seed=seed))
        except AssertionError as error:
            error.add_note(f"in simulated game {number} of seed {seed}")
            raise


@pytest.mark.parametrize("number", range(6))
def test_it_agrees_with_the_reference_on_every_move_and_order(number: int) -> None:
    """rules 3, 4.4 and 4.5: not only on the moves that were played"""
    rng = Random(number)
    opening = random_opening(rng, seats=2 + number % 3, five_clans=FIVE_CLANS[number % 2])
    position = set_up(opening)
    game = Reference(STANDARD.export(), opening.huts, opening.seats, opening.first, opening.five_clans)
    while not position.over:
        assert [(move.origin, move.target) for move in legal_moves(position)] == game.legal_moves()
        for move in legal_moves(position):
            orders = founding_orders(position, move)
            expected = game.orders(move.origin, move.target)
            assert {*orders} <= expected if orders else len(expected) == 1
            assert len(orders) != 1
        step = random_step(position, rng)
        game.play(step.move.origin, step.move.target, tuple(village.territory for village in step.villages))
        position = step.position
        assert game.scores == dict(zip(game.scores, position.scores, strict=True))
        assert list(position.chips) == game.chips
        assert game.end() == position.end


@pytest.mark.parametrize("number", range(3))
def test_it_scores_every_order_as_the_reference_does(number: int) -> None:
    """rules 4.4 and 5"""
    rng = Random(100 + number)
    opening = random_opening(rng, seats=2)
    position = set_up(opening)
    game = Reference(STANDARD.export(), opening.huts, 2, opening.first, "score")
    while not position.over:
        for move in legal_moves(position):
            for order in founding_orders(position, move):
                scores = play(position, move._replace(order=order)).position.scores
                twin = game.copy().play(move.origin, move.target, order)
                assert tuple(twin.scores.values()) == scores
        step = random_step(position, rng)
        game.play(step.move.origin, step.move.target, tuple(village.territory for village in step.villages))
        position = step.position
