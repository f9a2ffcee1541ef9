"""The outlines of each map as SVG paths and anchors, read once (in units of which the map has 1000 by 800)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from games import rules

Spot = tuple[float, float]

WIDTH: Final = 1000
HEIGHT: Final = 800
"""Of every map."""

OUTLINE_FILES: Final = {file.stem: file for file in Path(__file__).with_name("maps").glob("*.json")}
"""The file (clans-outlines/1) of each map, by its id."""


@dataclass(frozen=True, slots=True)
class CountedPlace:
    """Where a group stands whose huts are counted, as seen from the middle of the disc: the middles of its huts and of
    the counters that a phone shows, the radius of both, and the middles of its sum and of its standing stone."""

    huts: tuple[int, int]
    counters: tuple[int, int]
    radius: int
    sum: tuple[int, int]
    stone: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Territory:
    """How one territory lies on the map: its outline, and where huts (a disc) and name stand."""

    name: str
    path: str
    box: tuple[int, int, int, int]
    """Left, top, right, bottom."""
    huts: tuple[int, int]
    radius: int
    label: tuple[int, int]
    counted: CountedPlace


@dataclass(frozen=True, slots=True, eq=False)
class MapOutlines:
    """A whole map as it is drawn. There is one of each, so that it is quick to look up what is cached for it."""

    board: rules.Board
    territories: dict[str, Territory]
    lines: tuple[tuple[Spot, ...], ...]
    """The control points of each line that two things share, as `curve` takes them."""
    rims: dict[str, tuple[int, ...]]
    """The lines round each territory and each lake by their numbers from 1, below 0 where they are walked backward."""
    shores: tuple[int, ...]
    """The numbers of the lines between land and water."""

    def file(self, name: str) -> str:
        """The static file of this map that no move changes: `ground.svg`, `lines.svg`, `land.svg`, `small.svg` or
        `spots.js`."""
        return map_file(self.board.id, name)


def map_file(board: str, name: str) -> str:
    """The static file of the map of that id."""
    return f"games/maps/{board}/{name}"


@lru_cache(maxsize=64)
def outlines_of(board: rules.Board) -> MapOutlines:
    """The outlines of a map. Raises ValueError when they are missing, of another map, or of another size."""
    if board.id not in OUTLINE_FILES:
        raise ValueError(f"no outlines of {board.id}")
    return read_outlines(json.loads(OUTLINE_FILES[board.id].read_text(encoding="utf-8")), board)


def read_outlines(document: dict[str, Any], board: rules.Board) -> MapOutlines:
    """The outlines of a `clans-outlines/1` object. Raises ValueError when it is of another map, or of another size."""
    if document["board"] != board.id:
        raise ValueError(f"outlines of {document['board']}, board {board.id}")
    if (document["width"], document["height"]) != (WIDTH, HEIGHT):
        raise ValueError(f"the outlines of {board.id} are not {WIDTH} wide and {HEIGHT} high")
    lines = tuple(tuple((x, y) for x, y in line["points"]) for line in document["lines"])
    territories = {name: _territory(name, drawn, lines) for name, drawn in document["territories"].items()}
    rims = {name: tuple(drawn["outline"]) for name, drawn in document["territories"].items()}
    rims |= {name: tuple(outline) for name, outline in document["lakes"].items()}
    sides = enumerate((line["sides"] for line in document["lines"]), start=1)
    shores = tuple(number for number, two in sides if sum(side in territories for side in two) == 1)
    return MapOutlines(board, territories, lines, rims, shores)


def _territory(name: str, drawn: dict[str, Any], lines: Sequence[Sequence[Spot]]) -> Territory:
    rim = [along(lines, step) for step in drawn["outline"]]
    spots = [spot for points in rim for spot in points]
    xs, ys = [x for x, _y in spots], [y for _x, y in spots]
    box = (int(min(xs)), int(min(ys)), int(max(xs)), int(max(ys)))
    huts, radius, label = tuple(drawn["huts"]), drawn["radius"], tuple(drawn["name"])
    return Territory(name, closed_path(rim), box, huts, radius, label, _counted(drawn["counted"]))


def _counted(drawn: dict[str, Any]) -> CountedPlace:
    huts, counters, total, stone = (tuple(drawn[part]) for part in ("huts", "counters", "sum", "stone"))
    return CountedPlace(huts, counters, drawn["radius"], total, stone)


def along(lines: Sequence[Sequence[Spot]], step: int) -> Sequence[Spot]:
    """The points of a line, walked backward where its number is negative (numbers begin at 1)."""
    points = lines[abs(step) - 1]
    return points if step > 0 else points[::-1]


def closed_path(rim: Sequence[Sequence[Spot]]) -> str:
    """SVG path data of a closed outline of several lines."""
    x, y = rim[0][0]
    return f"M{x:g} {y:g}" + "".join(curve(points) for points in rim) + "z"


def curve(points: Sequence[Spot]) -> str:
    """SVG path data along a line's control points (a quadratic B-spline with fixed ends), without its start."""
    if len(points) == 2:
        return f"L{points[1][0]:g} {points[1][1]:g}"
    drawn = []
    for (x, y), (next_x, next_y) in pairwise(points[1:-1]):
        drawn.append(f"Q{x:g} {y:g} {(x + next_x) / 2:g} {(y + next_y) / 2:g}")
    (x, y), (end_x, end_y) = points[-2], points[-1]
    return "".join(drawn) + f"Q{x:g} {y:g} {end_x:g} {end_y:g}"
