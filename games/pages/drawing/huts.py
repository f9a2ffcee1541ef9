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
    wide, high = (40, 25) if counted else (24, 23)
    rows = (1, 2, 2) if counted and len(cells) == 5 else ROWS[len(cells)]
    scale = min(1.8, 2 * radius * 0.93 / _diameter(rows, wide, high))
    drawn, rest = [], iter(cells)
    for row, length in enumerate(rows):
        top = (row - len(rows) / 2) * high
        for place in range(length):
            left = (place - length / 2) * wide
            clan, count = next(rest)
            drawn.append(f'<use href="#hut-{clan}" x="{left:g}" y="{top:g}"/>')
            if count:
                drawn.append(f'<text class="count" x="{left + 24:g}" y="{top + 19:g}">{count}</text>')
    return f'<g transform="translate({x} {y})scale({scale:.2f})">{"".join(drawn)}</g>'


def _diameter(rows: tuple[int, ...], wide: int, high: int) -> float:
    """Of the least circle round the middle that holds the rows."""
    corners: list[float] = []
    for row, length in enumerate(rows):
        edges = ((row - len(rows) / 2) * high, (row + 1 - len(rows) / 2) * high)
        corners += [2 * math.hypot(length * wide / 2, edge) for edge in edges]
    return max(corners)
