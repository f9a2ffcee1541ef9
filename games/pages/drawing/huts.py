"""Huts and groups of huts. A hut is drawn in a box of 24 by 24, as in static/games/clans.svg."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from django.utils.safestring import SafeString

from games import rules

HUT: Final = (
    "M12 2.6C9.9 7.2 6.5 11.6 2 14.9l3.4 1.3-.1 5.3c4.4.4 8.9.4 13.4 0l-.1-5.3 3.5-1.4C17.7 11.5 14.3 7.2 12 2.6z"
)
DOOR: Final = "M5.4 16.2c4.4.8 8.8.8 13.2 0M10.3 21.4c-.1-2 .3-3 1.7-3s1.9 1 1.8 3"
MARKS: Final = {
    "red": '<circle cx="12" cy="11.6" r="2.3"/>',
    "blue": '<path d="M12 8.8l2.7 4.9H9.3z"/>',
    "green": '<path d="M9.7 9.5h4.6v4.4H9.7z"/>',
    "yellow": '<path d="M12 8.4l2.8 3.3-2.8 3.3-2.8-3.3z"/>',
    "black": '<path d="M9.6 9.5l4.8 4.6M14.4 9.5l-4.8 4.6"/>',
}
SYMBOLS: Final = "".join(
    f'<g id="hut-{clan}"><path class="hut-rim" d="{HUT}"/><path class="hut-roof roof-{clan}" d="{HUT}"/>'
    f'<path class="hut-door" d="{DOOR}"/><g class="hut-sign sign-{clan}">{mark}</g></g>'
    for clan, mark in MARKS.items()
)
"""For the `<defs>` of one drawing on the page; all other drawings on it use them too."""

ROWS: Final = {1: (1,), 2: (2,), 3: (1, 2), 4: (2, 2), 5: (2, 3)}
FILL: Final = 0.97
"""How much of its disc a group takes."""
LARGEST: Final = 1.8
SINGLE: Final = 5
"""So many huts are drawn one by one; more are counted."""


def draw_hut(clan: str) -> SafeString:
    """A small hut of `clan` beside text, without words of its own; its drawing is in static/games/clans.svg."""
    return SafeString(f'<span class="hut hut-{clan}" aria-hidden="true"></span>')


@lru_cache(maxsize=8192)
def draw_group(counts: tuple[int, ...], x: int, y: int, radius: int) -> str:
    """The huts of a group in the disc round (x, y): one by one while they fit, else one a clan with its count."""
    held = [(clan, count) for clan, count in zip(rules.CLANS, counts, strict=True) if count]
    if sum(counts) <= SINGLE:
        return _in_rows([(clan, 0) for clan, count in held for _hut in range(count)], x, y, radius)
    return _in_rows(held, x, y, radius)


def _in_rows(cells: Sequence[tuple[str, int]], x: int, y: int, radius: int) -> str:
    """Cells in centered rows; a cell is a hut, with a count beside it where there is one."""
    counted = any(count for _clan, count in cells)
    wide, high = (38, 23) if counted else (23, 22)
    rows = (1, 2, 2) if counted and len(cells) == 5 else ROWS[len(cells)]
    middle, reach = _circle(rows, wide, high)
    scale = min(LARGEST, radius * FILL / reach)
    drawn, rest = [], iter(cells)
    for row, length in enumerate(rows):
        top = row * high - middle
        for place in range(length):
            left = (place - length / 2) * wide
            clan, count = next(rest)
            drawn.append(f'<use href="#hut-{clan}" x="{left:g}" y="{top:.1f}"/>')
            if count:
                drawn.append(f'<text class="count" x="{left + 23.5:g}" y="{top + 19:.1f}">{count}</text>')
    return f'<g transform="translate({x} {y})scale({scale:.2f})">{"".join(drawn)}</g>'


@lru_cache(maxsize=64)
def _circle(rows: tuple[int, ...], wide: int, high: int) -> tuple[float, float]:
    """The least circle that holds the rows: how far its middle lies below the top, and its radius."""

    def reach(middle: float) -> float:
        corners = ((length * wide / 2, row * high, (row + 1) * high) for row, length in enumerate(rows))
        return max(math.hypot(aside, edge - middle) for aside, *edges in corners for edge in edges)

    middle = min((tenth / 10 for tenth in range(len(rows) * high * 10)), key=reach)
    return middle, reach(middle)
