"""Computer players do not prove their card (issue 11, section 1), and lose little by that."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from games import bots
from games.bots.lookahead import move_worths
from games.rules import CLANS, FIVE_CLANS, Move, Position, play, random_game, random_opening, set_up, standings
from tests.bots.observer import choose_by_card, computed_once, hits
from tests.rules.scenes import position as position_of, row

WIDEST = 100.0
"""So much less likely than another may a move make a clan."""


def some_positions() -> Iterator[Position]:
    for seed in range(6):
        rng = Random(seed)
        opening = random_opening(rng, seats=2 + seed % 3, five_clans=FIVE_CLANS[seed % 2])
        yield from [step.position for step in random_game(opening, rng)[:-1]][::8]


def test_it_gives_every_move_a_chance_for_every_clan() -> None:
    for position in some_positions():
        chances = bots.move_chances(position)
        assert [*chances] == [*move_worths(position)]
        for of_clan in zip(*chances.values(), strict=True):
            assert sum(of_clan) == pytest.approx(1)


def test_it_never_rules_out_a_clan() -> None:
    for position in some_positions():
        for by_clan in bots.move_chances(position).values():
            assert 0 < max(by_clan) <= WIDEST * min(by_clan)


def test_it_chooses_as_often_as_the_chances_say() -> None:
    """400 draws for each clan: off by 5 standard deviations at most"""
    position = position_of(dict(zip(row(3), ("rr", "rk", "bby"), strict=True)))
    chances = bots.move_chances(position)
    rng = Random(5)
    for number, clan in enumerate(CLANS):
        drawn = [choose_by_card(position, clan, rng) for _time in range(400)]
        for move, by_clan in chances.items():
            assert abs(drawn.count(move) - 400 * by_clan[number]) <= 5 * (400 * by_clan[number]) ** 0.5


def test_it_says_nothing_of_a_game_that_is_over() -> None:
    rng = Random(1)
    assert bots.move_chances(random_game(random_opening(rng, seats=2), rng)[-1].position) == {}


def test_it_hides_its_card_in_a_few_games() -> None:
    """9 games; who always plays the best move is known in 25 of the 27 seats"""
    right = sum(3 * seats * hits(3, seats=seats, choose=choose_by_card) for seats in (2, 3, 4))
    assert right <= 0.8 * 27


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_hides_its_card(seats: int) -> None:
    """300 games; who always played the best move would be known in 99, 95 and 90 % of the seats"""
    assert hits(100, seats=seats, choose=choose_by_card) <= 0.8


def best_move(position: Position, clan: str, rng: Random) -> Move:
    """The player of before, who hid nothing: the best move, by lot among equal ones."""
    worths = {move: worth[CLANS.index(clan)] for move, worth in move_worths(position).items()}
    best = max(worths.values())
    return rng.choice([move for move, worth in worths.items() if worth == best])


def points_against_best(seed: int) -> float:
    """1 for a duel that it wins alone against `best_move`, half for a tie; odd seeds give it the second seat."""
    rng, me = Random(seed), seed % 2
    position, clans = set_up(random_opening(rng, seats=2)), rng.sample(CLANS, 2)
    with computed_once():
        while not position.over:
            choose = choose_by_card if position.to_move == me else best_move
            position = play(position, choose(position, clans[position.to_move], rng)).position
    won = [standing.won for standing in standings(position, clans)]
    return won[me] / sum(won)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("chunk", range(2))
def test_it_loses_little_by_hiding(chunk: int) -> None:
    """In 300 duels at least 45 % of the wins"""
    assert sum(points_against_best(seed) for seed in range(150 * chunk, 150 * chunk + 150)) >= 0.45 * 150
