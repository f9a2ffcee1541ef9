"""Moves as brush strokes that bend round the names of territories."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from games.drawing.outlines import MapOutlines

FOOTPRINT: Final = (
    '<g class="footprint"><ellipse cx="-6" cy="3" rx="4" ry="7"/><ellipse cx="7" cy="-4" rx="4" ry="7"/></g>'
)
BENDS: Final = (0.12, -0.12, 0.24, -0.24, 0.36, -0.36, 0.5, -0.5, 0.65, -0.65, 0.85, -0.85)
"""How far a stroke may be led to its left, in parts of the way, best first."""
HEAD: Final = ((18, 15), (12, 10), (6, 5), (0, 1))
"""Half of the width of the head of a stroke, so far before its tip."""
BARBS: Final = ((14, 6.3), (18, 15), (0, 0), (18, -14), (14, -6.2))
"""The outline of the head from left to right: how far before the tip, and how far to the left."""
LETTERS: Final = (14, 8)
"""Half of the width and height of a name as it is written on a phone."""
LOOKS: Final = 12
"""In so many places along a stroke it is compared with the names."""
NEAR: Final = 25
"""How far beyond the ends of a stroke a name may stand that it could cover."""
LEAVE, SHORT_OF = 17, 0.95
"""A stroke begins so far from the middle of one place, and ends so many times its radius from that of the other."""

Spot = tuple[float, float]


def draw_arrow(outlines: MapOutlines, origin: str, target: str, number: int = 0) -> str:
    """One brush stroke from the emptied place, marked by a footprint or its `number`, to the target."""
    (x, y), path = outlines.territories[origin].huts, _stroke(outlines, origin, target, leave=22 if number else LEAVE)
    mark = f'<circle r="19"/><text y="9.500">{number}</text>' if number else FOOTPRINT
    kind = "last-move is-numbered" if number else "last-move"
    return f'<g class="{kind}"><path d="{path}"/><g transform="translate({x} {y})">{mark}</g></g>'


def _stroke(outlines: MapOutlines, origin: str, target: str, *, leave: int) -> str:
    """The outline of a stroke: along its left side to the tip, and back along its right side."""
    start, end = outlines.territories[origin], outlines.territories[target]
    bend = bend_round_names(outlines, origin, target)
    tip = end.radius * SHORT_OF
    outline = (
        _beside(start.huts, bend, leave, -2.2),
        _beside(bend, end.huts, 0, -6),
        *(_beside(end.huts, bend, tip + back, aside) for back, aside in BARBS),
        _beside(bend, end.huts, 0, 5),
        _beside(start.huts, bend, leave, 2.2),
    )
    spots = [f"{x:.0f} {y:.0f}" for x, y in outline]
    return f"M{spots[0]}Q{spots[1]} {spots[2]}L{spots[3]} {spots[4]} {spots[5]} {spots[6]}Q{spots[7]} {spots[8]}z"


@lru_cache(maxsize=1024)
def bend_round_names(outlines: MapOutlines, origin: str, target: str) -> Spot:
    """The spot toward which a stroke leaves and from which it arrives: such that it crosses no name, else as little as
    can be. The map alone decides, so the spot of each pair of neighbors is found once."""
    start, end = outlines.territories[origin], outlines.territories[target]
    (x, y), (to_x, to_y) = start.huts, end.huts
    middle, near = ((x + to_x) / 2, (y + to_y) / 2), math.dist(start.huts, end.huts) / 2 + NEAR
    names = [land.label for land in outlines.territories.values() if math.dist(land.label, middle) < near]
    bends = [(middle[0] + bend * (to_y - y), middle[1] - bend * (to_x - x)) for bend in BENDS]

    def crossed(bend: Spot) -> float:
        places = list(_along(start.huts, bend, end.huts, end.radius * SHORT_OF))
        return sum(max(0, *[_depth(place, wide, name) for place, wide in places]) for name in names)

    return next((bend for bend in bends if not crossed(bend)), None) or min(bends, key=crossed)


def _along(start: Spot, bend: Spot, end: Spot, tip: float) -> Iterator[tuple[Spot, float]]:
    """Places on the middle of a stroke, and half of its width there."""
    (x, y), (to_x, to_y) = _beside(start, bend, LEAVE, 0), _beside(end, bend, tip + 14, 0)
    for look in range(LOOKS + 1):
        part = look / LOOKS
        first, second, third = (1 - part) ** 2, 2 * part * (1 - part), part**2
        yield (first * x + second * bend[0] + third * to_x, first * y + second * bend[1] + third * to_y), 2.5 + 4 * part
    yield from ((_beside(end, bend, tip + back, 0), wide) for back, wide in HEAD)


def _depth(place: Spot, wide: float, name: Spot) -> float:
    """How deep a stroke that is `wide` to both sides reaches into the letters of a name."""
    aside, below = abs(place[0] - name[0]), abs(place[1] - name[1])
    return min(LETTERS[0] - aside, LETTERS[1] - below) + wide


def _beside(place: Spot, toward: Spot, along: float, aside: float) -> Spot:
    """A spot so far from a place toward another, and so far to the right of that way."""
    (x, y), (to_x, to_y) = place, toward
    way = math.dist(place, toward)
    ux, uy = (to_x - x) / way, (to_y - y) / way
    return x + along * ux - aside * uy, y + along * uy + aside * ux
