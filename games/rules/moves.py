"""What the rules do: list the legal moves of a position, play one, fold a game from its moves (rules 3 and 4)."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from .founding import Choose, Orders, founding_order
from .move import Move
from .position import Position, add_scores, ending
from .refusals import refusal
from .ruleset import Ruleset
from .setup import Opening, set_up
from .stacks import SIZE_MODULUS
from .village import FiveClans, Village, found_village


class Step(NamedTuple):
    """A move with what came of it: the move as it is recorded (with an order only if there was a choice), the `seat`
    that made it, the `ply` before it, the villages it founded in founding order, and the position after it."""

    move: Move
    seat: int
    ply: int
    villages: tuple[Village, ...]
    position: Position


#: Makes a named tuple of a tuple of its fields, in a third of the time that its constructor needs.
_new: Final = tuple.__new__


def legal_moves(position: Position) -> list[Move]:
    """Every legal pair of origin and target, without founding orders, in alphabetical order; `[]` once it is over."""
    return _moves_out_of(position, position.groups)


def founding_origins(position: Position) -> set[str]:
    """The territories that are the only occupied neighbor of some group: a move out of one of them founds a village
    (rules 4.1), and no other move does."""
    names, origins = position.ruleset.board.names, _founding_mask(position)
    return {name for number, name in enumerate(names) if origins >> number & 1}


def founding_moves(position: Position) -> list[Move]:
    """The legal moves that found a village, without founding orders, in alphabetical order."""
    return _moves_out_of(position, _founding_mask(position))


def _founding_mask(position: Position) -> int:
    """The `founding_origins` as a mask."""
    groups, origins = position.groups, 0
    for start, tens in enumerate(position.ruleset.rows_of_ten):
        for _origin, mask, _targets in tens[groups >> 10 * start & 1023]:
            beside = groups & mask
            # A mask of one bit.
            if not beside & beside - 1:
                origins |= beside
    return origins


def _moves_out_of(position: Position, origins: int) -> list[Move]:
    """The legal moves out of these groups, given as a mask."""
    if position.end:
        return []
    ruleset, groups, stacks = position.ruleset, position.groups, position.stacks
    index, heavy = ruleset.board.index, ruleset.version.heavy
    moves: list[Move] = []
    for start, tens in enumerate(ruleset.rows_of_ten):
        for origin, mask, targets in tens[origins >> 10 * start & 1023]:
            huts = stacks[origin] % SIZE_MODULUS
            if huts < heavy:
                moves += targets[groups & mask]
            else:
                moves += [move for move in targets[groups & mask] if huts <= stacks[index[move.target]] % SIZE_MODULUS]
    return moves


def founding_orders(position: Position, move: Move) -> Orders:
    """The founding orders that the mover may choose from, the alphabetical one first; `()` when nobody needs to be
    asked (rules 4.4 and 4.5). Orders that put the same villages into the same epochs are listed once, but `play` takes
    each of them. Raises IllegalMove."""
    return try_move(position, move)[1]


def try_move(position: Position, move: Move) -> tuple[Step, Orders]:
    """The step that a move makes by the first of its `founding_orders`, whatever its own order, and these. Raises
    IllegalMove."""
    listed: Orders = ()

    def choose(orders: Orders) -> tuple[str, ...]:
        nonlocal listed
        listed = orders
        return orders[0]

    step = play(position, Move(move.origin, move.target), choose=choose)
    return step, listed


def play(position: Position, move: Move, *, choose: Choose | None = None) -> Step:
    """The step that a move makes. Raises IllegalMove, or FoundingOrderError where `move.order` is needed or wrong.

    Where an order is needed and the move has none, `choose` may pick one of the `founding_orders`.
    """
    return _advance(position, (move,), choose)[0]


def fold(opening: Opening, moves: Iterable[Move]) -> list[Step]:
    """The steps of a game, from its opening and its moves. Raises IllegalMove where a move is not allowed."""
    return _advance(set_up(opening), moves, None)


def _advance(position: Position, moves: Iterable[Move], choose: Choose | None) -> list[Step]:
    """The steps of some moves in a row. It unpacks the position once, because most of its time goes into values."""
    ruleset, seats, first, five_clans, ply, before, groups, scores, chips, villages, end = position
    borders, heavy = ruleset.borders, ruleset.version.heavy
    stacks = list(before)
    steps = []
    for move in moves:
        border = borders.get(move if not move.order else Move(move.origin, move.target))
        if border is None or end:
            raise refusal(position, move)
        origin, target, both, beyond = border
        walking, waiting = stacks[origin], stacks[target]
        if groups & both != both or heavy <= walking % SIZE_MODULUS > waiting % SIZE_MODULUS:
            raise refusal(position, move)
        stacks[target] = walking + waiting
        stacks[origin] = 0
        groups ^= 1 << origin
        alone: tuple[int, ...] = ()
        for neighbor, around in beyond:
            if not groups & around and groups >> neighbor & 1:
                alone += (neighbor,)
        seat = (first + ply) % seats
        founded: tuple[Village, ...] = ()
        if alone or move.order:
            if len(alone) > 1 or move.order:
                alone, move = founding_order(position, stacks, alone, move, choose)
            founded = _found(ruleset, stacks, alone, number=len(villages) + 1, founder=seat, five_clans=five_clans)
            groups ^= sum([1 << n for n in alone])
            scores = add_scores(scores, founded)
            chips = (*chips[:seat], chips[seat] + len(founded), *chips[seat + 1 :])
            villages += founded
            end = ending(len(villages), groups != 0)
        fields = (ruleset, seats, first, five_clans, ply + 1, tuple(stacks), groups, scores, chips, villages, end)
        position = _new(Position, fields)
        steps.append(_new(Step, (move, seat, ply, founded, position)))
        ply += 1
    return steps


def _found(
    ruleset: Ruleset, stacks: list[int], order: Iterable[int], *, number: int, founder: int, five_clans: FiveClans
) -> tuple[Village, ...]:
    """The villages of some territories in founding order, from chip `number` on; takes lost huts off the stacks."""
    villages: tuple[Village, ...] = ()
    for n in order:
        chip = number + len(villages)
        village = found_village(ruleset, n, stacks[n], number=chip, founder=founder, five_clans=five_clans)
        if village.doomed or village.strife:
            stacks[n] = village.left
        villages += (village,)
    return villages
