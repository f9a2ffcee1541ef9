"""The stroke of a move: it leaves the names of territories to be read."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from games import rules
from games.drawing.arrows import draw_arrow
from games.drawing.outlines import outlines_of

BOARD = rules.STANDARD.board
SHEET = outlines_of(BOARD)
MOVES = [(origin, target) for origin in BOARD.names for target in BOARD.neighbors_of(origin)]
CORE = (10, 5)
"""Half of the width and height of what has to stay free of a name: the middle of its letters."""

Spot = tuple[float, float]


@pytest.mark.parametrize("number", [0, 7], ids=["last", "numbered"])
def test_no_move_strikes_through_a_name(number: int) -> None:
    struck = []
    for origin, target in MOVES:
        outline = list(outline_of(draw_arrow(SHEET, origin, target, number)))
        struck += [(origin, target, name) for name, land in SHEET.territories.items() if meets(outline, land.label)]
    assert struck == []


def test_a_stroke_ends_at_the_ring_of_its_target() -> None:
    for origin, target in MOVES:
        land = SHEET.territories[target]
        nearest = min(math.dist(spot, land.huts) for spot in outline_of(draw_arrow(SHEET, origin, target)))
        assert abs(nearest - land.radius * 0.95) < 3, (origin, target)


def outline_of(arrow: str) -> Iterator[Spot]:
    """Places all along the outline of a stroke."""
    found = re.search(r'<path d="M([^"]+)z"', arrow)
    assert found
    numbers = [float(number) for number in re.findall(r"-?\d+", found[1])]
    start, out, neck, *head, back, hem, end = list(zip(numbers[::2], numbers[1::2], strict=True))
    yield from bow(start, out, neck)
    for one, other in pairwise((neck, *head, back)):
        yield from (between(one, other, step / 20) for step in range(21))
    yield from bow(back, hem, end)


def bow(one: Spot, middle: Spot, other: Spot) -> Iterator[Spot]:
    for step in range(61):
        part = step / 60
        yield between(between(one, middle, part), between(middle, other, part), part)


def between(one: Spot, other: Spot, part: float) -> Spot:
    return one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part


def meets(outline: list[Spot], name: Spot) -> bool:
    return any(abs(x - name[0]) < CORE[0] and abs(y - name[1]) < CORE[1] for x, y in outline)
