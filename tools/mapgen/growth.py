"""Grows the drawn faces: relax, draw, measure, and wish again until every territory has room."""

import random
from collections.abc import Mapping
from dataclasses import dataclass

from shapely import Polygon, maximum_inscribed_circle

from tools.mapgen import rivers
from tools.mapgen.curves import Net, draw_lines, flatten
from tools.mapgen.mesh import Mesh, Spot, Unfit
from tools.mapgen.relax import Wishes, first_wishes, relax

FIRST_STEPS, MORE_STEPS, ROUNDS = 300, 120, 12
ROOMY, FAIR = 35.2, 1.8  # least radius of a circle within any territory; largest over smallest


@dataclass
class Growth:
    """The lines, the lines round each face, and the shape of each face as drawn."""

    net: Net
    outlines: dict[int, list[int]]  # clockwise, 1-based, negative: backward
    shapes: dict[int, Polygon]


def grow(raw: Mesh, rng: random.Random, lake_sizes: list[float]) -> Growth:
    """The faces once all territories are roomy and of fair size."""
    home = list(raw.corners)
    wishes = first_wishes(raw, rng, lake_sizes)
    hand = rng.getrandbits(32)
    for turn in range(ROUNDS):
        relax(raw, home, wishes, MORE_STEPS if turn else FIRST_STEPS)
        try:
            growth = drawn(raw, draw_lines(raw, random.Random(hand)))
        except Unfit:
            hand = rng.getrandbits(32)  # another coast may have no lines that cross
            continue
        if not _wish_again(raw, growth.shapes, wishes):
            return growth
    raise Unfit("a territory stays too narrow, too large or too small")


def drawn(raw: Mesh, net: Net) -> Growth:
    """The shapes of a net as it is now. Raises Unfit when lines cross."""
    outlines = {face: _round(net, face) for face in raw.loops}
    return Growth(net, outlines, {face: _shape(net, outline) for face, outline in outlines.items()})


def _wish_again(raw: Mesh, shapes: Mapping[int, Polygon], wishes: Wishes) -> bool:
    """Lets narrow faces wish for more width and unfair ones for another size; whether any had to."""
    mean = sum(shapes[face].area for face in raw.lands) / len(raw.lands)
    rooms = {face: float(maximum_inscribed_circle(shapes[face]).length) for face in raw.lands}
    for face in raw.lands:
        lack = max(0.0, 1.06 - rooms[face] / ROOMY)
        wishes.width[face] *= 1 + lack
        share = shapes[face].area / mean
        wishes.size[face] *= 1 + lack / 2 - 0.5 * (max(share, 1.2) - 1.2) + 0.5 * (0.85 - min(share, 0.85))
    areas = [shapes[face].area for face in raw.lands]
    return min(rooms.values()) < ROOMY or max(areas) > FAIR * min(areas)


def _round(net: Net, face: int) -> list[int]:
    """The lines round a face in clockwise order."""
    steps = {}
    for number, line in enumerate(net.lines, 1):
        if line.right == face:
            steps[line.points[0]] = number
        if line.left == face:
            steps[line.points[-1]] = -number
    corner = min(steps)
    course = []
    for _ in range(len(steps)):
        course.append(steps[corner])
        corner = rivers.ends(net, steps[corner])[1]
    if len(set(course)) != len(steps):
        raise Unfit("a face has more than one rim")
    return course


def walk(net: Net, course: list[int]) -> list[Spot]:
    """The drawn curve along several lines, without repeating their joints."""
    spots: list[Spot] = []
    for step in course:
        curve = flatten(net.spots(net.lines[abs(step) - 1]))
        spots += (curve if step > 0 else curve[::-1])[:-1]
    last = net.lines[abs(course[-1]) - 1]
    return [*spots, net.points[last.points[-1 if course[-1] > 0 else 0]]]


def _shape(net: Net, outline: list[int]) -> Polygon:
    shape = Polygon(walk(net, outline))
    if not shape.is_valid:
        raise Unfit("lines cross")
    return shape
