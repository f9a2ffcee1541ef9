"""The maps: 60 territories each, what grows on them and which of them touch (rules 1.1 to 1.3 and 9)."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .epochs import Terrain

#: Territories of a map, and of each of its 12 regions (rules 1.1).
TERRITORIES: Final = 60
REGION_SIZE: Final = 5


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A map. Each territory is named by the letter of its region and a digit, A1 to L5 on the first map, and numbered
    from 0 to 59 in the order of the names (rules 9.1); every tuple here goes by that number, and bit n of a mask stands
    for territory n."""

    id: str
    names: tuple[str, ...]
    index: dict[str, int]
    regions: tuple[str, ...]
    terrains: tuple[Terrain, ...]
    neighbors: tuple[tuple[int, ...], ...]
    neighbor_masks: tuple[int, ...]

    def __repr__(self) -> str:
        return f"<Board {self.id}>"

    @property
    def example(self) -> tuple[str, str]:
        """How a move and a founding order are written here, between any territories: `C4-D1` and `B5,D1`."""
        return f"{self.names[13]}-{self.names[15]}", f"{self.names[9]},{self.names[15]}"

    def terrain_of(self, territory: str) -> Terrain:
        """What grows on the territory of that name."""
        return self.terrains[self.index[territory]]

    def neighbors_of(self, territory: str) -> tuple[str, ...]:
        """The names of the territories that touch the one of that name, in alphabetical order."""
        return self.list_names(self.neighbors[self.index[territory]])

    def list_names(self, numbers: Collection[int]) -> tuple[str, ...]:
        """The names of some territories."""
        return tuple([self.names[number] for number in numbers])


def read_board(data: dict[str, Any]) -> Board:
    """The map of a `clans-board/1` object; what it must look like is tested, not checked at every start."""
    territories = sorted(data["territories"], key=lambda territory: str(territory["id"]))
    index = {territory["id"]: number for number, territory in enumerate(territories)}
    neighbors = tuple(tuple(sorted(index[name] for name in territory["neighbors"])) for territory in territories)
    return Board(
        id=data["id"],
        names=tuple(index),
        index=index,
        regions=tuple(territory["region"] for territory in territories),
        terrains=tuple(territory["terrain"] for territory in territories),
        neighbors=neighbors,
        neighbor_masks=tuple(sum(1 << n for n in around) for around in neighbors),
    )


def _read_all(folder: Path) -> dict[str, Board]:
    boards = [read_board(json.loads(file.read_text(encoding="utf-8"))) for file in sorted(folder.glob("*.json"))]
    return {board.id: board for board in boards}


#: The maps that can be played on, by id: each file in `boards/` is one (docs/contributing.md).
BOARDS: Final = _read_all(Path(__file__).with_name("boards"))
