"""SVG path data of shapes: smooth, relative, to a tenth of a unit."""

from collections.abc import Iterable, Sequence

from shapely.geometry.base import BaseGeometry

from tools.mapgen.mesh import Spot


def rings(shape: BaseGeometry, *, blunt: float = 0.8) -> str:
    """All rings of a shape as closed smooth curves; details finer than `blunt` are dropped."""
    parts = getattr(shape, "geoms", [shape])
    polygons = [part.simplify(blunt) for part in parts if part.geom_type == "Polygon" and not part.is_empty]
    loops = [ring for polygon in polygons for ring in (polygon.exterior, *polygon.interiors)]
    return "".join(smooth_ring(list(loop.coords)[:-1]) for loop in loops)


def smooth_ring(spots: Sequence[Spot]) -> str:
    """A closed quadratic B-spline about the spots."""
    middles = [_middle(a, b) for a, b in zip(spots, [*spots[1:], spots[0]], strict=True)]
    pen = Pen(middles[-1])
    for spot, middle in zip(spots, middles, strict=True):
        pen.bend(spot, middle)
    return pen.drawn + "z"


def open_curve(points: Sequence[Spot]) -> str:
    """A quadratic B-spline with fixed ends along a line's control points."""
    pen = Pen(points[0])
    _follow(pen, points)
    return pen.drawn


def closed_curve(rim: Sequence[Sequence[Spot]]) -> str:
    """The lines round a face, one after the other."""
    pen = Pen(rim[0][0])
    for points in rim:
        _follow(pen, points)
    return pen.drawn + "z"


def _follow(pen: "Pen", points: Sequence[Spot]) -> None:
    if len(points) == 2:
        pen.line(points[1])
    for index in range(1, len(points) - 1):
        last = index == len(points) - 2
        pen.bend(points[index], points[-1] if last else _middle(points[index], points[index + 1]))


def straight(spots: Iterable[Spot]) -> str:
    """Straight pieces from spot to spot."""
    first, *rest = spots
    pen = Pen(first)
    for spot in rest:
        pen.line(spot)
    return pen.drawn


class Pen:
    """Writes relative commands and remembers where rounding has left it, so that errors never add up."""

    def __init__(self, start: Spot) -> None:
        self._at = (round(start[0], 1), round(start[1], 1))
        self.drawn = f"M{number(self._at[0])} {number(self._at[1])}"

    def line(self, end: Spot) -> None:
        self.drawn += "l" + self._step(end)
        self._at = self._reached(end)

    def bend(self, control: Spot, end: Spot) -> None:
        self.drawn += f"q{self._step(control)} {self._step(end)}".replace(" -", "-")
        self._at = self._reached(end)

    def _step(self, to: Spot) -> str:
        x, y = (number(round(value - at, 1)) for value, at in zip(to, self._at, strict=True))
        return f"{x} {y}".replace(" -", "-")

    def _reached(self, to: Spot) -> Spot:
        x, y = (round(at + round(value - at, 1), 1) for value, at in zip(to, self._at, strict=True))
        return x, y


def number(value: float) -> str:
    """As short as SVG allows."""
    text = f"{value:.1f}".removesuffix(".0")
    if text in ("-0", "0"):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def _middle(a: Spot, b: Spot) -> Spot:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
