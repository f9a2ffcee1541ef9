"""Lets the net settle like a foam: fair sizes, no short borders, no narrow waists.

The corners roll down the slope of an energy measured in units of a typical territory's side.
"""

import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.mapgen.mesh import Mesh, edges

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

STEPS, RATE, DRIFT, LONGEST_STEP = 300, 0.012, 0.85, 0.03
SIZE_PULL, ROUND_PULL, SHORT_PUSH, WAIST_PUSH, HOME_PULL = 3.0, 1.0, 3.0, 4.0, 0.2
FAIR_GIRTH = 3.85  # of a face of size 1; a hexagon has 3.72
SHORTEST, SHORTEST_SHORE, NARROWEST = 0.38, 0.36, 0.75
SMALLEST = 0.8  # of the territories; only lakes are smaller


@dataclass
class Foam:
    """Index arrays of the net: what each term of the energy acts on."""

    heads: Ints  # for each side of each face: its corner, the next corner, its face
    tails: Ints
    faces: Ints
    goal: Floats  # wished size per face
    edges: Ints  # corner pairs
    shortest: Floats  # wished least length per edge
    narrowest: Floats  # wished least width per waist
    waists: Ints  # corner, and the two ends of an edge of the same face away from it
    shore: NDArray[np.bool_]  # corners by the sea: they stay near their place


def relax(mesh: Mesh, rng: random.Random, lake_sizes: list[float]) -> None:
    """Moves the corners of the mesh; `lake_sizes` are shares of a territory, inland lakes last."""
    foam, unit = _foam(mesh, rng, lake_sizes)
    home = np.array(mesh.corners) / unit
    spots = home.copy()
    move = np.zeros_like(spots)
    for step in range(STEPS):
        limit = LONGEST_STEP * (1 - 0.9 * step / STEPS)
        move = np.clip(DRIFT * move - RATE * _slope(spots, home, foam), -limit, limit)
        spots += move
    mesh.corners = [(round(float(x), 3), round(float(y), 3)) for x, y in spots * unit]


def _foam(mesh: Mesh, rng: random.Random, lake_sizes: list[float]) -> tuple[Foam, float]:
    number = {face: index for index, face in enumerate(mesh.loops)}
    sides = edges(mesh)
    total = sum(_area(mesh, face) for face in mesh.loops)
    wishes = {face: rng.uniform(0.86, 1.18) for face in mesh.lands}
    at_sea = {faces[0] for faces in sides.values() if len(faces) == 1}
    lakes = sorted(mesh.lakes, key=lambda face: face not in at_sea)
    wishes |= dict(zip(lakes, lake_sizes, strict=True))
    unit = (total / sum(wishes.values())) ** 0.5
    rows = [
        (a, b, number[face])
        for face, loop in mesh.loops.items()
        for a, b in zip(loop, [*loop[1:], loop[0]], strict=True)
    ]
    heads, tails, faces = (np.array(column) for column in zip(*rows, strict=True))
    shortest = [
        SHORTEST_SHORE if len(beside) == 1 or set(beside) & mesh.lakes else SHORTEST
        for beside in sides.values()
    ]
    waists = [
        (corner, loop[i], loop[(i + 1) % len(loop)], face)
        for face, loop in mesh.loops.items()
        for i in range(len(loop))
        for corner in loop
        if corner not in (loop[i], loop[(i + 1) % len(loop)])
    ]
    coast = {corner for edge, beside in sides.items() if len(beside) == 1 for corner in edge}
    foam = Foam(
        heads=heads,
        tails=tails,
        faces=faces,
        goal=np.array([wishes[face] for face in mesh.loops]),
        edges=np.array(list(sides)),
        shortest=np.array(shortest),
        narrowest=np.array([_least_width(wishes[face]) for *_, face in waists]),
        waists=np.array(waists)[:, :3],
        shore=np.array([corner in coast for corner in range(len(mesh.corners))]),
    )
    return foam, unit


def _least_width(size: float) -> float:
    return NARROWEST if size > SMALLEST else 0.62 * float(size**0.5)


def _area(mesh: Mesh, face: int) -> float:
    loop = mesh.loops[face]
    spots = [mesh.corners[corner] for corner in loop]
    turned = zip(spots, [*spots[1:], spots[0]], strict=True)
    return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in turned)) / 2


def _slope(spots: Floats, home: Floats, foam: Foam) -> Floats:
    slope = np.zeros_like(spots)
    _add_sizes(slope, spots, foam)
    _add_short_edges(slope, spots, foam)
    _add_waists(slope, spots, foam)
    slope[foam.shore] += HOME_PULL * 2 * (spots - home)[foam.shore]
    return slope


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
    over = (2 * ROUND_PULL * np.maximum(0, girth / fair - 1) / fair)[foam.faces] / length
    _add(slope, foam.heads, -over * dx, -over * dy)
    _add(slope, foam.tails, over * dx, over * dy)


def _add_short_edges(slope: Floats, spots: Floats, foam: Foam) -> None:
    a, b = foam.edges[:, 0], foam.edges[:, 1]
    dx, dy = (spots[b] - spots[a]).T
    length = np.maximum(np.sqrt(dx * dx + dy * dy), 1e-6)
    lack = np.maximum(0, 1 - length / foam.shortest)
    push = 2 * SHORT_PUSH * lack / foam.shortest / length
    _add(slope, a, push * dx, push * dy)
    _add(slope, b, -push * dx, -push * dy)


def _add_waists(slope: Floats, spots: Floats, foam: Foam) -> None:
    """Pushes a corner and an edge of the same face apart where the corner stands over the edge."""
    corner, a, b = foam.waists.T
    dx, dy = (spots[b] - spots[a]).T
    px, py = (spots[corner] - spots[a]).T
    share = (px * dx + py * dy) / np.maximum(dx * dx + dy * dy, 1e-9)
    ex, ey = px - share * dx, py - share * dy
    apart = np.maximum(np.sqrt(ex * ex + ey * ey), 1e-6)
    tight = np.flatnonzero((share > 0) & (share < 1) & (apart < foam.narrowest))
    share, apart, least = share[tight], apart[tight], foam.narrowest[tight]
    push = 2 * WAIST_PUSH * (1 - apart / least) / least / apart
    ex, ey = push * ex[tight], push * ey[tight]
    _add(slope, corner[tight], -ex, -ey)
    _add(slope, a[tight], (1 - share) * ex, (1 - share) * ey)
    _add(slope, b[tight], share * ex, share * ey)


def _add(slope: Floats, corners: Ints, x: Floats, y: Floats) -> None:
    slope[:, 0] += np.bincount(corners, x, len(slope))
    slope[:, 1] += np.bincount(corners, y, len(slope))
