"""Where things stand on the board: in every territory, with every group, none covers another and sums stay at home."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

import pytest
from lxml import etree  # type: ignore[import-untyped]
from shapely import box, unary_union
from shapely.geometry.base import BaseGeometry

from games import rules
from games.drawing.counters import REACH, SECOND
from games.drawing.outlines import outlines_of
from games.drawing.svg import draw_stack, draw_village
from tests.pages.test_drawing import PHONE, WIDE, as_seen, everywhere
from tools.mapgen.__main__ import BOARD, OUTLINES
from tools.mapgen.survey import Survey

OUTLINE = outlines_of(rules.STANDARD.board)
NAMES = rules.STANDARD.board.names
FIGURE = {WIDE: 12.5, PHONE: 14.0}
"""How wide a figure of a count is, on a wide screen and on a phone."""
GROUPS: list[rules.Counts] = [huts for huts in product((0, 2), (0, 1), (0, 3), (0, 2), (0, 2)) if sum(huts) > 5]
GROUPS += [(4, 2, 0, 0, 0), (0, 0, 1, 5, 0), (7, 0, 0, 0, 0), (5, 3, 4, 6, 3), (2, 9, 0, 3, 1)]
"""Every number of clans that a group of many huts can have; in 1,500 random games no count had two figures."""


class Thing(NamedTuple):
    """What is drawn, and the rectangle that it covers."""

    kind: str
    left: float
    top: float
    right: float
    bottom: float

    def covers(self, other: Thing) -> float:
        """How deep it reaches into another; below 0 how far they are apart."""
        return min(self.right - other.left, other.right - self.left, self.bottom - other.top, other.bottom - self.top)


def things(svg: str, hidden: str) -> Iterator[Thing]:
    """What a reader sees of a drawing."""
    return _within(as_seen(f"<svg >{svg}</svg>", hidden=hidden), (0, 0, 1), FIGURE[hidden])


def _within(part: etree._Element, place: tuple[float, float, float], figure: float) -> Iterator[Thing]:
    x, y, scale = place
    moved = re.match(r"translate\(([-\d.]+) ([-\d.]+)\)(?:scale\(([\d.]+)\))?", str(part.get("transform", "")))
    if moved:
        x, y, scale = x + scale * float(moved[1]), y + scale * float(moved[2]), scale * float(moved[3] or 1)
    for kind, left, top, right, bottom in _drawn(part, figure):
        yield Thing(kind, x + scale * left, y + scale * top, x + scale * right, y + scale * bottom)
    for inner in part:
        yield from _within(inner, (x, y, scale), figure)


def _drawn(part: etree._Element, figure: float) -> Iterator[Thing]:
    """What a part draws itself. The figures of counters and values lie on these."""
    use, left, top = str(part.get("href", "")), float(part.get("x", 0)), float(part.get("y", 0))
    if use.startswith("#hut-"):
        yield Thing("hut", left + 3, top + 3, left + 21, top + 22)
    elif counter := re.match(r"#n(\d)-(\w+)", use):
        aside = max(REACH[counter[2]]) + SECOND * (int(counter[1]) - 1)
        yield Thing("counter", left - aside, top - 11, left + aside, top + 11)
    elif use.startswith("#seal-"):
        yield Thing("founder", -11, -11, 11, 11)
    elif part.get("class") == "count":
        kind = "sum" if part.text.startswith("=") else "count"
        yield Thing(kind, left, top - 17, left + figure * len(part.text), top)
    elif part.get("class") == "stone":
        yield Thing("stone", -9, -13, 8, 12)
    elif str(part.get("class", "")).startswith("value"):
        yield Thing("value", -19, -11, 19, 11)


def name_of(name: str) -> Thing:
    x, y = OUTLINE.territories[name].label
    return Thing("name", x - 11, y - 7, x + 11, y + 7)


@cache
def grounds() -> dict[str, BaseGeometry]:
    """The territories without their rivers."""
    survey = Survey(*(json.loads(file.read_text("utf-8")) for file in (BOARD, OUTLINES)))
    water = unary_union(survey.beds)
    return {name: territory.difference(water) for name, territory in survey.territories.items()}


@cache
def drawn(name: str, hidden: str) -> list[list[Thing]]:
    """What stands in a territory with each of the groups."""
    return [list(things(draw_stack(rules.STANDARD, name, group), hidden)) for group in GROUPS]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("hidden", "touch"), [(WIDE, 4), (PHONE, 5)], ids=["wide", "phone"])
def test_nothing_in_a_territory_covers_anything_else_there(name: str, hidden: str, touch: float) -> None:
    """Corners may touch: no hut, stone or counter fills its rectangle."""
    for stand in drawn(name, hidden):
        for one, other in combinations([*stand, name_of(name)], 2):
            assert one.covers(other) <= touch, (name, one, other)


@everywhere
@pytest.mark.parametrize("name", NAMES)
def test_sums_and_stones_stay_in_their_territory(name: str, hidden: str) -> None:
    """The end of a sum of two figures may lie on the border."""
    own = grounds()[name].buffer(5)
    for stand in drawn(name, hidden):
        assert {one.kind for one in stand} & {"hut", "counter"}
        assert all(own.contains(box(*one[1:])) for one in stand if one.kind in {"sum", "stone"}), name


@pytest.mark.parametrize("name", NAMES)
def test_no_hut_on_a_wide_screen_leaves_its_territory(name: str) -> None:
    """Corners of its rectangle may: a roof fills it in its middle alone."""
    own = grounds()[name].buffer(4)
    for stand in drawn(name, WIDE):
        assert all(own.contains(box(*one[1:])) for one in stand), name


@everywhere
@pytest.mark.parametrize("name", NAMES)
def test_a_group_is_nearer_to_its_own_place_than_to_any_other(name: str, hidden: str) -> None:
    """So animate.js tells whose it is."""
    for stand in drawn(name, hidden):
        _kinds, lefts, tops, rights, bottoms = zip(*stand, strict=True)
        middle = (min(lefts) + max(rights)) / 2, (min(tops) + max(bottoms)) / 2
        assert min(NAMES, key=lambda other: math.dist(OUTLINE.territories[other].huts, middle)) == name


@everywhere
@pytest.mark.parametrize("name", NAMES)
def test_what_stands_on_a_palisade_covers_nothing_of_other_territories(name: str, hidden: str) -> None:
    """Those beside a village are empty. Its value and founder are clear of what can stand in all others, too."""
    others = set(NAMES) - {name, *rules.STANDARD.board.neighbors_of(name)}
    village = rules.Position.parse(f"seats=2 villages={name}:1:rrbbgg").villages[0]
    signs = [one for one in things(draw_village(OUTLINE, village), hidden) if one.kind in {"value", "founder"}]
    assert len(signs) == 2
    assert signs[0].covers(signs[1]) <= 0
    for other, sign in product(others, signs):
        assert all(sign.covers(one) <= 0 for stand in drawn(other, hidden) for one in (*stand, name_of(other)))
