"""Measures a map from its two documents alone, as a person with ruler and eyes would."""

from functools import cached_property
from itertools import combinations
from statistics import median

import networkx as nx
from shapely import LineString, Polygon, box, line_merge, unary_union
from shapely.geometry.base import BaseGeometry

from tools.mapgen.curves import flatten
from tools.mapgen.documents import Document
from tools.mapgen.mesh import Spot
from tools.mapgen.regions import half_side, reading_order

NAME_BOX = (24, 12)  # of "L4" as it is drawn


class Survey:
    """What can be seen on the drawn map and read from the board."""

    def __init__(self, board: Document, outlines: Document) -> None:
        self.board, self.outlines = board, outlines
        self.rows = {row["id"]: row for row in board["territories"]}
        self._curves = [flatten([(x, y) for x, y in line["points"]]) for line in outlines["lines"]]

    def _walk(self, course: list[int]) -> list[Spot]:
        spots: list[Spot] = []
        for step in course:
            curve = self._curves[abs(step) - 1]
            spots += curve if step > 0 else curve[::-1]
        return spots

    @cached_property
    def territories(self) -> dict[str, Polygon]:
        """The drawn shape of each territory."""
        rows = self.outlines["territories"].items()
        return {name: Polygon(self._walk(row["outline"])) for name, row in rows}

    @cached_property
    def lakes(self) -> dict[str, Polygon]:
        """The drawn shape of each lake."""
        return {name: Polygon(self._walk(course)) for name, course in self.outlines["lakes"].items()}

    @cached_property
    def land(self) -> BaseGeometry:
        """Everything within the coast: territories and lakes."""
        return unary_union([*self.territories.values(), *self.lakes.values()])

    @cached_property
    def rivers(self) -> list[LineString]:
        """The middle line of each river."""
        return [LineString(self._walk(river["course"])) for river in self.outlines["rivers"]]

    @cached_property
    def beds(self) -> list[BaseGeometry]:
        """The water of each river, all along as wide as at its widest."""
        widths = [max(river["widths"]) for river in self.outlines["rivers"]]
        return [river.buffer(width / 2) for river, width in zip(self.rivers, widths, strict=True)]

    @cached_property
    def meetings(self) -> dict[tuple[str, str], BaseGeometry]:
        """What the outlines of two territories have in common, for each pair that has anything."""
        shared = {}
        for one, other in combinations(sorted(self.territories), 2):
            meeting = self.territories[one].intersection(self.territories[other])
            if not meeting.is_empty:
                shared[one, other] = meeting
        return shared

    @cached_property
    def lengths(self) -> dict[tuple[str, str], float]:
        """How much border each pair shares, in units of a typical (the median) border."""
        lengths = {pair: float(meeting.length) for pair, meeting in self.meetings.items()}
        return {pair: length / self.typical for pair, length in lengths.items()}

    @cached_property
    def typical(self) -> float:
        """Length of a typical border: the median over all pairs that share one."""
        return float(median(meeting.length for meeting in self.meetings.values() if meeting.length > 0))

    @cached_property
    def gaps(self) -> dict[tuple[str, str], float]:
        """Distance of each pair that is not neighbors by the board, in units of a typical border."""
        return {
            (one, other): float(self.territories[one].distance(self.territories[other])) / self.typical
            for one, other in combinations(sorted(self.territories), 2)
            if not self.graph.has_edge(one, other)
        }

    @cached_property
    def graph(self) -> "nx.Graph[str]":
        """The board's territories and borders, as its neighbor lists say."""
        graph: nx.Graph[str] = nx.Graph()
        graph.add_nodes_from(self.rows)
        graph.add_edges_from((name, other) for name, row in self.rows.items() for other in row["neighbors"])
        return graph

    @cached_property
    def regions(self) -> dict[str, list[str]]:
        """Names of each region's territories."""
        regions: dict[str, list[str]] = {}
        for name, row in self.rows.items():
            regions.setdefault(row["region"], []).append(name)
        return regions

    def union(self, names: list[str]) -> BaseGeometry:
        """The drawn shape of several territories together."""
        return unary_union([self.territories[name] for name in names])

    def pieces(self, one: str, other: str) -> int:
        """In how many stretches two territories share their border."""
        merged = line_merge(self.meetings[min(one, other), max(one, other)])
        return len(getattr(merged, "geoms", [merged]))

    def size_ratio(self) -> float:
        """Largest territory over smallest."""
        areas = [shape.area for shape in self.territories.values()]
        return float(max(areas) / min(areas))

    def name_place(self, name: str) -> Polygon:
        """The box that is kept for the name."""
        x, y = self.outlines["territories"][name]["name"]
        wide, high = NAME_BOX[0] / 2, NAME_BOX[1] / 2
        place: Polygon = box(x - wide, y - high, x + wide, y + high)
        return place

    def regions_in_reading_order(self) -> list[str]:
        """Region letters as their middles are read on the drawing."""
        shapes = {letter: self.union(names) for letter, names in self.regions.items()}
        middles = {letter: (shape.centroid.x, shape.centroid.y) for letter, shape in shapes.items()}
        return reading_order(middles, half_side([shape.area for shape in shapes.values()]))
