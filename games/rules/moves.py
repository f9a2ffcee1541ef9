"""The verbs of the rules: list the legal moves of a position, play one, fold a game from its moves (rules 3 and 4)."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from .board import BOARD
from .founding import choices, founding_order, isolated
from .move import MOVES, Move
from .position import Position, add_scores, ending
from .refusals import refusal
from .setup import Opening, set_up
from .village import Village, settle

#: From this many huts on, a group can only move onto a group at least as large (rules 3.2 and 3.3).
HEAVY: Final = 7


class Step(NamedTuple):
    """A move with what came of it: the move as it is recorded (with an order only if there was a choice), the `seat`
    that made it, the `ply` before it, the villages it founded in founding order, and the position after it."""

    move: Move
    seat: int
    ply: int
    villages: tuple[Village, ...]
    position: Position


class _Targets(dict[int, tuple[Move, ...]]):
    """The moves out of one territory, by the mask of its neighbors that hold huts; filled as they are met."""

    def __init__(self, origin: int) -> None:
        self.origin = origin

    def __missing__(self, mask: int) -> tuple[Move, ...]:
        moves = tuple(MOVES[self.origin, n] for n in BOARD.neighbors[self.origin] if mask >> n & 1)
        self[mask] = moves
        return moves


_INDEX: Final = BOARD.index
_MASKS: Final = BOARD.neighbor_masks
_TARGETS: Final = [_Targets(origin) for origin in range(len(BOARD.names))]


def legal_moves(position: Position) -> list[Move]:
    """Every legal pair of origin and target, without founding orders, in alphabetical order; `[]` once it is over."""
    if position.end:
        return []
    occupied, stacks = position.occupied, position.stacks
    moves: list[Move] = []
    for stack, mask, targets in zip(stacks, _MASKS, _TARGETS, strict=True):
        if not stack:
            continue
        huts = stack % 63
        if huts < HEAVY:
            moves += targets[occupied & mask]
        else:
            moves += [move for move in targets[occupied & mask] if huts <= stacks[_INDEX[move.target]] % 63]
    return moves


def founding_orders(position: Position, move: Move) -> tuple[tuple[str, ...], ...]:
    """The founding orders that the mover may choose from, the alphabetical one first; `()` when nobody needs to be
    asked (rules 4.4 and 4.5). Orders that put the same villages into the same epochs are listed once, but `play` takes
    each of them. Raises IllegalMove."""
    stacks, _, founded = _walk(position, move)
    if len(founded) < 2:
        return ()
    return tuple(tuple(BOARD.names[n] for n in order) for order in choices(position, stacks, founded))


def play(position: Position, move: Move) -> Step:
    """The step that a move makes. Raises IllegalMove, or FoundingOrderError where `move.order` is needed or wrong."""
    stacks, occupied, founded = _walk(position, move)
    seats, first, five_clans, ply, _, _, scores, chips, villages, _ = position
    seat = (first + ply) % seats
    if not founded and not move.order:
        after = Position(seats, first, five_clans, ply + 1, tuple(stacks), occupied, scores, chips, villages, "")
        return Step(move, seat, ply, (), after)
    order, chosen = founding_order(position, stacks, founded, move)
    new = tuple(
        settle(n, stacks[n], number=number, founder=seat, five_clans=five_clans)
        for number, n in enumerate(order, start=len(villages) + 1)
    )
    for n, village in zip(order, new, strict=True):
        stacks[n] = village.left
        if not village.left:
            occupied ^= 1 << n
    after = Position(
        seats,
        first,
        five_clans,
        ply + 1,
        tuple(stacks),
        occupied,
        add_scores(scores, new),
        (*chips[:seat], chips[seat] + len(new), *chips[seat + 1 :]),
        villages + new,
        ending(occupied, villages + new),
    )
    return Step(move if chosen else move._replace(order=()), seat, ply, new, after)


def fold(opening: Opening, moves: Iterable[Move]) -> list[Step]:
    """The steps of a game, from its opening and its moves. Raises IllegalMove where a move is not allowed."""
    position = set_up(opening)
    steps = []
    for move in moves:
        step = play(position, move)
        position = step.position
        steps.append(step)
    return steps


def _walk(position: Position, move: Move) -> tuple[list[int], int, list[int]]:
    """The stacks and the mask of occupied territories once the huts have walked, and the territories that now stand
    alone, alphabetically. Raises IllegalMove."""
    occupied, stacks = position.occupied, list(position.stacks)
    origin, target = _INDEX.get(move.origin), _INDEX.get(move.target)
    if origin is None or target is None or position.end or not _MASKS[origin] >> target & 1:
        raise refusal(position, move)
    walking, waiting = stacks[origin], stacks[target]
    if not walking or not waiting or HEAVY <= walking % 63 > waiting % 63:
        raise refusal(position, move)
    stacks[target] = walking + waiting
    stacks[origin] = 0
    occupied ^= 1 << origin
    return stacks, occupied, isolated(origin, occupied)
