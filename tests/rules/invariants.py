"""What must hold of every position and every step, whatever is played (rules 7.5)."""

from collections.abc import Sequence
from itertools import permutations

from games.rules import CLANS, STANDARD, Counts, Move, Position, Step, founding_orders, legal_moves
from games.rules.stacks import unpack


def check_position(position: Position) -> None:
    """A move is legal exactly while two neighbors hold huts and a chip is left; nobody stands alone but villages."""
    villages = {STANDARD.board.index[village.territory] for village in position.villages}
    holding = {n for n, stack in enumerate(position.stacks) if stack}
    loose = holding - villages
    touching = [n for n in loose if holding.intersection(STANDARD.board.neighbors[n])]
    moves = legal_moves(position)
    assert len(position.villages) == len(villages) <= 12
    assert position.over == (not moves) == (len(villages) == 12 or not touching)
    assert position.end == ("" if moves else "villages" if len(villages) == 12 else "no-moves")
    assert len(touching) == len(loose) or len(villages) == 12
    assert not any(holding.intersection(STANDARD.board.neighbors[n]) for n in villages)
    assert position.groups == sum(1 << n for n in loose)
    assert sum(position.chips) == len(villages) == 12 - position.chips_left
    assert position.scores == scores(position)
    if len(villages) == 12:
        assert position.ply <= 48
    assert position.to_move == (position.first + position.ply) % position.seats


def scores(position: Position) -> Counts:
    """The scores as the sum over the villages (rules 5.6)."""
    red, blue, green, yellow, black = [
        sum(village.value for village in position.villages if clan in village.scored) for clan in CLANS
    ]
    return (red, blue, green, yellow, black)


def check_huts(position: Position) -> None:
    """Each clan's 12 huts are on the board, but for those that strife and doom took (rules 1.4, 5.2 and 5.4)."""
    on_board = [sum(counts) for counts in zip(*map(unpack, position.stacks), strict=True)]
    for number, clan in enumerate(CLANS):
        strife = sum(clan in village.strife for village in position.villages)
        doom = sum(village.after[number] for village in position.villages if village.doomed)
        assert on_board[number] + strife + doom == 12


def check_step(before: Position, step: Step) -> None:
    """A move empties its origin and nothing else but doomed or torn villages; what was a village stays as it was."""
    after, origin, target = (
        step.position,
        STANDARD.board.index[step.move.origin],
        STANDARD.board.index[step.move.target],
    )
    founded = [STANDARD.board.index[village.territory] for village in step.villages]
    pairs = enumerate(zip(before.stacks, after.stacks, strict=True))
    changed = {n for n, (stack_before, stack_after) in pairs if stack_before != stack_after}
    assert {origin, target} - {*founded} <= changed <= {origin, target, *founded}
    assert after.stacks[origin] == 0
    assert all(before.stacks[n] for n in changed)
    assert after.villages == before.villages + step.villages
    assert (step.ply, step.seat, after.ply) == (before.ply, before.to_move, before.ply + 1)
    assert (after.seats, after.first, after.five_clans) == (before.seats, before.first, before.five_clans)
    gained = [now - then for now, then in zip(after.chips, before.chips, strict=True)]
    assert gained == [len(founded) if seat == step.seat else 0 for seat in range(after.seats)]
    assert step.move.order in ((), tuple(village.territory for village in step.villages))


def check_order(before: Position, step: Step) -> None:
    """A founding order stands in the step exactly if there was a choice."""
    plain = step.move._replace(order=())
    assert bool(founding_orders(before, plain)) == bool(step.move.order)


def check_text(step: Step) -> None:
    """Moves and positions read back what they wrote."""
    assert Position.parse(str(step.position)) == step.position
    assert Move.parse(str(step.move), STANDARD.board) == step.move


def all_pairs() -> Sequence[Move]:
    """Every pair of territories, of which only neighbors could ever be a move."""
    return [Move(origin, target) for origin, target in permutations(STANDARD.board.names, 2)]
