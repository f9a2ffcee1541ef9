"""Draws what no move changes: `python -m tools.mapgen.ground --id NAME` writes ground.svg, lines.svg, land.svg,
small.svg and spots.js of that map into static/games/maps/NAME.

The ground (sea, tints, terrains) lies under whatever fades where land is empty, the lines (borders, coast, water) over
it; both carry both papers, day and night. The land is the outline of each territory by its name, for pages to `<use>`.
The small one is the whole map beside the name of a table that has not started. The spots are where huts stand, for
scripts. The same map gives the same bytes.
"""

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from shapely import Point, unary_union
from shapely.geometry.base import BaseGeometry

from games.drawing.outlines import read_outlines
from games.drawing.small_board import draw_small_map
from games.drawing.static_files import BY_NIGHT
from games.drawing.svg import MARGIN
from games.rules.board import read_board
from tools.mapgen.__main__ import BOARD, BOARDS, FIRST_MAP, OUTLINE_FILES, OUTLINES, ROOT
from tools.mapgen.ink import closed_curve, open_curve, rings
from tools.mapgen.mesh import Spot
from tools.mapgen.ornaments import compass, frame
from tools.mapgen.sheet_shapes import Curve, Shapes
from tools.mapgen.strokes import GLYPHS, REACH, SPACING, Drawn
from tools.mapgen.terrains import TERRAINS

STATIC = ROOT / "games" / "static" / "games"
MAPS = STATIC / "maps"

DAY = {
    "paper": "#f5efe1", "ink": "#1c292c", "sea": "#185062", "wash": "#a9c6c6", "water": "#bfd6d8",
    "forest": "#8aa67a", "mountain": "#cdcac2", "steppe": "#e2c892", "grassland": "#c4d48f",
}  # fmt: skip
NIGHT = {
    "paper": "#0e1d22", "ink": "#e8e0cc", "sea": "#93c7cc", "wash": "#14343d", "water": "#15394a",
    "forest": "#1f4638", "mountain": "#4a565e", "steppe": "#665938", "grassland": "#41653c",
}  # fmt: skip

BANDS = (3.0, 7.5, 13.0)  # how far each tint along a border reaches inland
WASHES = ((30.0, 0.16), (20.0, 0.2), (11.0, 0.28))  # away from the land, strength
WATERLINES = (
    (4.5, 1.3, 0.6),
    (10.0, 1.1, 0.42),
    (16.5, 0.9, 0.28),
    (24.0, 0.7, 0.17),
)  # away, width of the line, strength


def draw_all(shapes: Shapes) -> dict[str, str]:
    """The files of a map, by name."""
    small = draw_small_map(read_outlines(shapes.outlines, read_board(shapes.board)))
    drawn = {"ground.svg": draw_ground(shapes), "lines.svg": draw_lines(shapes), "land.svg": draw_land(shapes)}
    return {**drawn, "small.svg": small, "spots.js": write_spots(shapes)}


def draw_ground(shapes: Shapes) -> str:
    """The ground under the land and the land with its terrains."""
    return _file(shapes, [*_sea(shapes), *_tints(shapes), *_terrains(shapes)])


def draw_lines(shapes: Shapes) -> str:
    """Borders, coast, rivers and lakes, on nothing."""
    return _file(shapes, [*_borders(shapes), *_waters(shapes)])


def draw_land(shapes: Shapes) -> str:
    """The outlines of the territories, in no color: whoever uses one gives it theirs."""
    lands = [f'<path id="{name}" d="{closed_curve(shapes.rim(name))}"/>' for name in shapes.territories]
    return "\n".join(('<svg xmlns="http://www.w3.org/2000/svg">', *lands, "</svg>\n"))


def write_spots(shapes: Shapes) -> str:
    """The script that tells the others where huts stand: the middle and the radius of their place in each territory."""
    rows = shapes.outlines["territories"].items()
    spots = ",".join(f"\n{name}:[{x},{y},{row['radius']}]" for name, row in rows for x, y in [row["huts"]])
    return f"window.clans.spots={{{spots}\n}};\n"


