"""Finds where a group of many huts stands, with its sum and its standing stone, so that none covers another or a name.

A group of up to five huts fills the disc that `places` finds. A larger one has a count for each clan. A phone shows it
as counters, which are as large in a narrow territory as in a wide one. So both may stand a little beside that disc.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import shapely
from shapely import unary_union
from shapely.geometry.base import BaseGeometry

from games.drawing.counters import pile_up
from games.drawing.huts import group_boxes, is_crowded
from games.rules import Counts
from tools.mapgen.documents import Document
from tools.mapgen.places import Floats, Places, grid_in
from tools.mapgen.survey import Survey

Spot = tuple[int, int]
Size = tuple[float, float]
Way = tuple[Spot, Spot, int]
"""How far huts and counters are beside the middle of the disc, and by how much smaller than it they are."""

STONE, NAME, SUM, LONG_SUM = (8, 12), (14, 8), (14, 9.5), (21, 9.5)
"""Half of the width and height of a stone, a name, a sum of one figure and one of two."""
CLEAR = 1.5
"""How far apart things must be to be clear of one another."""
STEPS = range(-12, 13, 6)
ASIDE: list[Spot] = [(aside, below) for aside in STEPS for below in STEPS]
SMALLER = (0, 3, 6)
COVERED, LONG, OUTSIDE, AWAY, FAR = 4.0, 3.0, 1.5, 0.3, 0.06
"""What a unit costs: of a thing that is covered, of a sum of two figures that is, of a group that leaves the territory,
of the way from the middle of the disc, and from the group to its sum and stone. To be smaller by a unit costs 1."""
HUTS, COUNTERS = 0, 1
GROUPS: list[Counts] = [(a, b, c, d, e) for a, b, c, d, e in product((0, 3), repeat=5) if a + b + c + d + e]


@dataclass(frozen=True)
class Counted:
    """As seen from the middle of the disc: the middles of the huts and of the counters, the radius for which both are
    drawn, and the middles of their sum and of their stone."""

    huts: Spot
    counters: Spot
    radius: int
    sum: Spot
    stone: Spot


def with_counted(survey: Survey) -> Document:
    """The outlines of a map with the places of counted groups."""
    water = unary_union(survey.beds)

    def add(name: str, row: dict[str, Any]) -> dict[str, Any]:
        place = Places(tuple(row["huts"]), row["radius"], tuple(row["name"]))
        return {**row, "counted": asdict(find_counted(survey.territories[name].difference(water), place))}

    territories = {name: add(name, row) for name, row in survey.outlines["territories"].items()}
    return {**survey.outlines, "territories": territories}


def find_counted(ground: BaseGeometry, place: Places) -> Counted:
    """The best places on the ground (a territory without its rivers): first for huts and counters in one place, then
    for each where the other remains."""
    search = _Search(ground.buffer(-CLEAR), place)
    search.look((aside, aside, less) for aside, less in product(ASIDE, SMALLER))
    for _again in range(2):
        huts, _counters, smaller = search.way
        search.look((huts, aside, smaller) for aside in ASIDE)
        _huts, counters, _smaller = search.way
        search.look((aside, counters, less) for aside, less in product(ASIDE, SMALLER))
    return search.found


class _Search:
    """What has been found on one ground so far."""

    def __init__(self, inner: BaseGeometry, place: Places) -> None:
        shapely.prepare(inner)
        self._inner, self._place, self._name = inner, place, np.array([(*place.name, *NAME)])
        self._sums, self._stones = self._room_for(SUM), self._room_for(STONE)
        self._beyond = self._outside(self._sums, LONG_SUM) + _depth(self._sums, LONG_SUM, self._name)
        short, long = (_depths(self._stones, STONE, _boxes_at(self._sums, size)) for size in (SUM, LONG_SUM))
        self._both = COVERED * short + LONG * long
        self._least, self.way = math.inf, ((0, 0), (0, 0), 0)
        self._cost, self._depth = cache(self._cost_of_part), cache(self._depths_of_part)

    def _room_for(self, size: Size) -> Floats:
        """Where a box of that size is on the ground and clear of the name."""
        spots = grid_in(self._inner)
        free: Floats = spots[(self._outside(spots, size) == 0) & (_depth(spots, size, self._name) == 0)]
        return free

    def _outside(self, spots: Floats, size: Size) -> Floats:
        """How far beyond the ground a corner is of such a box at each spot."""
        corners = np.array(list(product((-1, 0, 1), (-1, 0, 1)))) * size
        distances: Floats = shapely.distance(self._inner, shapely.points(spots[:, None] + corners)).max(axis=1)
        return distances

    def look(self, ways: Iterable[Way]) -> None:
        """Keep the best of these ways, if it is better than what was found before."""
        for cost, way in sorted((_cost_of(way), way) for way in ways):
            if cost >= self._least:
                break
            self._try(way, cost)

    def _try(self, way: Way, cost: float) -> None:
        huts, counters, smaller = way
        parts = (HUTS, huts, smaller), (COUNTERS, counters, smaller)
        cost += sum(self._cost(*part) for part in parts)
        if cost >= self._least:
            return
        stones, sums, long = (
            np.maximum(*depths) for depths in zip(*(self._depth(*part) for part in parts), strict=True)
        )
        stones = COVERED * stones + self._way_to(self._stones, huts)
        sums = COVERED * sums + LONG * (long + self._beyond) + self._way_to(self._sums, huts)
        both = stones[:, None] + sums + self._both
        stone, total = np.unravel_index(int(np.argmin(both)), both.shape)
        if cost + both[stone, total] < self._least:
            self._least, self.way = float(cost + both[stone, total]), way
            places = self._aside(self._sums[total]), self._aside(self._stones[stone])
            self.found = Counted(huts, counters, int(self._place.radius) - smaller, *places)

    def _boxes(self, kind: int, aside: Spot, smaller: int) -> Floats:
        x, y = self._place.huts
        return _group_boxes(int(self._place.radius) - smaller)[kind] + (x + aside[0], y + aside[1], 0, 0)

    def _cost_of_part(self, kind: int, aside: Spot, smaller: int) -> float:
        """What it costs that huts or counters there leave the ground or cover the name."""
        boxes = self._boxes(kind, aside, smaller)
        corners = np.concatenate([boxes[:, :2] + boxes[:, 2:] * side for side in product((-1, 1), repeat=2)])
        hull = shapely.get_coordinates(shapely.convex_hull(shapely.multipoints(corners)))
        outside = shapely.distance(self._inner, shapely.points(hull)).max()
        return float(OUTSIDE * max(0, outside - CLEAR) + COVERED * _depth(self._name[:, :2], NAME, boxes)[0])

    def _depths_of_part(self, kind: int, aside: Spot, smaller: int) -> Sequence[Floats]:
        """How deep huts or counters there reach into each stone and each sum, of one figure and of two."""
        boxes = self._boxes(kind, aside, smaller)
        return [_depth(self._stones, STONE, boxes), *(_depth(self._sums, size, boxes) for size in (SUM, LONG_SUM))]

    def _aside(self, spot: Floats) -> Spot:
        return int(spot[0] - self._place.huts[0]), int(spot[1] - self._place.huts[1])

    def _way_to(self, spots: Floats, aside: Spot) -> Floats:
        ways: Floats = FAR * np.hypot(*(spots - self._place.huts - aside).T)
        return ways


def _cost_of(way: Way) -> float:
    return AWAY * (math.hypot(*way[0]) + math.hypot(*way[1])) + way[2]


def _boxes_at(spots: Floats, size: Size) -> Floats:
    return np.column_stack((spots, np.full(spots.shape, size)))


def _depth(spots: Floats, size: Size, boxes: Floats) -> Floats:
    """How deep a box of that size at each spot reaches into any of the boxes or the clear space round it."""
    depths: Floats = _depths(spots, size, boxes).max(axis=1)
    return depths


def _depths(spots: Floats, size: Size, boxes: Floats) -> Floats:
    aside, below = (np.abs(spots[:, None, way] - boxes[:, way]) - boxes[:, 2 + way] - size[way] for way in (0, 1))
    return np.maximum(0, CLEAR - np.maximum(aside, below))


@cache
def _group_boxes(radius: int) -> tuple[Floats, Floats]:
    """What groups of such a radius cover about (0, 0): huts with their counts, and counters."""
    crowded = [counts for counts in GROUPS if is_crowded(counts, radius)]
    huts = [box for counts in GROUPS for box in group_boxes(counts, 0, 0, radius)]
    return _outer(huts), _outer([box for counts in crowded for box in pile_up(counts, radius).boxes(0, 0)])


def _outer(boxes: list[tuple[Size, Size]]) -> Floats:
    """The boxes that lie in no other."""
    each = np.array(sorted({(*spot, *size) for spot, size in boxes}))
    low, high = each[:, :2] - each[:, 2:], each[:, :2] + each[:, 2:]
    inside = (low[:, None] >= low).all(axis=2) & (high[:, None] <= high).all(axis=2)
    outer: Floats = each[inside.sum(axis=1) == 1]
    return outer
