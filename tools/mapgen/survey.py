"""Measures a map from its two documents alone, as the specification asks (rules 9)."""

from collections import Counter
from functools import cached_property
from itertools import combinations
from statistics import median

import networkx as nx
from shapely import LineString, Point, Polygon, box, unary_union
from shapely.geometry.base import BaseGeometry

from tools.mapgen.curves import flatten
from tools.mapgen.documents import Document
from tools.mapgen.mesh import Spot

TERRAINS = ("forest", "mountain", "steppe", "grassland")
TOUCH, APART = 0.1, 0.25  # of the median border: the rule, and the width of the doubtful zone
SURE_TOUCH = 0.35
NAME_BOX = (24, 12)
LEAST_RADIUS = 30


class Survey:
    """What can be seen on the drawn map and read from the board."""

    def __init__(self, board: Document, outlines: Document) -> None:
        self.board, self.outlines = board, outlines
        self.rows = {row["id"]: row for row in board["territories"]}

    @cached_property
    def _curves(self) -> list[list[Spot]]:
        return [flatten([(x, y) for x, y in line["points"]]) for line in self.outlines["lines"]]

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
    def rivers(self) -> list[LineString]:
        """The middle line of each river."""
        return [LineString(self._walk(river["course"])) for river in self.outlines["rivers"]]

    @cached_property
    def land(self) -> BaseGeometry:
        """Everything within the coast: territories and lakes."""
        return unary_union([*self.territories.values(), *self.lakes.values()])

    @cached_property
    def meetings(self) -> dict[tuple[str, str], BaseGeometry]:
        """What two territories' outlines share, for each pair that meets at all."""
        shared = {}
        for one, other in combinations(sorted(self.territories), 2):
            meeting = self.territories[one].intersection(self.territories[other])
            if not meeting.is_empty:
                shared[one, other] = meeting
        return shared

    @cached_property
    def typical(self) -> float:
        """Length of a typical border: the median over all pairs that share one."""
        lengths = [meeting.length for meeting in self.meetings.values()]
        return float(median(length for length in lengths if length > 1))

    @cached_property
    def graph(self) -> nx.Graph:
        """The board's territories and borders, as its neighbor lists say."""
        graph = nx.Graph()
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

    def gap(self, one: str, other: str) -> float:
        """Distance between two drawn territories."""
        return float(self.territories[one].distance(self.territories[other]))

    def nearest_strangers(self) -> float:
        """The least distance between two territories that are not neighbors."""
        return min(
            self.gap(one, other)
            for one, other in combinations(sorted(self.territories), 2)
            if not self.graph.has_edge(one, other)
        )

    def shortest_border(self) -> float:
        """The least length that two neighbors share."""
        return min(self.meetings[min(edge), max(edge)].length for edge in self.graph.edges)

    def size_ratio(self) -> float:
        """Largest territory over smallest."""
        areas = [shape.area for shape in self.territories.values()]
        return float(max(areas) / min(areas))

    def bed(self, number: int) -> BaseGeometry:
        """The water of a river, as wide as it is at most."""
        return self.rivers[number].buffer(max(self.outlines["rivers"][number]["widths"]) / 2)

    def huts_place(self, name: str) -> BaseGeometry:
        """The disc that is kept for huts."""
        row = self.outlines["territories"][name]
        return Point(row["huts"]).buffer(row["radius"])

    def name_place(self, name: str) -> Polygon:
        """The box that is kept for the name."""
        x, y = self.outlines["territories"][name]["name"]
        wide, high = NAME_BOX[0] / 2, NAME_BOX[1] / 2
        return box(x - wide, y - high, x + wide, y + high)

    def reading_order(self, shapes: dict[str, Spot], areas: list[float]) -> list[str]:
        """Keys in rows from the top; a row takes what lies less than half a typical side below its first."""
        reach = (sum(areas) / len(areas)) ** 0.5 / 2
        left = sorted(shapes, key=lambda key: shapes[key][1])
        order: list[str] = []
        while left:
            row = [key for key in left if shapes[key][1] < shapes[left[0]][1] + reach]
            order += sorted(row, key=lambda key: shapes[key][0])
            left = [key for key in left if key not in row]
        return order


def faults(survey: Survey) -> list[str]:
    """Where a map misses the specification; empty when it meets all of it."""
    found: list[str] = []
    degrees = [degree for _, degree in survey.graph.degree]
    borders = survey.graph.number_of_edges()
    if not 130 <= borders <= 150:
        found.append(f"{borders} borders")
    if min(degrees) < 3 or max(degrees) > 8:
        found.append(f"{min(degrees)} to {max(degrees)} neighbors")
    if not nx.is_biconnected(survey.graph):
        found.append("falls apart")
    if survey.size_ratio() > 2:
        found.append(f"size ratio {survey.size_ratio():.2f}")
    if survey.shortest_border() < SURE_TOUCH * survey.typical:
        found.append(f"border {survey.shortest_border() / survey.typical:.2f}")
    if survey.nearest_strangers() < APART * survey.typical:
        found.append(f"strangers {survey.nearest_strangers() / survey.typical:.2f}")
    if any(meeting.geom_type == "MultiLineString" and _parts(meeting) > 1 for meeting in survey.meetings.values()):
        found.append("a border in two pieces")
    kinds = Counter(row["terrain"] for row in survey.rows.values())
    if any(kinds[terrain] != 15 for terrain in TERRAINS):
        found.append("terrains")
    if len(survey.rivers) < 5:
        found.append(f"{len(survey.rivers)} rivers")
    return found


def _parts(meeting: BaseGeometry) -> int:
    from shapely import line_merge

    merged = line_merge(meeting)
    return len(getattr(merged, "geoms", [merged]))


def worth(survey: Survey) -> float:
    """How promising a fit map is, to put seeds in order before people look at them."""
    radii = [row["radius"] for row in survey.outlines["territories"].values()]
    degrees = [degree for _, degree in survey.graph.degree]
    alike = sum(survey.rows[a]["terrain"] == survey.rows[b]["terrain"] for a, b in survey.graph.edges)
    return (
        4 * survey.nearest_strangers() / survey.typical
        + 3 * survey.shortest_border() / survey.typical
        + (min(radii) - 30) / 2
        - abs(survey.graph.number_of_edges() - 140) / 10
        - abs(len(survey.rivers) - 9) / 3
        + len(set(degrees)) / 4
        - alike / 10
    )