def _file(shapes: Shapes, layers: Sequence[str]) -> str:
    width, height = (shapes.outlines[side] + 2 * MARGIN for side in ("width", "height"))
    size = f'id="night" viewBox="{-MARGIN} {-MARGIN} {width} {height}" stroke-linecap="round" stroke-linejoin="round"'
    drawn = "\n".join(layers)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{_style(drawn)}</style>\n{drawn}\n</svg>\n'


def _style(drawn: str) -> str:
    """Fills and strokes by class name, `f-water` and `s-ink`, for those that the drawing uses."""

    def dress(colors: dict[str, str], when: str = "") -> str:
        rules = [(f"f-{name}", f"fill:{color}") for name, color in colors.items()]
        rules += [(f"s-{name}", f"fill:none;stroke:{color}") for name, color in colors.items()]
        return "".join(f"{when}.{name}{{{rule}}}" for name, rule in rules if f'"{name}"' in drawn)

    return f"{dress(DAY)}{dress(NIGHT, BY_NIGHT)}"


def _sea(shapes: Shapes) -> Iterator[str]:
    """A hand-tinted shore and the lines that old maps draw along it."""
    for away, strength in WASHES:
        yield _path(rings(shapes.land.buffer(away), blunt=1.5), f'class="f-wash" fill-opacity="{strength}"')
    for away, width, strength in WATERLINES:
        waterline = rings(shapes.land.buffer(away), blunt=1.2)
        yield _path(waterline, f'class="s-sea" stroke-width="{width}" stroke-opacity="{strength}"')
    yield from frame((-MARGIN, -MARGIN, shapes.outlines["width"] + MARGIN, shapes.outlines["height"] + MARGIN))
    yield from compass(shapes, MARGIN)


def _tints(shapes: Shapes) -> Iterator[str]:
    """Each territory in the color of its terrain, stronger along its border as if tinted by hand."""
    hand = random.Random(11)
    for terrain in TERRAINS:
        names = [name for name, row in shapes.rows.items() if row["terrain"] == terrain]
        hand.shuffle(names)
        rims = {name: closed_curve(shapes.rim(name)) for name in names}
        yield _path("".join(rims.values()), 'class="f-paper"')
        for third, strength in enumerate((0.6, 0.67, 0.74)):
            tinted = "".join(rims[name] for name in names[third::3])
            yield _path(tinted, f'class="f-{terrain}" fill-opacity="{strength}"')
        for band in BANDS:
            edges = "".join(rims[name] + rings(shapes.territories[name].buffer(-band)) for name in names)
            yield _path(edges, f'class="f-{terrain}" fill-opacity=".42" fill-rule="evenodd"')


def _terrains(shapes: Shapes) -> Iterator[str]:
    """Trees, peaks, tufts and blades, clear of the places of huts and names and of water."""
    hand = random.Random(7)
    water = unary_union(shapes.ribbons)
    drawn = {terrain: Drawn() for terrain in TERRAINS}
    for name, ground in shapes.territories.items():
        terrain = shapes.rows[name]["terrain"]
        row = shapes.outlines["territories"][name]
        keep = Point(row["huts"]).buffer(row["radius"] * 0.9 + REACH[terrain] * 0.5)
        label = shapes.name_place(name).buffer(REACH[terrain] * 0.8)
        free = ground.buffer(-REACH[terrain]).difference(keep).difference(label).difference(water.buffer(7))
        for spot in _scatter(free, SPACING[terrain], hand):
            GLYPHS[terrain](spot, hand, drawn[terrain])
    for glyphs in drawn.values():
        pen = 'stroke-width="1.1" stroke-opacity=".62"'
        if glyphs.bodies:
            yield _path("".join(glyphs.bodies), f'class="s-ink" {pen}')
        if glyphs.shades:
            yield _path("".join(glyphs.shades), 'class="f-ink" fill-opacity=".16"')
        yield _path("".join(glyphs.strokes), f'class="s-ink" {pen.replace("1.1", ".9")}')


