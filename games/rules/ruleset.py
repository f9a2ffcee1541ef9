"""What a game is played by: a map and a version of the rules, as one value that every position carries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from operator import itemgetter, or_
from typing import Any, Final, NamedTuple

from .board import BOARDS, Board
from .errors import UnknownRuleset, gettext_noop
from .move import Move
from .versions import VERSIONS, Version

FORMAT: Final = "clans-board/1"


class Border(NamedTuple):
    """A way over a border: numbers of origin and target, the mask of `both`, and the origin's neighbors, each with the
    mask of what lies around it: one of them can come to stand alone."""

    origin: int
    target: int
    both: int
    beyond: tuple[tuple[int, int], ...]


class Targets(dict[int, tuple[Move, ...]]):
    """The moves out of one territory, by the mask of its neighbors that hold huts; filled as they are met."""

    def __init__(self, board: Board, origin: int) -> None:
        self.by_target = {n: Move(board.names[origin], board.names[n]) for n in board.neighbors[origin]}

    def __missing__(self, mask: int) -> tuple[Move, ...]:
        moves = tuple(move for n, move in self.by_target.items() if mask >> n & 1)
        self[mask] = moves
        return moves


#: A territory with the mask of its neighbors and the moves out of it.
Row = tuple[int, int, Targets]


@dataclass(frozen=True, eq=False)
class Ruleset:
    """A map and a version of the rules. There is one of each pair (`find_ruleset`), so that comparing two costs
    nothing; what the functions of the rules look up again and again is laid out here once."""

    board: Board
    version: Version

    def __repr__(self) -> str:
        return f"<Ruleset {self.board.id} {self.version.number}>"

    def __reduce__(self) -> tuple[object, tuple[str, int]]:
        return find_ruleset, (self.board.id, self.version.number)

    def export(self) -> dict[str, Any]:
        """The map and the epoch chart as a `clans-board/1` object."""
        board = self.board
        territories = zip(board.names, board.regions, board.terrains, strict=True)
        return {
            "format": FORMAT,
            "id": board.id,
            "territories": [
                {"id": name, "region": region, "terrain": terrain, "neighbors": list(board.neighbors_of(name))}
                for name, region, terrain in territories
            ],
            "epochs": self.version.export_epochs(),
        }

    @cached_property
    def borders(self) -> Mapping[Move, Border]:
        """Each way over a border, by its move without an order."""
        board = self.board
        beyond = [tuple((n, board.neighbor_masks[n]) for n in around) for around in board.neighbors]
        return {
            Move(board.names[origin], board.names[target]): Border(
                origin, target, 1 << origin | 1 << target, beyond[origin]
            )
            for origin, targets in enumerate(board.neighbors)
            for target in targets
        }

    @cached_property
    def moves(self) -> Sequence[Move]:
        """All moves that any position can allow, without orders; `pairs` has the masks of their territories."""
        return tuple(self.borders)

    @cached_property
    def pairs(self) -> Sequence[int]:
        return tuple(border.both for border in self.borders.values())

    @cached_property
    def rows_of_ten(self) -> Sequence[Sequence[Sequence[Row]]]:
        """The rows of ten neighboring numbers at a time, by which of the ten are wanted."""
        masks = self.board.neighbor_masks
        rows = [(origin, mask, Targets(self.board, origin)) for origin, mask in enumerate(masks)]
        return [
            [tuple(rows[start + n] for n in range(10) if wanted >> n & 1) for wanted in range(1 << 10)]
            for start in range(0, len(rows), 10)
        ]

    @cached_property
    def neighborhoods(self) -> Mapping[str, tuple[int, itemgetter[Any]]]:
        """By territory the mask of its neighbors and theirs, and what gets its stack and those of its neighbors."""
        masks, names = self.board.neighbor_masks, self.board.names
        return {
            names[number]: (reduce(or_, [masks[n] for n in around], masks[number]), itemgetter(number, *around))
            for number, around in enumerate(self.board.neighbors)
        }

    @cached_property
    def chip_effects(self) -> Sequence[Sequence[tuple[int, int, bool]]]:
        """Epoch, bonus and whether it is doomed, by chip number (from 0) and territory."""
        return [
            [
                (epoch.number, epoch.bonus if terrain in epoch.favorable else 0, terrain in epoch.unfavorable)
                for terrain in self.board.terrains
            ]
            for epoch in self.version.chip_epochs
        ]


def find_ruleset(board: str, version: int) -> Ruleset:
    """The ruleset of a map's id and a version's number. Raises UnknownRuleset."""
    if board not in BOARDS:
        template = gettext_noop("There is no map called %(board)s here, only %(known)s.")
        raise UnknownRuleset("board", template, board=board, known=", ".join(BOARDS))
    if version not in VERSIONS:
        template = gettext_noop("There is no version %(version)s of the rules here.")
        raise UnknownRuleset("version", template, version=version)
    return _only_one(BOARDS[board], VERSIONS[version])


def standard_ruleset(board: str) -> Ruleset:
    """The ruleset by which new games on the map of that id are played. Raises UnknownRuleset."""
    return find_ruleset(board, STANDARD.version.number)


@cache
def _only_one(board: Board, version: Version) -> Ruleset:
    """Never evicted, because rulesets are compared by identity."""
    return Ruleset(board, version)


#: What a game is played by where nobody says otherwise.
STANDARD: Final = find_ruleset("atlas-1", 1)
