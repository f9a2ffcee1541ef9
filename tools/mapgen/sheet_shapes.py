"""What the drawing of the ground needs to know of the map: shapes of land and water, lines by kind."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from shapely import LineString, Point, unary_union
from shapely.geometry.base import BaseGeometry

from tools.mapgen.documents import Document
from tools.mapgen.mesh import Spot
from tools.mapgen.survey import Survey

Curve = Sequence[Spot]


class Shapes(Survey):
    """A survey with the lines sorted by what they part."""

    def __init__(self, board: Document, outlines: Document) -> None:
        super().__init__(board, outlines)
        self._lines: list[Curve] = [[(x, y) for x, y in line["points"]] for line in outlines["lines"]]
        self._sides: list[tuple[str, str]] = [(line["sides"][0], line["sides"][1]) for line in outlines["lines"]]

    def rim(self, name: str) -> list[Curve]:
        """Control points of the lines round a territory or lake, in order."""
        row = self.outlines["territories"].get(name)
        course = row["outline"] if row else self.outlines["lakes"][name]
        return [self._lines[abs(step) - 1] if step > 0 else self._lines[abs(step) - 1][::-1] for step in course]

    @cached_property
    def borders(self) -> list[Curve]:
        """Control points of the lines between territories."""
        return [line for line, (one, other) in self._parted() if one in self.rows and other in self.rows]

    @cached_property
    def region_borders(self) -> list[Curve]:
        """Control points of the lines between territories of two regions."""
        land = ((line, one, other) for line, (one, other) in self._parted() if {one, other} <= set(self.rows))
        return [line for line, one, other in land if one[0] != other[0]]

    @cached_property
    def coast(self) -> list[Curve]:
        """Control points of the lines between territories and the sea."""
        return [line for line, sides in self._parted() if "sea" in sides and set(sides) & set(self.rows)]

    @cached_property
    def bars(self) -> list[Curve]:
        """Control points of the lines that part lakes at the edge from the sea."""
        return [line for line, sides in self._parted() if "sea" in sides and not set(sides) & set(self.rows)]

    def shores(self, lakes: Sequence[str]) -> list[Curve]:
        """Control points of the lines between these lakes and territories."""
        return [line for line, sides in self._parted() if set(sides) & set(lakes) and set(sides) & set(self.rows)]

    @cached_property
    def ribbons(self) -> list[BaseGeometry]:
        """The water of each river, as wide at each place as it is there; it runs out a little into the sea."""
        return [self._ribbon(number) for number in range(len(self.rivers))]

    def _parted(self) -> Iterator[tuple[Curve, tuple[str, str]]]:
        return zip(self._lines, self._sides, strict=True)

    def _ribbon(self, number: int) -> BaseGeometry:
        course, widths = self.rivers[number], self.outlines["rivers"][number]["widths"]
        steps = 12 * (len(widths) - 1)
        spots = [course.interpolate(step / steps, normalized=True) for step in range(steps + 1)]
        drops = []
        for step, (one, other) in enumerate(pairwise(spots)):
            place = (step + 0.5) / 12
            low = min(int(place), len(widths) - 2)
            width = widths[low] + (widths[low + 1] - widths[low]) * (place - low)
            drops.append(LineString([one, other]).buffer(width / 2))
        return unary_union(drops)

    def room_at(self, x: float, y: float) -> float:
        """Distance of a place to the land."""
        return float(self.land.distance(Point(x, y)))
