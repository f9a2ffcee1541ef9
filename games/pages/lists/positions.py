"""Positions and opening moves that one may look for in the archive, as they stand in an address."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from django.core.exceptions import ValidationError
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _, gettext_lazy

from games import rules
from games.models import OPENING_PLIES, Game
from games.words.errors import explain_error

NO_POSITION: Final = gettext_lazy("There is no such move of a game.")
_PLACE: Final = re.compile(r"([a-z0-9]{1,26})-(\d{1,2})", re.ASCII)
_MOVE: Final = re.compile(r"([A-Z]\d)(?:\s*[-\u2013\u2014]\s*|\s+to\s+|\s*)([A-Z]\d)(?!\d)", re.IGNORECASE | re.ASCII)
_TO_FOLD: Final = ("name", "board", "rules", "huts", "size", "first", "five_clans")
"""The columns of a table by which its moves are folded."""
_ANY_HUTS: Final = rules.CLAN_LETTERS * 12
"""Huts to try opening moves with: of each clan one in every region."""


@dataclass(frozen=True, slots=True)
class Place:
    """The position of a game after some moves, and these."""

    name: str
    ply: int
    key: int
    moves: tuple[str, ...]

    def __str__(self) -> str:
        return _("%(name)s, move %(ply)d") % {"name": self.name, "ply": self.ply}

    @property
    def opening(self) -> str:
        """The moves, as one looks for games that began with them; empty before the first and after too many."""
        return " ".join(self.moves) if len(self.moves) <= OPENING_PLIES else ""


def read_place(text: str, tables: QuerySet[Game]) -> Place:
    """The position that `SLUG-12` names, of one of these tables that has started. One query. Raises ValidationError."""
    match = _PLACE.fullmatch(text)
    slug, ply = (match[1], int(match[2])) if match else ("", 0)
    # The table once for each of its moves.
    found = tables.filter(slug=slug).only(*_TO_FOLD).annotate(move=F("moves__text")).order_by("moves__ply")
    rows = list(found[: max(ply, 1)])
    moves = [vars(row)["move"] for row in rows if ply]
    if not rows or rows[0].first is None or len(moves) < ply or None in moves:
        raise ValidationError(NO_POSITION, code="unknown")
    game = rows[0]
    steps = rules.fold(game.opening(), [rules.Move.parse(move, game.ruleset.board) for move in moves])
    position = steps[-1].position if steps else rules.set_up(game.opening())
    played = tuple(f"{step.move.origin}-{step.move.target}" for step in steps)
    return Place(game.name, ply, rules.position_key(position), played)


def read_opening(text: str) -> list[int]:
    """The shapes of the positions after opening moves such as `B2-B3, C4-C5`, one for each map on which they can be
    made. Raises ValidationError."""
    moves = [f"{origin}-{target}" for origin, target in _MOVE.findall(text)]
    if _MOVE.sub("", text).strip(" ,;") or len(moves) > OPENING_PLIES:
        said = _("Write at most %(most)d moves, such as B2-B3, with commas between them.") % {"most": OPENING_PLIES}
        raise ValidationError(said, code="unread")
    shapes, refused = [], ""
    for board in rules.BOARDS:
        try:
            shapes.append(_shape_after(moves, rules.standard_ruleset(board)))
        except rules.ClansError as error:
            refused = refused or explain_error(error)
    if not shapes:
        raise ValidationError(refused, code="illegal")
    return shapes


def _shape_after(moves: list[str], ruleset: rules.Ruleset) -> int:
    position = rules.set_up(rules.Opening(_ANY_HUTS, 2, 0, ruleset=ruleset))
    for text in moves:
        position = rules.play(position, rules.Move.parse(text, ruleset.board), choose=lambda orders: orders[0]).position
    return rules.shape_key(position)
