"""A line of moves that somebody tries out: what stands in an address and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from django.utils.translation import gettext as _

from games import rules, words
from games.pages.table.draft import NOTHING_CHOSEN, Draft, in_notation, weigh

MOST_MOVES = 60
"""No game is longer (rules 7.5)."""
LONGEST = 2000
"""The most letters of a line that are read; 60 moves with all their founding orders have fewer."""

_ORDER: Final = r"=[^\s,;]+(?:\s*,\s*[A-Z]\d(?!\w|\s*[-\u2013\u2014]|\s+to\s))*"
"""A founding order: it goes on until a name that begins the next move."""
_MOVE: Final = re.compile(rf"[\s,;]*(?P<move>[^\s,;=]+{_ORDER}|[^\s,;]+)[\s,;]*(?P<rest>.*)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Line:
    """Moves tried one after the other from a position, as far as they go."""

    start: rules.Position
    steps: tuple[rules.Step, ...] = ()
    refusal: str = ""
    """Why the line stops there; empty if all of it was read, or all except the founding order of the last move."""
    unread: str = ""
    """The rest of the text, from where it was refused."""
    draft: Draft = NOTHING_CHOSEN
    """The move before which it stopped, if only its founding order is still to be chosen."""

    @property
    def position(self) -> rules.Position:
        return self.steps[-1].position if self.steps else self.start

    @property
    def text(self) -> str:
        return join_moves(self.steps)


def join_moves(steps: Sequence[rules.Step]) -> str:
    """The moves of some steps as they stand in an address: `C4-D1,D1-E2=E2,F1,A1-A2`."""
    return ",".join(str(step.move) for step in steps)


def read_line(text: str, start: rules.Position, *, added: str = "") -> Line:
    """The line of a text and of what is `added` to it, until the first move that cannot be read or played. Never
    raises; plays at most 60 moves."""
    steps: list[rules.Step] = []
    position = start
    moves = chain(split_moves(text[:LONGEST]), split_moves(added[:LONGEST]))
    for written in moves:
        if len(steps) == MOST_MOVES:
            refusal = _("A line has at most %(moves)d moves.") % {"moves": MOST_MOVES}
            return Line(start, tuple(steps), refusal, ",".join((written, *moves)))
        try:
            steps.append(rules.play(position, rules.Move.parse(written, start.ruleset.board)))
        except rules.ClansError as error:
            return _stopped(Line(start, tuple(steps)), error, written, rest=tuple(moves))
        position = steps[-1].position
    is_cut = text[LONGEST:] or added[LONGEST:]
    return Line(start, tuple(steps), _("The line was too long to be read to its end.") if is_cut else "")


def split_moves(text: str) -> Iterator[str]:
    """The moves of a text, parted by commas or spaces, each in notation as far as it can be read."""
    rest = text
    while found := _MOVE.match(in_notation(rest)):
        yield "".join(found["move"].split())
        rest = found["rest"]


def _stopped(line: Line, error: rules.ClansError, written: str, *, rest: Sequence[str]) -> Line:
    """The line that stops before what was `written`. If that is the last move and lacks only its founding order, only
    this is asked."""
    draft = _order_to_choose(error, line.position)
    if draft.orders and "=" not in written and not rest:
        return replace(line, draft=draft)
    places = {"number": line.position.ply + 1, "why": words.explain_error(error)}
    refusal = _("The line stops before move %(number)d. %(why)s") % places
    return replace(line, refusal=refusal, unread=",".join((written, *rest)), draft=draft)


def _order_to_choose(error: rules.ClansError, position: rules.Position) -> Draft:
    """The founding orders of the move that has none, or a wrong one."""
    if not isinstance(error, rules.FoundingOrderError):
        return NOTHING_CHOSEN
    draft = weigh(error.move._replace(order=()), position)
    return draft if draft.orders else NOTHING_CHOSEN
