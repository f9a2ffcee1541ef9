"""Groups as a phone shows them: each clan's count on a counter of its color, cut in the shape of its mark.

The map is a third of its size there: of a hut with a number beside it neither could be read.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from games import rules

HALF: Final = 11
"""Half of the height of a counter; board.css writes its figures nearly as high as a counter is."""
BASE: Final = 10
"""How far below the middle of a counter the base line of its figures is."""
REACH: Final = {
    "red": (6, 11, 6),
    "blue": (7.5, 10, 12.5),
    "green": (10, 10, 10),
    "yellow": (7, 13, 7),
    "black": (9, 12, 9),
}
"""Half of the width of a counter with one figure at its top, in its middle and at its foot."""
SECOND: Final = 5
"""What a second figure adds to that."""
GAP: Final = 2.5
ROWS: Final = {
    1: ((1,),),
    2: ((2,), (1, 1)),
    3: ((1, 2), (2, 1)),
    4: ((2, 2), (1, 2, 1)),
    5: ((1, 2, 2), (2, 2, 1), (2, 1, 2), (2, 3), (3, 2)),
}
LARGEST: Final = 1.45

Spot = tuple[float, float]
ClanHuts = tuple[str, int]
"""A clan, and how many huts it has."""
Shape = tuple[str, int]
"""What a counter looks like: its clan, and how many figures its number has."""


def _outline(clan: str, more: int) -> str:
    """A circle, a house, a square, a diamond or a cross, made wider by `more` on both sides."""
    return {
        "red": f"M{-more} -11H{more}A11 11 0 0 1 {more} 11H{-more}A11 11 0 0 1 {-more} -11z",
        "blue": f"M{-more - 7.5} -11H{more + 7.5}L{more + 12.5} 11H{-more - 12.5}z",
        "green": f"M{-more - 10} -11H{more + 10}V11H{-more - 10}z",
        "yellow": f"M{-more - 7} -11H{more + 7}l6 11-6 11H{-more - 7}l-6-11z",
        "black": f"M{-more - 8} -11H{more + 8}v4h4V7h-4v4H{-more - 8}V7h-4V-7h4z",
    }[clan]


def _symbol(clan: str, figures: int) -> str:
    line = _outline(clan, SECOND * (figures - 1))
    rim, body = f'<path class="hut-rim" d="{line}"/>', f'<path class="hut-roof roof-{clan}" d="{line}"/>'
    return f'<g id="n{figures}-{clan}">{rim}{body}</g>'


SYMBOLS: Final = {figures: "".join(_symbol(clan, figures) for clan in rules.CLANS) for figures in (1, 2)}


def symbols_for(drawn: str) -> str:
    """The symbols of the counters that are used in `drawn`, for the `<defs>` of a page: few pages need all of them."""
    return "".join(symbols for figures, symbols in SYMBOLS.items() if f'"#n{figures}-' in drawn)


@dataclass(frozen=True, slots=True)
class Pile:
    """Counters about (0, 0), drawn `scale` times as large."""

    placed: tuple[tuple[ClanHuts, Spot], ...]
    """The middle of each counter."""
    scale: float

    def draw(self, x: int, y: int) -> str:
        """The counters about (x, y)."""
        drawn = "".join(map(_draw, self.placed))
        larger = f"scale({self.scale:.2f})" if self.scale > 1 else ""
        return f'<g class="counters" transform="translate({x} {y}){larger}">{drawn}</g>'

    def boxes(self, x: int, y: int) -> Iterator[tuple[Spot, Spot]]:
        """The middle of each counter about (x, y), and how far it reaches aside and above."""
        for held, (left, top) in self.placed:
            aside = _aside((held[0], len(str(held[1]))))
            yield (x + left * self.scale, y + top * self.scale), (aside * self.scale, HALF * self.scale)


def _draw(placed: tuple[ClanHuts, Spot]) -> str:
    (clan, count), (left, top) = placed
    return (
        f'<use href="#n{len(str(count))}-{clan}" x="{left:.0f}" y="{top:.0f}"/>'
        f'<text x="{left:.0f}" y="{top + BASE:.0f}">{count}</text>'
    )


def pile_up(counts: rules.Counts, radius: float) -> Pile:
    """A counter for each clan, as large as a disc of that radius allows, but never too small to read."""
    held = [(clan, count) for clan, count in zip(rules.CLANS, counts, strict=True) if count]
    reach, spots = _arrange(tuple((clan, len(str(count))) for clan, count in held))
    return Pile(tuple(zip(held, spots, strict=True)), min(LARGEST, max(1, radius / reach)))


@lru_cache(maxsize=256)
def _arrange(shapes: tuple[Shape, ...]) -> tuple[float, Sequence[Spot]]:
    """The way to put counters into rows that fits the smallest disc: its radius, and the middles of the counters."""
    ways = [_in_circle(shapes, list(_in_rows(shapes, rows))) for rows in ROWS[len(shapes)]]
    return min(ways, key=lambda way: way[0])


def _in_rows(shapes: Sequence[Shape], rows: Sequence[int]) -> Iterator[Spot]:
    """The middle of each counter, in rows that are centered about 0, the first at 0."""
    rest = iter(shapes)
    for row, length in enumerate(rows):
        line = [_aside(next(rest)) for _counter in range(length)]
        left = -sum(line) - GAP * (length - 1) / 2
        for aside in line:
            yield left + aside, row * (2 * HALF + GAP)
            left += 2 * aside + GAP


def _in_circle(shapes: Sequence[Shape], spots: Sequence[Spot]) -> tuple[float, Sequence[Spot]]:
    """The radius of the smallest disc round the rows, and the middles of the counters as seen from its middle."""
    corners = [
        (abs(left) + aside, top + below)
        for shape, (left, top) in zip(shapes, spots, strict=True)
        for aside, below in zip(_reaches(shape), (-HALF, 0, HALF), strict=True)
    ]

    def square(middle: float) -> float:
        return max([aside * aside + (below - middle) ** 2 for aside, below in corners])

    middle = min((spots[-1][1] * percent / 100 for percent in range(0, 101, 4)), key=square)
    return math.sqrt(square(middle)), [(left, top - middle) for left, top in spots]


def _aside(shape: Shape) -> float:
    """Half of the width of a counter where it is widest."""
    return max(_reaches(shape))


def _reaches(shape: Shape) -> list[float]:
    clan, figures = shape
    return [reach + SECOND * (figures - 1) for reach in REACH[clan]]
