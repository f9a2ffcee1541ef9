"""From the bare net to drawn lines: every line between two faces is made once, for both of them.

A line is a quadratic B-spline with fixed ends; its control points are whole numbers, so that what
is written down, drawn and measured is the same to the last digit.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tools.mapgen.mesh import HEIGHT, MARGIN, WIDTH, Mesh, Spot, around, edges
from tools.mapgen.noise import Noise

SEA = -1
SPACING = 13.0
WARP, WARP_CELL, WARP_GAIN = 9.0, 130.0, 0.35
COAST, COAST_CELL = 11.5, 52.0
BULGE, WOBBLE = 0.14, 0.07
SMOOTHINGS, COAST_SMOOTHINGS, RIVER_SMOOTHINGS = 1, 9, 3
WINDING, WINDING_CELL = 5.0, 30.0
PIECES = 4


@dataclass
class Line:
    """One line between two faces; who walks along it has `right` on the right hand on the sheet."""

    right: int
    left: int
    points: list[int]  # numbers of points; the first and last are corners shared with other lines
    is_wet: bool = False  # water on one side, land on the other


@dataclass
class Net:
    """All lines of the map over one list of shared points."""

    points: list[Spot]
    lines: list[Line]

    def spots(self, line: Line) -> list[Spot]:
        return [self.points[point] for point in line.points]


def draw_lines(mesh: Mesh, rng: random.Random) -> Net:
    """The net's lines: shores first, smoothed and roughened, then borders between where the shores came to lie."""
    net = Net(list(mesh.corners), [])
    chains = _chains(mesh)
    wet = [_sampled(net, *chain, is_wet=True) for chain in chains if _is_shore(*chain[:2], mesh.lakes)]
    coast = [line for line in wet if SEA in (line.right, line.left)]
    for turn in range(COAST_SMOOTHINGS):
        _smooth(net, coast if turn % 2 else wet, [])
    _roughen(net, wet, rng)
    dry = [_sampled(net, *chain) for chain in chains if not _is_shore(*chain[:2], mesh.lakes)]
    for line in dry:
        _bulge(net, line, rng)
    net.lines = wet + dry
    _warp(net, rng)
    _smooth(net, wet, dry)
    for _ in range(SMOOTHINGS):
        _smooth(net, [], dry)
    _fit(net)
    _round(net)
    return net


def run_through(net: Net, courses: Sequence[Sequence[int]], rng: random.Random) -> None:
    """Lets each course (lines as numbers from 1, negative: backward) run smoothly through its corners, and wind."""
    across, down = Noise(rng), Noise(rng)
    ways = [_way(net, course) for course in courses]
    for way in ways:
        for point in way.points[2:-2]:
            x, y = net.points[point]
            u, v = x / WINDING_CELL, y / WINDING_CELL
            net.points[point] = (x + WINDING * across.at(u, v), y + WINDING * down.at(u, v))
    bound = {point for way in ways for point in way.points}
    others = [line for line in net.lines if not set(line.points[1:-1]) & bound]
    dry = [line for line in others if not line.is_wet]
    for _ in range(RIVER_SMOOTHINGS):
        _smooth(net, [], [*dry, *ways])
    _round(net)


def _way(net: Net, course: Sequence[int]) -> Line:
    """Several lines as one."""
    points: list[int] = []
    for step in course:
        line = net.lines[abs(step) - 1].points
        points += (line if step > 0 else line[::-1])[bool(points) :]
    return Line(SEA, SEA, points, is_wet=True)


def _round(net: Net) -> None:
    net.points = [(float(round(x)), float(round(y))) for x, y in net.points]


def _fit(net: Net) -> None:
    """Moves and scales everything so that the land fills the sheet up to its margin."""
    for axis, size in enumerate((WIDTH, HEIGHT)):
        values = [spot[axis] for spot in net.points]
        low, high = min(values), max(values)
        scale = (size - 2 * MARGIN) / (high - low)
        net.points = [_moved(spot, axis, (spot[axis] - low) * scale + MARGIN) for spot in net.points]


def _moved(spot: Spot, axis: int, value: float) -> Spot:
    return (value, spot[1]) if axis == 0 else (spot[0], value)


def _is_shore(right: int, left: int, lakes: set[int]) -> bool:
    return (right == SEA or right in lakes) != (left == SEA or left in lakes)


def _sampled(net: Net, right: int, left: int, chain: Sequence[int], *, is_wet: bool = False) -> Line:
    """The line along a chain of corners, with new points between them."""
    points = [chain[0]]
    for a, b in pairwise(chain):
        start, end = net.points[a], net.points[b]
        length = ((start[0] - end[0]) ** 2 + (start[1] - end[1]) ** 2) ** 0.5
        pieces = max(2, round(length / SPACING))
        for piece in range(1, pieces):
            points.append(len(net.points))
            net.points.append(between(start, end, piece / pieces))
        points.append(b)
    return Line(right, left, points, is_wet)


