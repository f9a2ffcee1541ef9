"""What the epoch chart is made of (rules 1.5); the chart itself belongs to a version of the rules (`versions.py`)."""

from typing import Final, Literal, NamedTuple

Terrain = Literal["forest", "mountain", "steppe", "grassland"]

TERRAINS: Final[tuple[Terrain, ...]] = ("forest", "mountain", "steppe", "grassland")

#: Village chips on the chart, in every version of the rules.
CHIPS: Final = 12


class Epoch(NamedTuple):
    """One row of the epoch chart: its number 1 to 5, how many village chips lie on it, the terrains it is good and
    bad for, and the bonus that a village on favorable terrain gets."""

    number: int
    chips: int
    favorable: tuple[Terrain, ...]
    unfavorable: tuple[Terrain, ...]
    bonus: int
