"""The bare net of the map: faces (land, lakes, sea) as loops of shared corner points."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import networkx as nx
from shapely import LineString, MultiPoint, Point, Polygon, voronoi_polygons
from shapely.geometry.polygon import orient
from shapely.prepared import prep

from tools.mapgen.noise import Noise

WIDTH, HEIGHT, MARGIN = 1000, 800, 18
TERRITORIES = 60
BORDERS = (136, 147)
TRIES = 40
HEADLAND = 24.0

Spot = tuple[float, float]
T = TypeVar("T")


class Unfit(Exception):
    """This seed gives no map that meets the specification; the message says which part."""


@dataclass
class Mesh:
    """Corners and, for each face but the sea, the loop of its corners, clockwise on the sheet."""

    corners: list[Spot]
    loops: dict[int, list[int]]
    lakes: set[int]

    @property
    def lands(self) -> list[int]:
        return [face for face in self.loops if face not in self.lakes]

    def sea_sides(self) -> list[tuple[int, tuple[int, int]]]:
        """Faces by the sea, each with its edge there."""
        return [(beside[0], edge) for edge, beside in edges(self).items() if len(beside) == 1]


def around(loop: Sequence[T]) -> Iterator[tuple[T, T]]:
    """Each element with the next one, the last with the first."""
    return zip(loop, [*loop[1:], loop[0]], strict=True)


def outline(rng: random.Random) -> Polygon:
    """The rough shape of the land: a rounded sheet with capes and gulfs, its points in order round the middle."""
    noise = Noise(rng)
    wide, high = WIDTH / 2 - MARGIN, HEIGHT / 2 - MARGIN
    spots = []
    for x, y in _ring(48):
        # |x|^p + |y|^p = 1 with p = 4: between an ellipse and the sheet of paper.
        reach = 1 / ((x**4 + y**4) ** 0.5) ** 0.5
        reach *= 0.965 + 0.05 * noise.fractal(3 + 2.2 * x, 3 + 2.2 * y, octaves=2)
        spots.append((WIDTH / 2 + wide * reach * x, HEIGHT / 2 + high * reach * y))
    return Polygon([(round(x, 3), round(y, 3)) for x, y in spots])


def _ring(count: int) -> Iterator[Spot]:
    """Directions all round, spread evenly on a square's sides (no sine needed)."""
    side = count // 4
    steps = [2 * (step + 0.5) / side - 1 for step in range(side)]
    yield from ((t, -1.0) for t in steps)
    yield from ((1.0, t) for t in steps)
    yield from ((-t, 1.0) for t in steps)
    yield from ((-1.0, -t) for t in steps)


def seeds(rng: random.Random, land: Polygon, count: int, rounds: int) -> list[Spot]:
    """Random places on the land, spread out by a few rounds of Lloyd's relaxation."""
    inside = prep(land)
    spots: list[Spot] = []
    room = (land.area / count) ** 0.5 * 0.72
    while len(spots) < count:
        spot = (rng.uniform(0, WIDTH), rng.uniform(0, HEIGHT))
        near = any((spot[0] - x) ** 2 + (spot[1] - y) ** 2 < room * room for x, y in spots)
        room *= 0.9998
        if not near and inside.contains(Point(spot)):
            spots.append((round(spot[0], 3), round(spot[1], 3)))
    for _ in range(rounds):
        cells = _voronoi(spots, land)
        centers = [cell.intersection(land).centroid for cell in cells]
        spots = [(round(center.x, 3), round(center.y, 3)) for center in centers]
    return spots


def _voronoi(spots: Sequence[Spot], frame: Polygon) -> list[Polygon]:
    cells = voronoi_polygons(MultiPoint(list(spots)), extend_to=frame, ordered=True)
    return list(cells.geoms)


def _sea_ring(land: Polygon, count: int) -> list[Spot]:
    """Places outside the land whose cells cut off the coast."""
    gap = (land.area / count) ** 0.5 * 0.5
    ring = land.buffer(gap).exterior
    steps = int(ring.length / (gap * 1.1))
    places = [ring.interpolate(step / steps, normalized=True) for step in range(steps)]
    return [(round(place.x, 3), round(place.y, 3)) for place in places]


