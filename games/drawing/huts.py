"""Huts and groups of huts. A hut is drawn in a box of 24 by 24, as in static/games/clans.svg."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from django.utils.safestring import SafeString

from games import rules

HUT: Final = (
    "M12 2.6C9.9 7.2 6.5 11.6 2 14.9l3.4 1.3-.1 5.3c4.4.4 8.9.4 13.4 0l-.1-5.3 3.5-1.4C17.7 11.5 14.3 7.2 12 2.6z"
)
DOOR: Final = "M5.4 16.2c.8.2 1.4.3 2.2.4M18.6 16.2c-.8.2-1.4.3-2.2.4"
MARKS: Final = {
    "red": '<circle cx="12" cy="13.6" r="3.5"/>',
    "blue": '<path d="M12 9l4.2 8H7.8z"/>',
    "green": '<path d="M8.7 10.5h6.6v6.6H8.7z"/>',
    "yellow": '<path d="M12 8.6l4.2 5.2-4.2 5.2-4.2-5.2z"/>',
    "black": '<path d="M12 9.4v8.2M7.9 13.5h8.2"/>',
}
PLAIN: Final = (
    f'<g id="hut"><path class="hut-rim" d="{HUT}"/><path class="hut-roof" d="{HUT}"/>'
    f'<path class="hut-door" d="{DOOR}"/></g>'
)
"""A hut whose roof has the color of what uses it."""
SYMBOLS: Final = PLAIN + "".join(
    f'<g id="hut-{clan}" class="roof-{clan}"><use href="#hut"/>'
    + mark.replace(" ", f' class="hut-sign sign-{clan}" ', 1)
    + "</g>"
    for clan, mark in MARKS.items()
)
"""For the `<defs>` of one drawing on the page; all other drawings on it use them too."""

HULL: Final = ((12.0, 1.5), (1.0, 15.5), (23.0, 15.5), (4.0, 22.5), (20.0, 22.5))
"""The corners of a hut with its rim."""
HUT_WIDE: Final = 22
HUT_HIGH: Final = 21
"""How far they are apart."""
HEM: Final = 1.5
"""Space between a hut and the left edge of its box."""
WIDE: Final = 21
HIGH: Final = 19.5
STAGGERED: Final = 17.5
"""Height of a row of which the huts stand in the gaps of the next one; otherwise it is HIGH."""
DIGIT: Final = 12.5
"""How wide a figure of a count is at the size that board.css gives it, 25px."""

ROWS: Final = {1: (1,), 2: (2,), 3: (1, 2), 4: (2, 2), 5: (2, 3), 6: (3, 3)}
COUNTED_ROWS: Final = {1: (1,), 2: (1, 1), 3: (1, 2), 4: (2, 2), 5: (1, 2, 2)}
LARGEST: Final = 1.8
SINGLE: Final = 5
"""Up to this many huts are drawn one by one; more are counted."""
MIXED: Final = 4
"""Of so many clans one hut more is drawn one by one."""
FEW: Final = 2
"""Clans whose huts with their counts are large enough for a phone, if they are as large as drawn."""

Spot = tuple[float, float]
Cell = tuple[str, int]
"""A hut of a clan, and its count where there is one."""


def draw_hut(clan: str) -> SafeString:
    """A small hut of `clan` beside text, without words of its own; its drawing is in static/games/clans.svg."""
    return SafeString(f'<span class="hut hut-{clan}" aria-hidden="true"></span>')


def draw_group(counts: tuple[int, ...], x: int, y: int, radius: float) -> str:
    """The huts of a group in the disc round (x, y): one by one while they fit, else one a clan with its count. They are
    as large as the disc allows."""
    drawn, reach = _draw_cells(_cells(counts))
    return f'<g transform="translate({x} {y})scale({min(LARGEST, radius / reach):.2f})">{drawn}</g>'


def is_crowded(counts: tuple[int, ...], radius: float) -> bool:
    """Whether the huts of a group are too small for a phone, where counters stand for them."""
    if sum(counts) <= SINGLE:
        return False
    cells = _cells(counts)
    return len(cells) > FEW or _draw_cells(cells)[1] > radius


def _cells(counts: tuple[int, ...]) -> tuple[Cell, ...]:
    """The huts that are drawn of a group."""
    held = [(clan, count) for clan, count in zip(rules.CLANS, counts, strict=True) if count]
    # Six huts of four clans or more are a fifth larger one by one than with counts, most of which would say 1.
    if sum(counts) <= SINGLE or (sum(counts) == SINGLE + 1 and len(held) >= MIXED):
        return tuple((clan, 0) for clan, count in held for _hut in range(count))
    return tuple(held)


def group_boxes(counts: tuple[int, ...], x: int, y: int, radius: float) -> Iterator[tuple[Spot, Spot]]:
    """The middle of each hut that `draw_group` draws, with its count, and how far they reach aside and above."""
    placed, middle, reach = _arrange(_cells(counts))
    scale = min(LARGEST, radius / reach)
    for cell, left, top in placed:
        aside, below = max(HUT_WIDE, _width(cell)) / 2, HUT_HIGH / 2
        spot = x + scale * (left + 1 + aside), y + scale * (top + 1.5 + below - middle)
        yield spot, (scale * aside, scale * below)


@lru_cache(maxsize=1024)
def _draw_cells(cells: tuple[Cell, ...]) -> tuple[str, float]:
    """The cells about (0, 0), and the radius of the least disc that holds them, more or less."""
    placed, middle, reach = _arrange(cells)
    drawn = []
    for (clan, count), left, top in placed:
        drawn.append(f'<use href="#hut-{clan}" x="{left:g}" y="{top - middle:.1f}"/>')
        if count:
            drawn.append(f'<text class="count" x="{left + 21:g}" y="{top - middle + 20.5:.1f}">{count}</text>')
    return "".join(drawn), reach


def _arrange(cells: tuple[Cell, ...]) -> tuple[list[tuple[Cell, float, float]], float, float]:
    """Each cell with its left and top, and of the least disc that holds them how far it is below 0, and its radius."""
    rows = COUNTED_ROWS if cells[0][1] else ROWS
    placed = list(_in_rows(cells, rows[len(cells)]))
    return placed, *_circle(list(_corners(placed)))


def _in_rows(cells: Sequence[Cell], rows: Sequence[int]) -> Iterator[tuple[Cell, float, float]]:
    """Each cell with its left and top, in rows that are centered about 0."""
    rest, top = iter(cells), 0.0
    for row, length in enumerate(rows):
        if row:
            top += HIGH + 3 if cells[0][1] else HIGH if length == rows[row - 1] else STAGGERED
        line = [next(rest) for _cell in range(length)]
        left = -sum(map(_width, line)) / 2 - HEM
        for cell in line:
            yield cell, left, top
            left += _width(cell)


def _width(cell: Cell) -> float:
    return 23 + DIGIT * len(str(cell[1])) if cell[1] else WIDE


def _corners(placed: Sequence[tuple[Cell, float, float]]) -> Iterator[tuple[float, float]]:
    for cell, left, top in placed:
        yield from ((left + aside, top + below) for aside, below in HULL)
        if cell[1]:
            right = left + _width(cell)
            yield from ((right, top + 3), (right, top + 21))


def _circle(corners: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The least circle about the middle, more or less, that holds the corners: how far below 0, and its radius."""

    def reach(middle: float) -> float:
        return max(math.hypot(aside, below - middle) for aside, below in corners)

    height = max(below for _aside, below in corners)
    middle = min((height * percent / 100 for percent in range(45, 61)), key=reach)
    return middle, reach(middle)