def _scatter(ground: BaseGeometry, spacing: float, hand: random.Random) -> list[Spot]:
    """Places on the ground at least `spacing` apart, in reading order."""
    if ground.is_empty:
        return []
    left, top, right, bottom = ground.bounds
    spots: list[Spot] = []
    for _try in range(400):
        x, y = hand.uniform(left, right), hand.uniform(top, bottom)
        apart = all((x - a) ** 2 + 1.3 * (y - b) ** 2 > spacing**2 for a, b in spots)
        if apart and ground.contains(Point(x, y)):
            spots.append((x, y))
    return sorted(spots, key=lambda spot: (spot[1], spot[0]))


def _borders(shapes: Shapes) -> Iterator[str]:
    """Regions soft and wide, territories thin, the coast strongest."""
    yield _curves(shapes.region_borders, 'class="s-ink" stroke-width="9" stroke-opacity=".17"')
    yield _curves(shapes.region_borders, 'class="s-ink" stroke-width="4.5" stroke-opacity=".16"')
    yield _curves(shapes.borders, 'class="s-ink" stroke-width="1.2" stroke-opacity=".78"')
    yield _curves(shapes.coast, 'class="s-ink" stroke-width="3"')
    yield _curves(shapes.bars, 'class="s-ink" stroke-width="1.6" stroke-dasharray="1 4.5"')


def _waters(shapes: Shapes) -> Iterator[str]:
    """Rivers and lakes: all banks first, then all water, so that they flow into one another."""
    rivers = "".join(rings(ribbon, blunt=0.3) for ribbon in shapes.ribbons)
    banks = "".join(rings(ribbon.intersection(shapes.land), blunt=0.3) for ribbon in shapes.ribbons)
    lakes = "".join(closed_curve(shapes.rim(lake)) for lake in shapes.lakes)
    yield _path(banks, 'class="s-ink" stroke-width="2.2"')
    yield _curves(shapes.shores(list(shapes.lakes)), 'class="s-ink" stroke-width="4.6"')
    yield _path(rivers, 'class="f-water"')
    yield _path(lakes, 'class="f-water"')
    for inset, width, strength in ((3.5, 1.0, 0.6), (7.5, 0.8, 0.42), (12, 0.7, 0.3)):
        ripples = "".join(rings(lake.buffer(-inset)) for lake in shapes.lakes.values())
        yield _path(ripples, f'class="s-sea" stroke-width="{width}" stroke-opacity="{strength}"')


def _curves(lines: Sequence[Curve], attributes: str) -> str:
    return _path("".join(open_curve(line) for line in lines), attributes)


def _path(data: str, attributes: str) -> str:
    return f'<path {attributes} d="{data}"/>'


def read_shapes(board: Path = BOARD, outlines: Path = OUTLINES) -> Shapes:
    """A map of two files; the first one if none is given."""
    return Shapes(*(json.loads(path.read_text(encoding="utf-8")) for path in (board, outlines)))


def main() -> None:
    """Writes all files."""
    parser = argparse.ArgumentParser(prog="python -m tools.mapgen.ground", description=__doc__)
    parser.add_argument("--id", default=FIRST_MAP, help="what the map is called (%(default)s if not given)")
    parser.add_argument("--board", type=Path, help="the file of the board, not that among the site's maps")
    parser.add_argument("--outlines", type=Path, help="the file of the outlines, likewise")
    parser.add_argument("--into", type=Path, help="the folder for the files, likewise")
    options = parser.parse_args()
    shapes = read_shapes(
        options.board or BOARDS / f"{options.id}.json", options.outlines or OUTLINE_FILES / f"{options.id}.json"
    )
    folder = options.into or MAPS / options.id
    folder.mkdir(parents=True, exist_ok=True)
    for name, drawn in draw_all(shapes).items():
        (folder / name).write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
