"""A move as a tiny value with a text form (rules 9.2), and the errors that say why one is not allowed."""

import re
from typing import Final, NamedTuple

from .board import Board
from .errors import ClansError, InvalidMove, gettext_noop, quotable

_FORM: Final = re.compile(r"([A-Z][0-9])-([A-Z][0-9])(?:=([A-Z][0-9](?:,[A-Z][0-9])*))?", re.ASCII)


class Move(NamedTuple):
    """All huts of `origin` go to `target`; `order` names the villages in founding order, where that was chosen.

    A value only: whether it is allowed depends on the position. `str(move)` is `C4-D1` or `C4-D1=B5,D1`.
    """

    origin: str
    target: str
    order: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str, board: Board) -> "Move":
        """The move of a text such as `c4-d1=b5,d1`, in either case, between territories of `board`; raises
        InvalidMove."""
        form = _FORM.fullmatch(text.strip().upper())
        if form:
            origin, target, listed = form.groups()
            named = tuple(listed.split(",")) if listed else ()
            if origin in board.index and target in board.index and all(name in board.index for name in named):
                return cls(origin, target, named)
        template = gettext_noop("“%(text)s” is no move. A move is written like %(example)s, or %(example)s=%(order)s.")
        example, order = board.example
        raise InvalidMove("not-a-move", template, text=quotable(text, 40), example=example, order=order)

    def __str__(self) -> str:
        order = "=" + ",".join(self.order) if self.order else ""
        return f"{self.origin}-{self.target}{order}"


class IllegalMove(ClansError):
    """A move that is not allowed here: `move`, the `territory` that forbids it and the section of the rules, `rule`."""

    def __init__(self, code: str, template: str, *, move: Move, territory: str, rule: str, **params: str | int) -> None:
        super().__init__(code, template, move=f"{move.origin}-{move.target}", territory=territory, **params)
        self.move = move
        self.territory = territory
        self.rule = rule


class FoundingOrderError(IllegalMove):
    """A founding order that is missing, incomplete or wrong; the move itself would be allowed (rules 4.4 and 4.5)."""
