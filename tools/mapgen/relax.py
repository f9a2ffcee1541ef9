"""Lets the net settle like a foam: fair sizes, no short borders, no narrow waists.

The corners roll down the slope of an energy measured in units of a typical territory's side.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.mapgen.mesh import Mesh, Spot, around, edges

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RATE, DRIFT, LONGEST_STEP, CAREFUL = 0.012, 0.85, 0.03, 0.2
SIZE_PULL, ROUND_PULL, SHORT_PUSH, WAIST_PUSH, HOME_PULL = 3.0, 1.0, 3.0, 4.0, 0.2
SEA_PULL = 0.25
FAIR_GIRTH = 3.85  # of a face of size 1; a hexagon has 3.72
SHORTEST, SHORTEST_SHORE, NARROWEST = 0.41, 0.46, 0.75
LAKE_WIDTH = 0.62  # of a lake of size 1


@dataclass
class Foam:
    """Index arrays of the net: what each term of the energy acts on."""

    heads: Ints  # for each side of each face: its corner, the next corner, its face
    tails: Ints
    faces: Ints
    pull: Floats  # how much a side counts in the girth of its face: by the sea little
    goal: Floats  # wished size per face
    edges: Ints  # corner pairs
    shortest: Floats  # wished least length per edge
    narrowest: Floats  # wished least width per waist
    waists: Ints  # corner, and the two ends of an edge of the same face away from it
    shore: NDArray[np.bool_]  # corners by the sea: they stay near their place


@dataclass
class Wishes:
    """What each face would like to be: its size, and its width at the narrowest, both in typical territories."""

    size: dict[int, float]
    width: dict[int, float]


def first_wishes(mesh: Mesh, rng: random.Random, lake_sizes: Sequence[float]) -> Wishes:
    """Territories of about equal size; lakes of the given sizes, those by the sea first."""
    size = {face: rng.uniform(0.88, 1.16) for face in mesh.lands}
    by_sea = {face for face, edge in mesh.sea_sides()}
    lakes = sorted(mesh.lakes, key=lambda face: (face not in by_sea, face))
    size |= dict(zip(lakes, lake_sizes, strict=True))
    width = dict.fromkeys(mesh.lands, NARROWEST)
    width |= {lake: LAKE_WIDTH * size[lake] ** 0.5 for lake in lakes}
    return Wishes(size, width)


def relax(mesh: Mesh, home: Sequence[Spot], wishes: Wishes, steps: int) -> None:
    """Moves the corners of the mesh toward the wishes; those by the sea are drawn to their places in `home`."""
    foam = _foam(mesh, wishes)
    unit = (sum(_area(mesh, face) for face in mesh.loops) / sum(wishes.size.values())) ** 0.5
    anchors, spots = np.array(home) / unit, np.array(mesh.corners) / unit
    move = np.zeros_like(spots)
    for step in range(steps):
        slope, reach = _slope(spots, anchors, foam)
        limit = np.minimum(LONGEST_STEP * (1 - 0.9 * step / steps), CAREFUL * reach)[:, None]
        move = np.clip(DRIFT * move - RATE * slope, -limit, limit)
        spots += move
    mesh.corners = [(round(float(x), 3), round(float(y), 3)) for x, y in spots * unit]


def _foam(mesh: Mesh, wishes: Wishes) -> Foam:
    number = {face: index for index, face in enumerate(mesh.loops)}
    sides = edges(mesh)
    rows = [(a, b, number[face]) for face, loop in mesh.loops.items() for a, b in around(loop)]
    heads, tails, faces = (np.array(column) for column in zip(*rows, strict=True))
    wet = [len(beside) == 1 or bool(set(beside) & mesh.lakes) for beside in sides.values()]
    waists = [
        (corner, a, b, face)
        for face, loop in mesh.loops.items()
        for a, b in around(loop)
        for corner in loop
        if corner not in (a, b)
    ]
    by_sea = {edge for _, edge in mesh.sea_sides()}
    coast = {corner for edge in by_sea for corner in edge}
    return Foam(
        heads=heads,
        tails=tails,
        faces=faces,
        pull=np.array([SEA_PULL if (min(a, b), max(a, b)) in by_sea else 1.0 for a, b, _ in rows]),
        goal=np.array([wishes.size[face] for face in mesh.loops]),
        edges=np.array(list(sides)),
        shortest=np.where(wet, SHORTEST_SHORE, SHORTEST),
        narrowest=np.array([wishes.width[face] for *_, face in waists]),
        waists=np.array(waists)[:, :3],
        shore=np.array([corner in coast for corner in range(len(mesh.corners))]),
    )


def _area(mesh: Mesh, face: int) -> float:
    loop = mesh.loops[face]
    spots = [mesh.corners[corner] for corner in loop]
    return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in around(spots))) / 2


def _slope(spots: Floats, home: Floats, foam: Foam) -> tuple[Floats, Floats]:
    """Which way the energy rises, and how far each corner can move before it may run into something."""
    slope, reach = np.zeros_like(spots), np.ones(len(spots))
    _add_sizes(slope, spots, foam)
    _add_short_edges(slope, spots, foam, reach)
    _add_waists(slope, spots, foam, reach)
    slope[foam.shore] += HOME_PULL * 2 * (spots - home)[foam.shore]
    return slope, reach


def _add_sizes(slope: Floats, spots: Floats, foam: Foam) -> None:
    x, y = spots[:, 0], spots[:, 1]
    ax, ay, bx, by = x[foam.heads], y[foam.heads], x[foam.tails], y[foam.tails]
    count = len(foam.goal)
    size = np.bincount(foam.faces, ax * by - ay * bx, count) / 2  # clockwise on the sheet: positive
    pull = (SIZE_PULL * (size / foam.goal - 1) / foam.goal)[foam.faces]
    _add(slope, foam.heads, pull * by, -pull * bx)
    _add(slope, foam.tails, -pull * ay, pull * ax)
    dx, dy = bx - ax, by - ay
    length = np.maximum(np.sqrt(dx * dx + dy * dy), 1e-6)
    girth = np.bincount(foam.faces, length, count)
    fair = FAIR_GIRTH * np.sqrt(foam.goal)
    over = (2 * ROUND_PULL * np.maximum(0, girth / fair - 1) / fair)[foam.faces] * foam.pull / length
    _add(slope, foam.heads, -over * dx, -over * dy)
    _add(slope, foam.tails, over * dx, over * dy)


def _add_short_edges(slope: Floats, spots: Floats, foam: Foam, reach: Floats) -> None:
    a, b = foam.edges[:, 0], foam.edges[:, 1]
    dx, dy = (spots[b] - spots[a]).T
    length = np.maximum(np.sqrt(dx * dx + dy * dy), 1e-6)
    lack = np.maximum(0, 1 - length / foam.shortest)
    push = 2 * SHORT_PUSH * lack / foam.shortest / length
    _add(slope, a, push * dx, push * dy)
    _add(slope, b, -push * dx, -push * dy)
    for end in (a, b):
        np.minimum.at(reach, end, length)


def _add_waists(slope: Floats, spots: Floats, foam: Foam, reach: Floats) -> None:
    """Pushes a corner and an edge of the same face apart where the corner stands over the edge.

    Also shortens the reach of their next step, lest the corner slip through.
    """
    corner, a, b = foam.waists.T
    dx, dy = (spots[b] - spots[a]).T
    px, py = (spots[corner] - spots[a]).T
    share = (px * dx + py * dy) / np.maximum(dx * dx + dy * dy, 1e-12)
    x, y = px - share * dx, py - share * dy
    apart = np.maximum(np.sqrt(x * x + y * y), 1e-6)
    tight = np.flatnonzero((share > 0) & (share < 1) & (apart < foam.narrowest))
    share, apart, least = share[tight], apart[tight], foam.narrowest[tight]
    push = 2 * WAIST_PUSH * (1 - apart / least) / least / apart
    x, y = push * x[tight], push * y[tight]
    _add(slope, corner[tight], -x, -y)
    _add(slope, a[tight], (1 - share) * x, (1 - share) * y)
    _add(slope, b[tight], share * x, share * y)
    for end in (corner, a, b):
        np.minimum.at(reach, end[tight], apart)


def _add(slope: Floats, corners: Ints, x: Floats, y: Floats) -> None:
    slope[:, 0] += np.bincount(corners, x, len(slope))
    slope[:, 1] += np.bincount(corners, y, len(slope))
