"""A computer player draws its move, so that nobody can read its clan from what it plays.

Whoever always plays the best move of a clan shows that clan within a few moves. The chances here give away as little
as possible for the points that they cost: the rate-distortion function of information theory, computed by the
algorithm of Blahut and Arimoto.
"""

import random
from collections.abc import Sequence
from math import exp
from typing import Final

from games.bots.lookahead import move_worths
from games.rules import CLANS, Move, Position

#: How many points less make a move e times less likely.
_TEMPERATURE: Final = 0.9
#: This part of the moves is drawn as if the clan had been drawn by lot, so that no move rules out a clan.
_FREE: Final = 1 / 20
#: More rounds change next to nothing.
_ROUNDS: Final = 6


def choose_move(position: Position, *, seat: int, clan: str, rng: random.Random) -> Move:
    """A legal move, with its founding order where one is needed, for the seat that is to move and holds `clan`.

    `rng` draws it by the `move_chances`; it costs about 5 ms of CPU, at most 0.1 s. It remembers nothing, and does
    not guess from the moves of others which clans they hold. Raises ValueError when it is not the seat's turn, also
    because the game is over.
    """
    if position.over or seat != position.to_move:
        raise ValueError(f"it is not the turn of seat {seat}")
    chances, number = move_chances(position), CLANS.index(clan)
    return rng.choices([*chances], [by_clan[number] for by_clan in chances.values()])[0]


def move_chances(position: Position) -> dict[Move, tuple[float, ...]]:
    """How likely the player to move chooses each legal move, by the clan that it may hold, in the order of `CLANS`;
    empty when the game is over.

    Moves are likely that are good for the clan and for many others, too. Whatever the move, it makes no clan more than
    100 times less likely than another. Costs as much as `choose_move`.
    """
    worths = move_worths(position)
    chances = _hide([*zip(*worths.values(), strict=True)])
    return dict(zip(worths, zip(*chances, strict=True), strict=True))


def _hide(worths: Sequence[Sequence[float]]) -> list[list[float]]:
    """The chances of the moves for each clan, of their worths for each clan.

    A move's chance is its share among all clans, times e for each `_TEMPERATURE` of points that it is worth more. The
    share is again the average of the chances, so rounds of computing the one from the other approach both.
    """
    appeals = [_appeals(of_clan) for of_clan in worths]
    chances: list[list[float]] = []
    shares = [1.0] * len(appeals[0]) if appeals else []
    for _round in range(_ROUNDS):
        chances = [
            _as_chances([appeal * share for appeal, share in zip(of_clan, shares, strict=True)]) for of_clan in appeals
        ]
        shares = [sum(of_move) / len(CLANS) for of_move in zip(*chances, strict=True)]
    return [
        [(1 - _FREE) * chance + _FREE * share for chance, share in zip(of_clan, shares, strict=True)]
        for of_clan in chances
    ]


def _appeals(worths: Sequence[float]) -> list[float]:
    """How much more likely each move is than others, as far as its worth goes; 1 for the best."""
    best = max(worths)
    return [exp((worth - best) / _TEMPERATURE) for worth in worths]


def _as_chances(weights: Sequence[float]) -> list[float]:
    """Numbers in the same proportion that add up to 1."""
    total = sum(weights)
    return [weight / total for weight in weights]
