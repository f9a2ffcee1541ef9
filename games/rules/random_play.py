"""Random legal play, drawn without listing every move: for simulations, tests and measurements."""

from random import Random
from typing import Final

from .board import BOARD
from .move import MOVES, Move
from .moves import Step, legal_moves, play
from .position import Position
from .setup import SHUFFLES, Opening, set_up
from .stacks import HEAVY
from .village import FiveClans

_INDEX: Final = BOARD.index
_MOVES: Final = list(MOVES.values())
_BOTH: Final = [1 << origin | 1 << target for origin, target in MOVES]
_CROWDED: Final = 14


def random_move(position: Position, rng: Random) -> Move:
    """One of the legal moves, each as likely as the others, without founding order; IndexError when it is over.

    While there are many groups, pairs of neighbors are drawn until one is a legal move, which early in a game nearly
    every pair is; later the few legal moves are listed.
    """
    groups, stacks = position.groups, position.stacks
    if position.end or groups.bit_count() < _CROWDED:
        return rng.choice(legal_moves(position))
    random, ways = rng.random, len(_MOVES)
    while True:
        drawn = int(random() * ways)
        both = _BOTH[drawn]
        if groups & both == both:
            move = _MOVES[drawn]
            huts = stacks[_INDEX[move.origin]] % 63
            if huts < HEAVY or huts <= stacks[_INDEX[move.target]] % 63:
                return move


def random_step(position: Position, rng: Random) -> Step:
    """A random legal move played, with a random founding order where one must be chosen."""
    return play(position, random_move(position, rng), choose=rng.choice)


def random_game(opening: Opening, rng: Random) -> list[Step]:
    """The steps of a whole game of random legal moves."""
    position = set_up(opening)
    steps = []
    while not position.end:
        step = random_step(position, rng)
        position = step.position
        steps.append(step)
    return steps


def random_opening(rng: Random, *, seats: int, five_clans: FiveClans = "score") -> Opening:
    """A shuffled opening (rules 2.1 and 2.3) that needs no fair deal."""
    huts = "".join([rng.choice(SHUFFLES) for _ in {*BOARD.regions}])
    return Opening(huts, seats, rng.randrange(seats), five_clans)
