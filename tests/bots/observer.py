"""An observer of computer players who has all code and sees every move, but no card."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import permutations
from math import exp, log
from random import Random

import pytest

from games import bots
from games.bots import chances, lookahead
from games.rules import CLANS, Move, Position, Step, play, random_opening, set_up

Choose = Callable[[Position, str, Random], Move]
"""Finds the move for the seat to move, which holds a clan."""


def choose_by_card(position: Position, clan: str, rng: Random) -> Move:
    """What a computer player does in a seat of its own."""
    return bots.choose_move(position, seat=position.to_move, clan=clan, rng=rng)


def watched_game(seed: int, *, seats: int, choose: Choose) -> tuple[Sequence[str], list[tuple[Position, Step]]]:
    """The cards by seat, and each position with the step made there."""
    rng = Random(seats << 32 | seed)
    position, cards = set_up(random_opening(rng, seats=seats)), rng.sample(CLANS, seats)
    seen: list[tuple[Position, Step]] = []
    while not position.over:
        step = play(position, choose(position, cards[position.to_move], rng))
        seen.append((position, step))
        position = step.position
    return cards, seen


def beliefs(seen: Iterable[tuple[Position, Step]], *, seats: int) -> list[list[float]]:
    """How likely each seat holds each clan: by the exact chances of the moves seen, and because all cards differ."""
    logs = [[0.0] * len(CLANS) for _seat in range(seats)]
    for position, step in seen:
        for clan, chance in enumerate(bots.move_chances(position)[step.move]):
            logs[step.seat][clan] += log(chance)
    deals = {deal: sum(map(list.__getitem__, logs, deal)) for deal in permutations(range(len(CLANS)), seats)}
    best = max(deals.values())
    weights = {deal: exp(likelihood - best) for deal, likelihood in deals.items()}
    total = sum(weights.values())
    return [
        [sum(weight for deal, weight in weights.items() if deal[seat] == clan) / total for clan in range(len(CLANS))]
        for seat in range(seats)
    ]


def hits(games: int, *, seats: int, choose: Choose) -> float:
    """In which part of the seats the observer's top guess is right at half of the game; of guesses that are equally
    likely one is drawn."""
    right = 0.0
    for seed in range(games):
        with computed_once():
            cards, seen = watched_game(seed, seats=seats, choose=choose)
            believed = beliefs(seen[: len(seen) // 2], seats=seats)
        right += sum(_share_right(of_seat, card) for of_seat, card in zip(believed, cards, strict=True))
    return right / (games * seats)


@contextmanager
def computed_once() -> Iterator[None]:
    """For one game. The chances at a position, which say nothing of a card, are those that its mover has computed; what
    the answers to a move bring is the same at the next position, where nothing has changed around them."""
    with pytest.MonkeyPatch.context() as patch:
        once = cache(chances.move_chances)
        for module in (bots, chances):
            patch.setattr(module, "move_chances", once)
        patch.setattr(lookahead, "_Answers", cache(lookahead._Answers))
        yield


def _share_right(believed: Sequence[float], card: str) -> float:
    top = [clan for clan, likely in zip(CLANS, believed, strict=True) if likely >= max(believed) - 1e-9]
    return (card in top) / len(top)
