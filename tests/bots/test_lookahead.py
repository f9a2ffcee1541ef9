"""The computer player (issue 2, section 4): legal, blind to secrets, and better than chance."""

import inspect
import time
from random import Random

import pytest

from games import bots
from games.bots.lookahead import _Answers, _steps, _worths, move_worths
from games.rules import (
    CLANS,
    FIVE_CLANS,
    STANDARD,
    Move,
    Position,
    founding_moves,
    founding_orders,
    legal_moves,
    play,
    random_game,
    random_opening,
    random_step,
    set_up,
    standings,
)
from tests.rules.scenes import position as position_of, row, scene


def positions(seed: int, *, every: int = 4) -> list[Position]:
    """Some positions of a random game, none of them its end."""
    rng = Random(seed)
    opening = random_opening(rng, seats=2 + seed % 3, five_clans=FIVE_CLANS[seed % 2])
    return [set_up(opening), *(step.position for step in random_game(opening, rng)[:-1])][::every]


def choose(position: Position, clan: str = "red", seed: int = 1) -> Move:
    return bots.choose_move(position, seat=position.to_move, clan=clan, rng=Random(seed))


def favorite(position: Position, clan: str) -> Move:
    """What it would most like to play."""
    chances = bots.move_chances(position)
    return max(chances, key=lambda move: chances[move][CLANS.index(clan)])


@pytest.mark.parametrize("seed", range(6))
def test_it_always_finds_a_legal_move_and_a_founding_order(seed: int) -> None:
    for number, position in enumerate(positions(seed)):
        move = choose(position, clan=CLANS[number % 5])
        assert move._replace(order=()) in legal_moves(position)
        assert play(position, move).move == move


@pytest.mark.parametrize("seed", range(4))
def test_it_chooses_the_same_for_the_same_chance(seed: int) -> None:
    for position in positions(seed, every=12):
        assert choose(position, seed=seed) == choose(position, seed=seed)


def test_it_draws_among_moves_that_look_equal() -> None:
    opening = positions(0)[0]
    assert len({choose(opening, seed=seed) for seed in range(8)}) > 1


def test_it_is_told_nothing_but_the_position_and_its_own_clan() -> None:
    assert [*inspect.signature(bots.choose_move).parameters] == ["position", "seat", "clan", "rng"]


def mountain_and_steppe() -> tuple[str, str]:
    """Two neighbors: what is founded on the first is doomed in epoch I, what is founded on the second is not."""
    return next(
        (STANDARD.board.names[a], STANDARD.board.names[b])
        for a, around in enumerate(STANDARD.board.neighbors)
        for b in around
        if (STANDARD.board.terrains[a], STANDARD.board.terrains[b]) == ("mountain", "steppe")
    )


def test_it_takes_the_points_of_its_clan() -> None:
    """rules 5.4"""
    doomed, good = mountain_and_steppe()
    position = position_of({doomed: "rr", good: "rk"})
    assert favorite(position, clan="red") == Move(doomed, good)


def test_it_denies_the_points_of_the_others() -> None:
    """rules 5.4"""
    doomed, good = mountain_and_steppe()
    position = position_of({doomed: "rr", good: "rk"})
    assert favorite(position, clan="blue") == Move(good, doomed)


def test_it_chooses_the_order_that_is_best_for_its_clan() -> None:
    """rules 8.4: the mountain's bonus is for epoch II, and the grassland is doomed there"""
    staged = scene(("mountain", "rr"), ("grassland", "kk"), taken=6, spare=False)
    mountain, grassland = staged.alone
    assert favorite(staged.position, clan="red").order == (mountain, grassland)
    assert favorite(staged.position, clan="blue").order == (grassland, mountain)


def test_it_does_not_give_the_next_player_what_it_can_keep() -> None:
    """Moving the end of a row inward leaves the rest for the next player to found; it takes the chip that it can."""
    a, b, c = row(3)
    position = position_of({a: "b", b: "b", c: "bb"})
    move = favorite(position, clan="red")
    step = play(position, move)
    assert step.villages or not founding_moves(step.position)


def test_it_moves_only_when_it_is_its_turn() -> None:
    a, b = row(2)
    position = position_of({a: "r", b: "k"})
    assert choose(position) in legal_moves(position)
    with pytest.raises(ValueError, match="not the turn of seat 1"):
        bots.choose_move(position, seat=1, clan="red", rng=Random(1))
    with pytest.raises(ValueError, match="not the turn"):
        choose(play(position, Move(a, b)).position)


@pytest.mark.parametrize("seed", range(3))
def test_it_knows_which_moves_found_villages(seed: int) -> None:
    for position in positions(seed):
        founding = []
        for move in legal_moves(position):
            order = next(iter(founding_orders(position, move)), ())
            if play(position, move._replace(order=order)).villages:
                founding.append(move)
        assert founding_moves(position) == founding


@pytest.mark.parametrize("chunk", range(4))
def test_it_clearly_beats_random_play(chunk: int) -> None:
    """In 24 games of two, from both seats; chance would win half of them"""
    won = sum(wins_against_chance(seed) for seed in range(6 * chunk, 6 * chunk + 6))
    assert won >= 5


def wins_against_chance(seed: int) -> bool:
    """Whether the computer player alone wins the game of a seed; odd seeds give it the second seat."""
    rng = Random(seed)
    position, clans, seat = set_up(random_opening(rng, seats=2)), rng.sample(CLANS, 2), seed % 2
    while not position.over:
        if position.to_move == seat:
            step = play(position, bots.choose_move(position, seat=seat, clan=clans[seat], rng=rng))
        else:
            step = random_step(position, rng)
        position = step.position
    return [standing.won for standing in standings(position, clans)] == [number == seat for number in (0, 1)]


def test_it_answers_in_well_under_a_second() -> None:
    """The worst of many positions, in CPU time (about 0.05 s)"""
    worst = 0.0
    for position in [position for seed in range(3) for position in positions(seed, every=8)]:
        start = time.process_time()
        choose(position)
        worst = max(worst, time.process_time() - start)
    assert worst < 0.75


@pytest.mark.parametrize("seed", range(3))
def test_it_finds_the_same_answers_as_for_each_move_alone(seed: int) -> None:
    """What it has found for the answers to one move it takes for those to others, where nothing near has changed."""
    for position in positions(seed):
        alone = {step.move: _worths(position, step, _Answers()) for step in _steps(position, legal_moves(position))}
        assert move_worths(position) == alone
