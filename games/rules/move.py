"""A move as a tiny value with a text form (rules 9.2)."""

import re
from typing import Final, NamedTuple

from .board import BOARD
from .errors import InvalidMove, gettext_noop

_FORM: Final = re.compile(r"([A-L][1-5])-([A-L][1-5])(?:=([A-L][1-5](?:,[A-L][1-5])*))?", re.ASCII)


class Move(NamedTuple):
    """All huts of `origin` go to `target`; `order` names the villages in founding order, where that was chosen.

    A value only: whether it is allowed depends on the position. `str(move)` is `C4-D1` or `C4-D1=B5,D1`.
    """

    origin: str
    target: str
    order: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Move":
        """The move of a text such as `c4-d1=b5,d1`, in either case; raises InvalidMove."""
        form = _FORM.fullmatch(text.strip().upper())
        if form is None:
            template = gettext_noop("%(text)s is no move. A move is written like C4-D1, or C4-D1=B5,D1.")
            raise InvalidMove("not-a-move", template, text=repr(text[:40]))
        origin, target, order = form.groups()
        return cls(origin, target, tuple(order.split(",")) if order else ())

    def __str__(self) -> str:
        order = "=" + ",".join(self.order) if self.order else ""
        return f"{self.origin}-{self.target}{order}"


#: Every move between two neighbors, without founding order, by origin and target; so that each exists only once.
MOVES: Final = {
    (origin, target): Move(BOARD.names[origin], BOARD.names[target])
    for origin, targets in enumerate(BOARD.neighbors)
    for target in targets
}
