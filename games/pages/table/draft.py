"""A move that a player is thinking about: what stands in the address of the table page and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from games import rules, words

MOST_ORDERS = 24
"""Founding orders that are offered as buttons; any other can be written, as in C4-D1=B5,D1."""

BETWEEN = r"^([A-Z]\d)(?:\s*(?:[-=]+>|[-\u2013\u2014\u2192])|\s+to\s)?\s*(?=[A-Z]\d)"
"""What people write between origin and target, in any case: `C4D1`, `C4 D1`, `C4–D1`, `C4->D1`, `C4→D1` and `C4 to D1`,
too. Scripts read the same pattern."""

_BETWEEN = re.compile(BETWEEN, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft move: nothing, the origin, or origin and target; and what the rules say about it."""

    origin: str = ""
    target: str = ""
    order: tuple[str, ...] = ()
    refusal: str = ""
    """Why the rules refuse what was chosen; empty if they do not."""
    targets: tuple[rules.Step, ...] = ()
    """What the moves out of the chosen origin would do, each with its first founding order."""
    orders: tuple[rules.Step, ...] = ()
    """What the founding orders would do, if there is a choice."""
    step: rules.Step | None = None
    """What the chosen move would do; None until it is complete."""

    @property
    def is_complete(self) -> bool:
        """Whether only the confirmation (and a founding order) is missing."""
        return self.step is not None or bool(self.orders)

    @property
    def isolated(self) -> tuple[str, ...]:
        """The territories that would be villages, of which the founding order takes as many as there are chips."""
        return tuple(sorted({village.territory for step in self.orders for village in step.villages}))

    @property
    def text(self) -> str:
        """The draft in notation, as far as it goes."""
        if not self.target:
            return self.origin
        return str(rules.Move(self.origin, self.target, self.order))


NOTHING_CHOSEN: Final = Draft()


def read_draft(data: Mapping[str, str], position: rules.Position) -> Draft:
    """The draft of `from`, `to` and `order`, or of `move` in notation; never raises, whatever a player writes."""
    written = data.get("move", "").strip()
    if not written:
        order = tuple(name for name in _name(data.get("order")).split(",") if name)
        return weigh(rules.Move(_name(data.get("from")), _name(data.get("to")), order), position)
    written = in_notation(written)
    try:
        return weigh(rules.Move.parse(written, position.ruleset.board), position)
    except rules.InvalidMove as error:
        if written.upper() in position.ruleset.board.index:
            return weigh(rules.Move(written.upper(), ""), position)
        return Draft(refusal=words.explain_error(error))


def in_notation(written: str) -> str:
    """The text with the move that it begins with in notation. Anything else stays as it is."""
    return _BETWEEN.sub(r"\1-", written)


def weigh(move: rules.Move, position: rules.Position) -> Draft:
    """The draft of a move of which the target, or both, may be missing."""
    if not move.origin:
        return Draft()
    if not move.target:
        return _weigh_origin(move.origin, position)
    try:
        first, orders = rules.try_move(position, move)
        step = rules.play(position, move) if move.order else None if orders else first
    except rules.FoundingOrderError as error:
        draft = weigh(move._replace(order=()), position)
        return Draft(draft.origin, draft.target, refusal=words.explain_error(error), orders=draft.orders)
    except rules.IllegalMove as error:
        return _refuse(error, position)
    choices = tuple(rules.play(position, move._replace(order=order)) for order in orders[:MOST_ORDERS])
    return Draft(move.origin, move.target, move.order, orders=choices, step=step)


def _weigh_origin(origin: str, position: rules.Position) -> Draft:
    """The draft of an origin, with where its huts could go."""
    if origin not in position.ruleset.board.index:
        return _refuse(_reason(rules.Move(origin, origin), position), position)
    moves = [move for move in rules.legal_moves(position) if move.origin == origin]
    if not moves:
        return _refuse(_reason(_any_move_from(origin, position), position), position)
    return Draft(origin, targets=tuple(rules.try_move(position, move)[0] for move in moves))


def _any_move_from(origin: str, position: rules.Position) -> rules.Move:
    """The move whose refusal best explains why nothing can move out of `origin`: onto the most huts beside it."""
    return rules.Move(origin, max(position.ruleset.board.neighbors_of(origin), key=position.huts))


def _reason(move: rules.Move, position: rules.Position) -> rules.IllegalMove:
    try:
        rules.play(position, move)
    except rules.IllegalMove as error:
        return error
    raise AssertionError(f"{move} is legal")


def _refuse(error: rules.IllegalMove, position: rules.Position) -> Draft:
    """What is left of a draft that the rules refuse: its origin, if huts can move out of it."""
    origin = error.move.origin
    steps = tuple(rules.try_move(position, move)[0] for move in rules.legal_moves(position) if move.origin == origin)
    return Draft(origin if steps else "", refusal=words.explain_error(error), targets=steps)


def _name(text: str | None) -> str:
    return (text or "").strip().upper()
