"""The map: 60 territories, what grows on them and which of them touch (rules 1.1 to 1.3 and 9)."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .epochs import EPOCHS, Terrain

FORMAT: Final = "clans-board/1"


@dataclass(frozen=True, slots=True)
class Board:
    """A map. Territories are numbered 0 to 59 in the order of their names, A1 to L5 (rules 9.1); every tuple here
    goes by that number, and bit n of a mask stands for territory n."""

    id: str
    names: tuple[str, ...]
    index: dict[str, int]
    regions: tuple[str, ...]
    terrains: tuple[Terrain, ...]
    neighbors: tuple[tuple[int, ...], ...]
    neighbor_masks: tuple[int, ...]

    def export(self) -> dict[str, Any]:
        """The map and the epoch chart as a `clans-board/1` object."""
        territories = zip(self.names, self.regions, self.terrains, self.neighbors, strict=True)
        return {
            "format": FORMAT,
            "id": self.id,
            "territories": [
                {"id": name, "region": region, "terrain": terrain, "neighbors": [self.names[n] for n in neighbors]}
                for name, region, terrain, neighbors in territories
            ],
            "epochs": [
                {
                    "chips": epoch.chips,
                    "favorable": list(epoch.favorable),
                    "unfavorable": list(epoch.unfavorable),
                    "bonus": epoch.bonus,
                }
                for epoch in EPOCHS
            ],
        }


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


BOARD: Final = read_board(json.loads(Path(__file__).with_name("board.json").read_text(encoding="utf-8")))
