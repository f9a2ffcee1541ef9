"""Draws the ground of the board once: `python -m tools.mapgen.ground` writes static/games/ground.svg from the outlines.

Terrains with their strokes, lakes, rivers, borders and coast: everything that no move changes. The file carries both
papers, day and night; the same outlines give the same bytes.
"""

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from shapely import LineString, Point, Polygon, box

from games import rules
from games.pages.drawing.board import MARGIN
from games.pages.drawing.outlines import FILE, closed_path, curve
from tools.mapgen.curves import flatten
from tools.mapgen.documents import Document

Spot = tuple[float, float]
Lines = Sequence[Sequence[Spot]]

TARGET = Path(__file__).parents[2] / "games/static/games/ground.svg"
SPACING = {"forest": 17.0, "mountain": 24.0, "steppe": 19.0, "grassland": 21.0}
STYLE = """
.forest{fill:#93ab83}.mountain{fill:#cfccc3}.steppe{fill:#dfc899}.grassland{fill:#c3d196}
.strokes{fill:none;stroke:#1c292c;stroke-width:1.2;stroke-linecap:round;stroke-linejoin:round;stroke-opacity:.5}
.region{fill:none;stroke:#1c292c;stroke-width:9;stroke-opacity:.2;stroke-linejoin:round;stroke-linecap:round}
.border{fill:none;stroke:#1c292c;stroke-width:1.3;stroke-opacity:.75;stroke-linecap:round}
.lake{fill:#c3d8da}.shore{fill:none;stroke:#1c292c;stroke-width:2.2;stroke-linejoin:round}
.bank{fill:none;stroke:#1c292c;stroke-linecap:round}.river{fill:none;stroke:#a9c8cd;stroke-linecap:round}
.coast{fill:none;stroke:#1c292c;stroke-width:3;stroke-linejoin:round}
.sea{fill:none;stroke:#185062;stroke-width:1;stroke-opacity:.4}.ripple{fill:none;stroke:#185062;stroke-opacity:.55}
@media(prefers-color-scheme:dark){
.forest{fill:#21443a}.mountain{fill:#46525a}.steppe{fill:#5f553c}.grassland{fill:#3d5f40}
.strokes,.region,.border,.shore,.bank,.coast{stroke:#e8e0cc}.region{stroke-opacity:.16}.strokes{stroke-opacity:.42}
.border{stroke-opacity:.6}.lake{fill:#12303b}.river{stroke:#1d4a58}.sea,.ripple{stroke:#93c7cc}.sea{stroke-opacity:.3}
}
"""


def draw_ground(document: Document) -> str:
    """The ground as an SVG file."""
    lines: Lines = [[(x, y) for x, y in line["points"]] for line in document["lines"]]
    layers = [
        *_sea(document, lines),
        *_terrains(document, lines),
        *_strokes(document, lines),
        *_regions(document, lines),
        *_lakes(document, lines),
        *_rivers(document, lines),
        *_lines_of(document, lines, "border", "sea", inside=True),
        *_lines_of(document, lines, "coast", "sea", inside=False),
    ]
    width, height = document["width"] + 2 * MARGIN, document["height"] + 2 * MARGIN
    size = f'viewBox="{-MARGIN} {-MARGIN} {width} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{STYLE}</style>\n' + "\n".join(layers) + "\n</svg>\n"


def _along(lines: Lines, step: int) -> Sequence[Spot]:
    points = lines[abs(step) - 1]
    return points if step > 0 else points[::-1]


def _shape(lines: Lines, outline: Sequence[int]) -> Polygon:
    return Polygon([spot for step in outline for spot in flatten(_along(lines, step))])


def _path(lines: Lines, outline: Sequence[int]) -> str:
    return closed_path([_along(lines, step) for step in outline])


def _open_path(points: Sequence[Spot]) -> str:
    return f"M{points[0][0]:g} {points[0][1]:g}{curve(points)}"


def _terrains(document: Document, lines: Lines) -> Iterator[str]:
    for terrain in rules.TERRAINS:
        paths = "".join(
            _path(lines, drawn["outline"])
            for name, drawn in document["territories"].items()
            if rules.BOARD.terrains[rules.BOARD.index[name]] == terrain
        )
        yield f'<path class="{terrain}" d="{paths}"/>'


def _strokes(document: Document, lines: Lines) -> Iterator[str]:
    """A few strokes in each territory, clear of the place of the huts and of the name."""
    rng = random.Random(7)
    drawn = []
    for name, land in document["territories"].items():
        terrain = rules.BOARD.terrains[rules.BOARD.index[name]]
        (x, y), (label_x, label_y) = land["huts"], land["name"]
        ground = _shape(lines, land["outline"]).buffer(-8)
        ground = ground.difference(Point(x, y).buffer(land["radius"] * 0.86))
        ground = ground.difference(box(label_x - 18, label_y - 13, label_x + 18, label_y + 13))
        drawn += [GLYPHS[terrain](spot, rng) for spot in _scatter(ground, SPACING[terrain], rng)]
    yield f'<path class="strokes" d="{"".join(drawn)}"/>'


def _scatter(ground: Polygon, spacing: float, rng: random.Random) -> list[Spot]:
    """Spots of the ground at least `spacing` apart, in reading order."""
    left, top, right, bottom = ground.bounds
    spots: list[Spot] = []
    for _try in range(260):
        x, y = rng.uniform(left, right), rng.uniform(top, bottom)
        apart = all((x - a) ** 2 + (y - b) ** 2 > spacing**2 for a, b in spots)
        if apart and ground.contains(Point(x, y)):
            spots.append((x, y))
    return sorted(spots, key=lambda spot: (spot[1], spot[0]))