def make_mesh(rng: random.Random, *, inland: int, edge: int, rounds: int) -> Mesh:
    """Cells of random places, of which some are chosen as lakes; the land fits the specification."""
    for _ in range(TRIES):
        land = outline(rng)
        mesh = _cells(rng, land, TERRITORIES + inland + edge, rounds)
        for _ in range(TRIES):
            mesh.lakes = set()
            if _choose_lakes(mesh, rng, inland=inland, edge=edge) and _fits(mesh):
                return mesh
    raise Unfit("no choice of lakes leaves the land as it should be")


def _cells(rng: random.Random, land: Polygon, count: int, rounds: int) -> Mesh:
    spots = seeds(rng, land, count, rounds)
    cells = _voronoi([*spots, *_sea_ring(land, count)], land.buffer(200))
    corners: dict[Spot, int] = {}
    loops: dict[int, list[int]] = {}
    for face, cell in enumerate(cells[:count]):
        # Shapely's "counterclockwise" takes y upward: on the sheet, with y downward, it is clockwise.
        turned = orient(cell, 1.0).exterior.coords[:-1]
        ring = [(round(x, 3), round(y, 3)) for x, y in turned]
        loops[face] = [corners.setdefault(spot, len(corners)) for spot in ring]
    return _plain_coast(Mesh(list(corners), loops, set()))


def _plain_coast(mesh: Mesh) -> Mesh:
    """Drops the corners that only one face has, but for the farthest out where that leaves a headland."""
    held = Counter(corner for loop in mesh.loops.values() for corner in loop)
    loops = {}
    for face, loop in mesh.loops.items():
        shared = [corner for corner in loop if held[corner] > 1]
        alone = [corner for corner in loop if held[corner] == 1]
        spots = [mesh.corners[corner] for corner in shared]
        body = Polygon(spots) if len(spots) > 2 else LineString(spots)
        far = sorted(alone, key=lambda corner: -body.distance(Point(mesh.corners[corner])))[:1]
        keep = {corner for corner in far if body.distance(Point(mesh.corners[corner])) > HEADLAND or len(shared) < 3}
        loops[face] = [corner for corner in loop if held[corner] > 1 or corner in keep]
    used = sorted({corner for loop in loops.values() for corner in loop})
    number = {corner: index for index, corner in enumerate(used)}
    corners = [mesh.corners[corner] for corner in used]
    return Mesh(corners, {face: [number[corner] for corner in loop] for face, loop in loops.items()}, set())


def _fits(mesh: Mesh) -> bool:
    """Whether the land has fair numbers of neighbors and holds together (rules 9)."""
    beside = touching(mesh)
    land = nx.Graph((a, b) for a in mesh.lands for b in beside[a] if b not in mesh.lakes)
    degrees = [degree for _, degree in land.degree]
    if len(degrees) < TERRITORIES or min(degrees) < 3 or max(degrees) > 7:
        return False
    return BORDERS[0] <= land.number_of_edges() <= BORDERS[1] and bool(nx.is_biconnected(land))


def touching(mesh: Mesh) -> dict[int, set[int]]:
    """Faces that share an edge, land and lakes alike."""
    sides = edges(mesh)
    beside: dict[int, set[int]] = {face: set() for face in mesh.loops}
    for faces in sides.values():
        if len(faces) == 2:
            beside[faces[0]].add(faces[1])
            beside[faces[1]].add(faces[0])
    return beside


def edges(mesh: Mesh) -> dict[tuple[int, int], list[int]]:
    """For each edge (lower corner first) the one or two faces beside it."""
    sides: dict[tuple[int, int], list[int]] = {}
    for face, loop in mesh.loops.items():
        for a, b in around(loop):
            sides.setdefault((min(a, b), max(a, b)), []).append(face)
    return sides


def _choose_lakes(mesh: Mesh, rng: random.Random, *, inland: int, edge: int) -> bool:
    """Picks lakes that do not touch; mostly those that few territories look at."""
    beside = touching(mesh)
    at_sea = {face for face, _ in mesh.sea_sides()}
    for count, by_sea, few in ((edge, True, 4), (inland, False, 5)):
        for _ in range(count):
            fit = [face for face in mesh.loops if (face in at_sea) == by_sea and not _close(face, mesh.lakes, beside)]
            small = [face for face in fit if len(beside[face]) <= few]
            if not fit:
                return False
            mesh.lakes.add(rng.choice(small if small and rng.random() < 0.75 else fit))
    return True


def _close(face: int, lakes: set[int], beside: dict[int, set[int]]) -> bool:
    return face in lakes or any(one in lakes for one in beside[face])
