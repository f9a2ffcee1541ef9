"""Random legal play, drawn without listing every move: for simulations, tests and measurements."""

from random import Random
from typing import Final

from .move import Move
from .moves import Step, legal_moves, play
from .position import Position
from .ruleset import STANDARD, Ruleset
from .setup import REGIONS, SHUFFLES, Opening, set_up
from .stacks import SIZE_MODULUS
from .village import FiveClans

_CROWDED: Final = 14


def random_move(position: Position, rng: Random) -> Move:
    """One of the legal moves, each as likely as the others, without founding order; IndexError when it is over.

    While there are many groups, pairs of neighbors are drawn until one is a legal move, which early in a game nearly
    every pair is; later the few legal moves are listed.
    """
    groups, stacks = position.groups, position.stacks
    if position.end or groups.bit_count() < _CROWDED:
        return rng.choice(legal_moves(position))
    ruleset = position.ruleset
    index, heavy, pairs, random = ruleset.board.index, ruleset.version.heavy, ruleset.pairs, rng.random
    ways = len(pairs)
    while True:
        drawn = int(random() * ways)
        both = pairs[drawn]
        if groups & both == both:
            move = ruleset.moves[drawn]
            huts = stacks[index[move.origin]] % SIZE_MODULUS
            if huts < heavy or huts <= stacks[index[move.target]] % SIZE_MODULUS:
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


def random_opening(rng: Random, *, seats: int, five_clans: FiveClans = "score", ruleset: Ruleset = STANDARD) -> Opening:
    """A shuffled opening (rules 2.1 and 2.3) that needs no fair deal."""
    huts = "".join([rng.choice(SHUFFLES) for _ in range(REGIONS)])
    return Opening(huts, seats, rng.randrange(seats), five_clans, ruleset)
