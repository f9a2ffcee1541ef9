"""The epoch chart (rules 1.5), kept as data."""

from typing import Final, Literal, NamedTuple

Terrain = Literal["forest", "mountain", "steppe", "grassland"]

TERRAINS: Final[tuple[Terrain, ...]] = ("forest", "mountain", "steppe", "grassland")


class Epoch(NamedTuple):
    """One row of the epoch chart: its number 1 to 5, how many village chips lie on it, the terrains it is good and
    bad for, and the bonus that a village on favorable terrain gets."""

    number: int
    chips: int
    favorable: tuple[Terrain, ...]
    unfavorable: tuple[Terrain, ...]
    bonus: int


EPOCHS: Final[tuple[Epoch, ...]] = (
    Epoch(1, chips=4, favorable=("forest",), unfavorable=("mountain",), bonus=1),
    Epoch(2, chips=3, favorable=("mountain",), unfavorable=("grassland",), bonus=2),
    Epoch(3, chips=2, favorable=("steppe",), unfavorable=("forest",), bonus=3),
    Epoch(4, chips=2, favorable=("grassland",), unfavorable=("steppe",), bonus=4),
    Epoch(5, chips=1, favorable=TERRAINS, unfavorable=(), bonus=5),
)

CHIPS: Final = sum(epoch.chips for epoch in EPOCHS)

#: The epoch of each of the 12 chips, in the order in which they are taken (rules 4.2).
CHIP_EPOCHS: Final[tuple[Epoch, ...]] = tuple(epoch for epoch in EPOCHS for _ in range(epoch.chips))
