"""Finds in each territory the place of its huts (a disc) and of its name (a small box)."""

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from tools.mapgen.mesh import Spot, Unfit

NAME_WIDTH, NAME_HEIGHT = 26, 14
LEAST_RADIUS, MOST_RADIUS = 31.0, 44.0
CLEAR = 2.5
GRID = 4

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Places:
    """Where huts and name stand; `radius` of the disc free of borders, rivers and the name."""

    huts: Spot
    radius: float
    name: Spot


def find_places(ground: BaseGeometry) -> Places:
    """The roomiest places on the ground (a territory without its rivers)."""
    inner = ground.buffer(-CLEAR)
    spots = grid_in(inner)
    room = np.asarray(shapely.distance(shapely.points(spots), inner.boundary))
    wide, high = NAME_WIDTH / 2, NAME_HEIGHT / 2
    x, y = spots[:, 0], spots[:, 1]
    boxes = shapely.box(x - wide, y - high, x + wide, y + high)
    written = shapely.contains(inner, boxes)
    margin = np.minimum(3.0, shapely.distance(boxes[written], inner.boundary))
    huts, names = spots[room >= LEAST_RADIUS], spots[written]
    if not len(huts) or not len(names):
        raise Unfit("a territory has no room for huts or name")
    gap = _gaps(huts, names)
    radius = np.minimum(np.minimum(room[room >= LEAST_RADIUS][:, None], gap), MOST_RADIUS)
    above = names[None, :, 1] < huts[:, None, 1]
    worth = radius + margin[None, :] + 1.5 * above - 0.06 * gap
    worth[gap < LEAST_RADIUS] = -1
    hut, name = np.unravel_index(int(np.argmax(np.round(worth, 6))), worth.shape)
    if worth[hut, name] < 0:
        raise Unfit("a territory has no room for huts and name")
    return Places(_spot(huts[hut]), float(int(radius[hut, name])), _spot(names[name]))


def grid_in(ground: BaseGeometry) -> Floats:
    left, top, right, bottom = (int(value) for value in ground.bounds)
    across, down = np.meshgrid(np.arange(left, right + 1, GRID), np.arange(top, bottom + 1, GRID))
    spots = np.column_stack((across.ravel(), down.ravel())).astype(float)
    return spots[shapely.contains_xy(ground, spots[:, 0], spots[:, 1])]


def _gaps(huts: Floats, names: Floats) -> Floats:
    """Distance from each place of huts to the box of each name."""
    dx = np.maximum(0, np.abs(huts[:, None, 0] - names[None, :, 0]) - NAME_WIDTH / 2)
    dy = np.maximum(0, np.abs(huts[:, None, 1] - names[None, :, 1]) - NAME_HEIGHT / 2)
    gaps: Floats = np.sqrt(dx * dx + dy * dy)
    return gaps


def _spot(row: Floats) -> Spot:
    return float(row[0]), float(row[1])
