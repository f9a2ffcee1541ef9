"""The versions of the rules. A game is played to its end, and folded for ever, by the version that it began with.

To change a rule, add a version here and leave the old ones as they are (docs/contributing.md).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from .epochs import CHIPS, TERRAINS, Epoch
from .stacks import CLANS, Clan, Counts

#: What strife leaves of a group that becomes a village, and the clans that lost huts: none where there is no strife.
StrifeRule = Callable[[Counts], tuple[Counts, tuple[Clan, ...]]]


@dataclass(frozen=True, slots=True, eq=False)
class Version:
    """What may differ from one version of the rules to another: the five rows of the epoch chart (rules 1.5), with 12
    chips in all; from how many huts on a group can only move onto a group at least as large (rules 3.2 and 3.3); and
    what strife takes (rules 5.2). Raises ValueError for a chart with other rows or chips."""

    number: int
    epochs: tuple[Epoch, ...]
    heavy: int
    apply_strife: StrifeRule

    def __post_init__(self) -> None:
        if [epoch.number for epoch in self.epochs] != [1, 2, 3, 4, 5] or len(self.chip_epochs) != CHIPS:
            raise ValueError(f"version {self.number} has not five epochs with {CHIPS} chips")

    @property
    def chip_epochs(self) -> tuple[Epoch, ...]:
        """The epoch of each of the 12 chips, in the order in which they are taken (rules 4.2)."""
        return tuple(epoch for epoch in self.epochs for _ in range(epoch.chips))

    def export_epochs(self) -> list[dict[str, Any]]:
        """The rows of the epoch chart as a `clans-board/1` object has them."""
        return [
            {
                "chips": epoch.chips,
                "favorable": list(epoch.favorable),
                "unfavorable": list(epoch.unfavorable),
                "bonus": epoch.bonus,
            }
            for epoch in self.epochs
        ]


def lose_single_huts(before: Counts) -> tuple[Counts, tuple[Clan, ...]]:
    """If all five clans have huts, each that has a single one loses it (rules 5.2)."""
    if 0 in before or 1 not in before:
        return before, ()
    red, blue, green, yellow, black = [0 if count == 1 else count for count in before]
    lost = tuple([clan for clan, count in zip(CLANS, before, strict=True) if count == 1])
    return (red, blue, green, yellow, black), lost


#: By number.
VERSIONS: Final[dict[int, Version]] = {
    1: Version(
        number=1,
        epochs=(
            Epoch(1, chips=4, favorable=("forest",), unfavorable=("mountain",), bonus=1),
            Epoch(2, chips=3, favorable=("mountain",), unfavorable=("grassland",), bonus=2),
            Epoch(3, chips=2, favorable=("steppe",), unfavorable=("forest",), bonus=3),
            Epoch(4, chips=2, favorable=("grassland",), unfavorable=("steppe",), bonus=4),
            Epoch(5, chips=1, favorable=TERRAINS, unfavorable=(), bonus=5),
        ),
        heavy=7,
        apply_strife=lose_single_huts,
    )
}