def between(a: Spot, b: Spot, share: float) -> Spot:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _chains(mesh: Mesh) -> list[tuple[int, int, list[int]]]:
    """Right face, left face and corners of each line between two corners where three lines meet."""
    beside = _directed_sides(mesh)
    meets: dict[int, int] = {}
    for edge in edges(mesh):
        for corner in edge:
            meets[corner] = meets.get(corner, 0) + 1
    follow = {(a, b): [c for c, d in beside if d == b and c != a] for a, b in beside}
    chains, done = [], set()
    for a, b in sorted(beside):
        if meets[a] < 3 or (a, b) in done:
            continue
        chain = [a, b]
        while meets[chain[-1]] == 2:
            chain.append(follow[chain[-2], chain[-1]][0])
        done |= {(chain[0], chain[1]), (chain[-1], chain[-2])}
        chains.append((beside[a, b], beside[b, a], chain))
    return chains


def _directed_sides(mesh: Mesh) -> dict[tuple[int, int], int]:
    """The face to the right of each directed edge; the sea where no face is."""
    beside: dict[tuple[int, int], int] = {}
    for face, loop in mesh.loops.items():
        for a, b in around(loop):
            beside[a, b] = face
    for a, b in list(beside):
        beside.setdefault((b, a), SEA)
    return beside


def _roughen(net: Net, wet: Sequence[Line], rng: random.Random) -> None:
    """Capes and coves."""
    across, down = Noise(rng), Noise(rng)
    for point in sorted({point for line in wet for point in line.points}):
        x, y = net.points[point]
        u, v = x / COAST_CELL, y / COAST_CELL
        net.points[point] = (x + COAST * across.fractal(u, v, 3, 0.6), y + COAST * down.fractal(u, v, 3, 0.6))


def _warp(net: Net, rng: random.Random) -> None:
    """Moves everything by a slow tide, so that no line stays straight."""
    across, down = Noise(rng), Noise(rng)
    for point, (x, y) in enumerate(net.points):
        u, v = x / WARP_CELL, y / WARP_CELL
        dx, dy = across.fractal(u, v, 3, WARP_GAIN), down.fractal(u, v, 3, WARP_GAIN)
        net.points[point] = (x + WARP * dx, y + WARP * dy)


def _bulge(net: Net, line: Line, rng: random.Random) -> None:
    """Bends the line sideways: one broad bow and one finer wobble, nothing at its ends."""
    spots = net.spots(line)
    (x0, y0), (x1, y1) = spots[0], spots[-1]
    bow, wave = rng.uniform(-BULGE, BULGE), rng.uniform(-WOBBLE, WOBBLE)
    last = len(spots) - 1
    for index in range(1, last):
        t = index / last
        aside = 4 * t * (1 - t) * (bow + wave * (1 if index % 2 else -1) + 4 * wave * (t - 0.5))
        x, y = spots[index]
        net.points[line.points[index]] = (x - (y1 - y0) * aside, y + (x1 - x0) * aside)


def _smooth(net: Net, wet: Sequence[Line], dry: Sequence[Line]) -> None:
    """Pulls each point half way to the middle of the two beside it; shores run through corners."""
    beside: dict[int, list[int]] = {}
    for line in wet:
        for a, b in pairwise(line.points):
            beside.setdefault(a, []).append(b)
            beside.setdefault(b, []).append(a)
    for line in dry:
        for a, point, b in zip(line.points, line.points[1:], line.points[2:], strict=False):
            beside[point] = [a, b]
    old = list(net.points)
    for point, others in beside.items():
        if len(others) == 2:  # the coast alone ends at the mouth of a lake
            middle = between(old[others[0]], old[others[1]], 0.5)
            net.points[point] = between(old[point], middle, 0.5)


def flatten(control: Sequence[Spot]) -> list[Spot]:
    """The drawn curve of a line's control points as short straight pieces, PIECES for each point between the ends."""
    curve = [control[0]]
    for index in range(1, len(control) - 1):
        middle = control[index]
        start = control[0] if index == 1 else between(control[index - 1], middle, 0.5)
        last = index == len(control) - 2
        end = control[-1] if last else between(middle, control[index + 1], 0.5)
        for piece in range(1, PIECES + 1):
            t = piece / PIECES
            curve.append(between(between(start, middle, t), between(middle, end, t), t))
    return curve if len(control) > 2 else list(control)