def _tree(spot: Spot, rng: random.Random) -> str:
    high, wide = rng.uniform(8, 12), rng.uniform(3, 4.4)
    x, y = spot[0], spot[1] + high / 2
    left = f"q{wide * 0.7:.1f}-{high * 0.3:.1f} {wide:.1f}-{high * 0.8:.1f}"
    right = f"q{wide * 0.4:.1f} {high * 0.5:.1f} {wide:.1f} {high * 0.8:.1f}"
    return f"M{x:.0f} {y:.1f}v{-high * 0.4:.1f}m{-wide:.1f} 0{left}{right}z"


def _peak(spot: Spot, rng: random.Random) -> str:
    high, wide = rng.uniform(8, 13), rng.uniform(6, 8.5)
    x, y = spot[0] - wide, spot[1] + high / 2
    slope = wide * rng.uniform(0.85, 1.1)
    return (
        f"M{x:.0f} {y:.0f}l{slope:.1f}-{high:.1f} {2 * wide - slope:.1f} {high:.1f}"
        f"m-{2 * wide - slope:.1f}-{high:.1f}l{rng.uniform(-0.5, 1.5):.1f} {high * 0.45:.1f} 2 {high * 0.2:.1f}"
    )


def _tuft(spot: Spot, rng: random.Random) -> str:
    x, y, high = spot[0], spot[1] + 3, rng.uniform(5, 8)
    left = f"M{x - 3:.0f} {y:.0f}q-1-{high * 0.5:.1f}-2-{high * 0.7:.1f}"
    right = f"M{x + 3:.0f} {y:.0f}q1-{high * 0.5:.1f} 2.5-{high * 0.7:.1f}"
    return f"{left}M{x:.0f} {y:.0f}v-{high:.1f}{right}"


def _blades(spot: Spot, rng: random.Random) -> str:
    wide = rng.uniform(4, 6)
    return f"M{spot[0] - wide:.0f} {spot[1]:.0f}q{wide / 2:.1f}-{wide * 0.6:.1f} {wide:.1f} 0t{wide:.1f} 0"


GLYPHS = {"forest": _tree, "mountain": _peak, "steppe": _tuft, "grassland": _blades}


def _sides(document: Document, number: int) -> tuple[str, str]:
    one, other = document["lines"][number]["sides"]
    return one, other


def _is_land(name: str) -> bool:
    return name in rules.BOARD.index


def _regions(document: Document, lines: Lines) -> Iterator[str]:
    between = [
        _open_path(points)
        for number, points in enumerate(lines)
        if all(map(_is_land, _sides(document, number))) and len({side[0] for side in _sides(document, number)}) == 2
    ]
    yield f'<path class="region" d="{"".join(between)}"/>'


def _lines_of(document: Document, lines: Lines, kind: str, water: str, *, inside: bool) -> Iterator[str]:
    """Borders between territories, or (not `inside`) the lines where land meets `water`."""
    chosen = []
    for number, points in enumerate(lines):
        sides = _sides(document, number)
        wet = water in sides
        if (inside and all(map(_is_land, sides))) or (not inside and wet):
            chosen.append(_open_path(points))
    yield f'<path class="{kind}" d="{"".join(chosen)}"/>'


def _lakes(document: Document, lines: Lines) -> Iterator[str]:
    for outline in document["lakes"].values():
        yield f'<path class="lake" d="{_path(lines, outline)}"/>'
        for inset, width in ((-5, 1.0), (-10, 0.6)):
            yield from _rings(_shape(lines, outline).buffer(inset), f'class="ripple" stroke-width="{width}"')
        yield f'<path class="shore" d="{_path(lines, outline)}"/>'


def _rings(shape: Polygon, attributes: str) -> Iterator[str]:
    for part in getattr(shape, "geoms", [shape]):
        if not part.is_empty:
            spots = " ".join(f"{x:.0f} {y:.0f}" for x, y in part.simplify(0.7).exterior.coords)
            yield f'<path {attributes} d="M{spots}z"/>'


def _sea(document: Document, lines: Lines) -> Iterator[str]:
    """Lines along the coast, as old maps have them."""
    faces = [drawn["outline"] for drawn in document["territories"].values()] + list(document["lakes"].values())
    land = Polygon()
    for outline in faces:
        land = land.union(_shape(lines, outline).buffer(0.5))
    for outset in (5, 11, 18):
        yield from _rings(land.buffer(outset), f'class="sea" stroke-width="{1.6 - outset / 18:.1f}"')


def _rivers(document: Document, lines: Lines) -> Iterator[str]:
    """Each river widens along its course; its banks are drawn first, so that its parts flow into one another."""
    for kind, more in (("bank", 2.4), ("river", 0.0)):
        for river in document["rivers"]:
            for step, start, end in zip(river["course"], river["widths"], river["widths"][1:], strict=False):
                yield from _stretch(_along(lines, step), start + more, end + more, kind)


def _stretch(points: Sequence[Spot], start: float, end: float, kind: str) -> Iterator[str]:
    spots = flatten(points)
    pieces = 4
    for piece in range(pieces):
        part = spots[len(spots) * piece // pieces : len(spots) * (piece + 1) // pieces + 1]
        width = start + (end - start) * (piece + 0.5) / pieces
        if len(part) > 1:
            drawn = " ".join(f"{x:.1f} {y:.1f}" for x, y in LineString(part).coords)
            yield f'<path class="{kind}" stroke-width="{width:.1f}" d="M{drawn}"/>'


def main() -> None:
    TARGET.write_text(draw_ground(json.loads(FILE.read_text(encoding="utf-8"))), encoding="utf-8")


if __name__ == "__main__":
    main()
