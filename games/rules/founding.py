"""Which villages a move founds, and in which orders its mover may found them (rules 4.4 and 4.5)."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Final

from .board import Board
from .epochs import CHIPS
from .errors import gettext_noop
from .move import FoundingOrderError, Move
from .position import Position
from .stacks import CLANS
from .village import found_village

Orders = tuple[tuple[str, ...], ...]

#: Picks one of the founding orders of a move.
Choose = Callable[[Orders], tuple[str, ...]]


def choices(position: Position, stacks: Sequence[int], founded: Sequence[int]) -> list[tuple[int, ...]]:
    """The founding orders to choose from, alphabetical first; empty when no choice could change any clan's score.

    Orders that put the same territories into the same epochs are one choice, and only the alphabetically first of
    them is listed: eight villages at once give at most 1,680 choices, not 40,320.
    """
    numbers = range(len(position.villages) + 1, CHIPS + 1)[: len(founded)]
    epochs = [position.ruleset.chip_effects[number - 1][0][0] for number in numbers]
    if epochs[0] == epochs[-1] and len(numbers) == len(founded):
        return []
    worth = {
        epoch: {n: _worth(position, n, stacks[n], number) for n in founded}
        for epoch, number in zip(epochs, numbers, strict=True)
    }
    orders = list(_orders(founded, [epochs.count(epoch) for epoch in worth]))
    gains = {sum([worth[epoch][n] for epoch, n in zip(epochs, order, strict=True)]) for order in orders}
    return orders if len(gains) > 1 else []


def _orders(founded: Sequence[int], sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every way to fill epochs that have so many chips left, each epoch in alphabetical order."""
    if len(sizes) == 1:
        yield from combinations(founded, sizes[0])
        return
    for chosen in combinations(founded, sizes[0]):
        rest = [n for n in founded if n not in chosen]
        for others in _orders(rest, sizes[1:]):
            yield chosen + others


#: A point for each clan, in ten bits a clan, so that what clans gain adds up: eight villages stay below 1,024.
_POINT: Final = {clan: 1 << 10 * number for number, clan in enumerate(CLANS)}


def _worth(position: Position, territory: int, stack: int, number: int) -> int:
    """What a village gives to the five clans, as one number."""
    village = found_village(
        position.ruleset, territory, stack, number=number, founder=0, five_clans=position.five_clans
    )
    return village.value * sum([_POINT[clan] for clan in village.scored])


def founding_order(
    position: Position, stacks: Sequence[int], founded: tuple[int, ...], move: Move, choose: Choose | None
) -> tuple[tuple[int, ...], Move]:
    """The territories that take the chips, in founding order, and the move as it is recorded: with an order only if
    there was a choice. Raises FoundingOrderError where `move.order` is missing though it matters, or is wrong."""
    board = position.ruleset.board
    orders = choices(position, stacks, founded) if len(founded) > 1 else []
    if orders and choose and not move.order:
        move = move._replace(order=choose(tuple([board.list_names(order) for order in orders])))
    if orders:
        _check_order(position, move, founded)
        return tuple([board.index[name] for name in move.order]), move
    first = founded[: position.chips_left]
    if not move.order:
        return first, move
    _check_order(position, move, founded)
    if {*move.order} != {*board.list_names(first)}:
        template = gettext_noop("The order of %(move)s changes no score, so the chips are for %(villages)s.")
        raise _refused("order-without-choice", template, move, villages=_listed(board, first))
    return first, move._replace(order=())


def _listed(board: Board, territories: Sequence[int]) -> str:
    return ", ".join(board.list_names(territories))


def _check_order(position: Position, move: Move, founded: Sequence[int]) -> None:
    """Raise FoundingOrderError unless the order names as many of the founded territories as there are chips."""
    board, order, wanted = position.ruleset.board, move.order, min(len(founded), position.chips_left)
    for number, territory in enumerate(order):
        if board.index.get(territory) not in founded:
            template = gettext_noop("%(territory)s is in the founding order, but %(move)s founds no village there.")
            raise _refused("order-founds-nothing", template, move, territory=territory)
        if territory in order[:number]:
            template = gettext_noop("%(territory)s is twice in the founding order of %(move)s.")
            raise _refused("order-twice", template, move, territory=territory)
    if len(order) > wanted:
        template = gettext_noop("The founding order of %(move)s is too long. Village chips left: %(chips)s.")
        raise _refused("order-too-long", template, move, rule="4.5", chips=wanted)
    if not order and wanted < len(founded):
        template = gettext_noop(
            "%(move)s leaves several groups alone: %(villages)s. Village chips left: %(chips)s."
            " Say which groups take the chips, and in which order."
        )
        raise _refused("order-missing", template, move, rule="4.5", villages=_listed(board, founded), chips=wanted)
    if not order:
        template = gettext_noop("%(move)s founds several villages (%(villages)s): say in which order.")
        raise _refused("order-missing", template, move, villages=_listed(board, founded))
    if len(order) < wanted:
        template = gettext_noop(
            "The founding order of %(move)s is incomplete: it must name %(wanted)s of these: %(villages)s."
        )
        raise _refused("order-incomplete", template, move, villages=_listed(board, founded), wanted=wanted)


def _refused(
    code: str, template: str, move: Move, *, territory: str = "", rule: str = "4.4", **params: str | int
) -> FoundingOrderError:
    return FoundingOrderError(code, template, move=move, territory=territory or move.target, rule=rule, **params)
