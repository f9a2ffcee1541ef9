"""Thousands of random games, checked at every step."""

import random
from collections import Counter
from random import Random

import pytest

from games.rules import (
    FIVE_CLANS,
    STANDARD,
    IllegalMove,
    Position,
    founding_origins,
    legal_moves,
    play,
    random_game,
    random_move,
    random_opening,
    random_step,
    set_up,
)
from tests.rules.invariants import all_pairs, check_huts, check_order, check_position, check_step, check_text
from tests.rules.openings import opening

CHUNKS = 8
SEEDS = 2000 // CHUNKS


def game(seed: int) -> list[Position]:
    """The positions of the random game of a seed, checked as they come."""
    rng = Random(seed)
    position = set_up(random_opening(rng, seats=2 + seed % 3, five_clans=FIVE_CLANS[seed % 2]))
    positions = [position]
    while not position.over:
        step = random_step(position, rng)
        check_step(position, step)
        if step.villages:
            assert step.move._replace(order=()) in legal_moves(position)
            check_order(position, step)
            check_huts(step.position)
            check_position(step.position)
        if step.ply % 9 == 0 or step.position.over:
            check_text(step)
        position = step.position
        positions.append(position)
    return positions


def test_it_tells_by_its_origin_whether_a_move_founds_a_village() -> None:
    """rules 4.1"""
    rng = Random(7)
    for seats in (2, 3, 4):
        for step in random_game(random_opening(rng, seats=seats), rng):
            moves = {move: play(step.position, move, choose=rng.choice) for move in legal_moves(step.position)}
            origins = founding_origins(step.position)
            assert {move for move in moves if move.origin in origins} == {
                move for move, played in moves.items() if played.villages
            }


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_it_keeps_the_invariants_in_random_games(chunk: int) -> None:
    """rules 7.5 and 1 to 7 at large; new seeds in every run"""
    start = random.getrandbits(32) + chunk
    for seed in range(start, start + SEEDS * CHUNKS, CHUNKS):
        try:
            positions = game(seed)
        except Exception as error:
            error.add_note(f"in the random game of seed {seed}")
            raise
        assert len(positions) > 12


def test_it_refuses_exactly_the_moves_that_it_does_not_list() -> None:
    """rules 3"""
    for position in game(11)[::6]:
        legal = {*legal_moves(position)}
        for move in all_pairs():
            if move not in legal:
                with pytest.raises(IllegalMove):
                    play(position, move)


@pytest.mark.parametrize("plies", [0, 12, 24, 32, 36, 39])
def test_it_draws_each_legal_move_equally_often(plies: int) -> None:
    """By a chi-squared test, from full boards to nearly empty ones; the seed is fixed, so that it never just happens"""
    rng = Random(plies)
    position = random_game(opening(seed=3), rng)[plies - 1].position if plies else set_up(opening(seed=3))
    legal = legal_moves(position)
    each = 60
    drawn = Counter(random_move(position, rng) for _ in range(each * len(legal)))
    assert {*drawn} == {*legal}
    chi_squared = sum((count - each) ** 2 / each for count in drawn.values())
    freedom = len(legal) - 1
    assert chi_squared < freedom + 3 * (2 * freedom) ** 0.5


def test_it_draws_no_move_once_the_game_is_over() -> None:
    """rules 7"""
    with pytest.raises(IndexError):
        random_move(game(1)[-1], Random(1))


def test_it_plays_the_same_game_for_the_same_seed() -> None:
    games = [random_game(opening(seed=2), Random(9)) for _ in range(2)]
    assert games[0] == games[1]
    assert games[0] != random_game(opening(seed=2), Random(10))


def test_it_reaches_most_of_the_map() -> None:
    """A guard for the random play itself: villages arise everywhere"""
    founded = {village.territory for seed in range(120) for village in game(seed)[-1].villages}
    assert len(founded) > 0.9 * len(STANDARD.board.names)
