"""From a seed to the two documents, step by step."""

import random
from collections.abc import Mapping
from dataclasses import dataclass

import networkx as nx
from shapely import LineString, Polygon, unary_union

from games.rules import STANDARD
from tools.mapgen import mesh, places, regions, rivers, terrains
from tools.mapgen.curves import SEA, Line, Net, run_through
from tools.mapgen.documents import Document
from tools.mapgen.growth import Growth, drawn, grow, walk
from tools.mapgen.mesh import Mesh, Unfit

EDGE_LAKES = (0.55, 0.42, 0.34)
INLAND_LAKES = (1.05, 0.72, 0.56, 0.46, 0.4, 0.36, 0.33)


@dataclass
class Map:
    """All parts of a map before they are written down."""

    net: Net
    outlines: dict[int, list[int]]  # face -> lines round it, clockwise, 1-based, negative: backward
    named: dict[int, str]  # every face, lakes too
    terrain: dict[int, str]
    rivers: list[rivers.River]
    places: dict[int, places.Places]


def make_map(seed: int, *, board: str, first: str = "A") -> tuple[Document, Document]:
    """Board and outlines of a seed, for a map called `board` whose `first` region has that letter; raises Unfit when
    the seed gives no map."""
    rng = random.Random(seed)
    raw = mesh.make_mesh(rng, inland=len(INLAND_LAKES), edge=len(EDGE_LAKES), rounds=3)
    sizes = [*rng.sample(EDGE_LAKES, len(EDGE_LAKES)), *rng.sample(INLAND_LAKES, len(INLAND_LAKES))]
    made = _name_all(raw, grow(raw, rng, sizes), rng, first=first)
    return board_document(made, board), outlines_document(made, board, seed)


def _name_all(raw: Mesh, growth: Growth, rng: random.Random, *, first: str) -> Map:
    net, shapes = growth.net, growth.shapes
    for face in raw.lands:
        places.find_places(shapes[face])
    land = _land(raw, net, shapes)
    parted = regions.part(land, rng)
    region_of = {face: index for index, region in enumerate(parted) for face in region}
    terrain = terrains.give_terrains(land, parted, rng)
    free = [number for number, line in enumerate(net.lines, 1) if _has_banks(net, number, line, shapes, region_of)]
    run = rivers.run_rivers(net, raw.lakes, free, rng)
    run_through(net, [river.course for river in run], rng)
    shapes = drawn(raw, net).shapes
    banks = unary_union([_bed(net, river) for river in run])
    found = {face: places.find_places(shapes[face].difference(banks)) for face in raw.lands}
    named = _names(parted, shapes, found, first=first)
    by_place = sorted(raw.lakes, key=lambda lake: (shapes[lake].centroid.y, lake))
    named |= {lake: f"lake {number}" for number, lake in enumerate(by_place, 1)}
    return Map(net, growth.outlines, named, terrain, run, found)


def _has_banks(net: Net, number: int, line: Line, shapes: Mapping[int, Polygon], region_of: Mapping[int, int]) -> bool:
    """Whether a river may run along a line: between two regions, and both sides keep their places."""
    right, left = region_of.get(line.right), region_of.get(line.left)
    if right is None or left is None or right == left:
        return False
    bed = LineString(walk(net, [number])).buffer(rivers.WIDE / 2)
    try:
        for face in (line.right, line.left):
            places.find_places(shapes[face].difference(bed))
    except Unfit:
        return False
    return True


def _bed(net: Net, river: rivers.River) -> Polygon:
    return LineString(walk(net, river.course)).buffer(max(river.widths) / 2)


def _land(raw: Mesh, net: Net, shapes: Mapping[int, Polygon]) -> regions.Land:
    land: regions.Land = nx.Graph()
    for face in raw.lands:
        center = shapes[face].centroid
        land.add_node(face, center=(center.x, center.y))
    for line in net.lines:
        if line.right in land and line.left in land:
            land.add_edge(line.right, line.left)
    return land


def _names(
    parted: list[set[int]], shapes: Mapping[int, Polygon], found: Mapping[int, places.Places], *, first: str
) -> dict[int, str]:
    whole = {index: unary_union([shapes[face] for face in region]) for index, region in enumerate(parted)}
    middles = {index: (shape.centroid.x, shape.centroid.y) for index, shape in whole.items()}
    huts = {face: place.huts for face, place in found.items()}
    region_row = regions.half_side([shape.area for shape in whole.values()])
    territory_row = regions.half_side([shapes[face].area for face in found])
    return regions.names(parted, middles, huts, region_row=region_row, territory_row=territory_row, first=first)


def board_document(made: Map, board: str) -> Document:
    """The topology as clans-board/1."""
    beside: dict[str, set[str]] = {made.named[face]: set() for face in made.places}
    for line in made.net.lines:
        if line.right in made.places and line.left in made.places:
            right, left = made.named[line.right], made.named[line.left]
            beside[right].add(left)
            beside[left].add(right)
    by_name = {made.named[face]: face for face in made.places}
    rows = [
        {
            "id": name,
            "region": name[0],
            "terrain": made.terrain[by_name[name]],
            "neighbors": sorted(beside[name]),
        }
        for name in sorted(beside)
    ]
    return {"format": "clans-board/1", "id": board, "territories": rows, "epochs": STANDARD.version.export_epochs()}


def outlines_document(made: Map, board: str, seed: int) -> Document:
    """The drawing as clans-outlines/1: shared lines, and what runs along which of them."""
    named = {**made.named, SEA: "sea"}
    lines = [
        {
            "sides": [named[line.right], named[line.left]],
            "points": [[int(x), int(y)] for x, y in made.net.spots(line)],
        }
        for line in made.net.lines
    ]
    territories = {
        made.named[face]: {
            "outline": made.outlines[face],
            "huts": [int(value) for value in place.huts],
            "radius": int(place.radius),
            "name": [int(value) for value in place.name],
        }
        for face, place in made.places.items()
    }
    lakes = {name: made.outlines[face] for face, name in made.named.items() if face not in made.places}
    return {
        "format": "clans-outlines/1",
        "board": board,
        "seed": seed,
        "width": mesh.WIDTH,
        "height": mesh.HEIGHT,
        "territories": dict(sorted(territories.items())),
        "lakes": dict(sorted(lakes.items(), key=lambda item: int(item[0].split()[1]))),
        "rivers": [{"course": river.course, "widths": river.widths} for river in made.rivers],
        "lines": lines,
    }
