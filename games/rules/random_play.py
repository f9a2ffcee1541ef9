"""Random legal play, drawn without listing every move: for simulations, tests and measurements."""

from random import Random
from typing import Final

from .board import BOARD
from .errors import FoundingOrderError
from .move import MOVES, Move
from .moves import HEAVY, Step, founding_orders, legal_moves, play
from .position import Position
from .setup import Opening, set_up
from .stacks import CLAN_LETTERS
from .village import FiveClans

_INDEX: Final = BOARD.index
_MOVES: Final = list(MOVES.values())
_BOTH: Final = [1 << origin | 1 << target for origin, target in MOVES]
_TRIES: Final = 15


def random_move(position: Position, rng: Random) -> Move:
    """One of the legal moves, each as likely as the others, without founding order; IndexError when it is over.

    A few times a pair of neighbors is drawn and taken if it is legal, which early in a game it nearly always is;
    after that the legal moves are listed, which late in a game are few. Both draw evenly.
    """
    groups, stacks, count = position.groups, position.stacks, len(_MOVES)
    for _ in range(_TRIES if not position.end else 0):
        drawn = int(rng.random() * count)
        both = _BOTH[drawn]
        if groups & both == both:
            move = _MOVES[drawn]
            huts = stacks[_INDEX[move.origin]] % 63
            if huts < HEAVY or huts <= stacks[_INDEX[move.target]] % 63:
                return move
    return rng.choice(legal_moves(position))


def random_step(position: Position, rng: Random) -> Step:
    """A random legal move played, with a random founding order where one must be chosen."""
    move = random_move(position, rng)
    try:
        return play(position, move)
    except FoundingOrderError:
        return play(position, move._replace(order=rng.choice(founding_orders(position, move))))


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
    huts = "".join("".join(rng.sample(CLAN_LETTERS, len(CLAN_LETTERS))) for _ in range(len(BOARD.names) // 5))
    return Opening(huts, seats, rng.randrange(seats), five_clans)
