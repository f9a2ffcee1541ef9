"""From the bare net to drawn lines: every line between two faces is made once, for both of them.

A line is a quadratic B-spline with fixed ends; its control points are whole numbers, so that what
is written down, drawn and measured is the same to the last digit.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from tools.mapgen.mesh import Mesh, Spot, edges
from tools.mapgen.noise import Noise

SEA = -1
SPACING = 13.0
WARP, WARP_CELL, WARP_GAIN = 9.0, 130.0, 0.35
COAST, COAST_CELL = 8.0, 42.0
BULGE, WOBBLE = 0.10, 0.055
SMOOTHINGS = 4


@dataclass
class Line:
    """One line between two faces; who walks along it has `right` on the right hand on the sheet."""

    right: int
    left: int
    points: list[int]  # numbers of points; the first and last are corners shared with other lines


@dataclass
class Net:
    """All lines of the map over one list of shared points."""

    points: list[Spot]
    lines: list[Line]

    def spots(self, line: Line) -> list[Spot]:
        return [self.points[point] for point in line.points]


def draw_lines(mesh: Mesh, rng: random.Random) -> Net:
    """The net's lines: warped, bulged, roughened by the water, smoothed and rounded."""
    net = _sampled(mesh)
    wet = [line for line in net.lines if _is_shore(line, mesh.lakes)]
    dry = [line for line in net.lines if not _is_shore(line, mesh.lakes)]
    _warp(net, rng, {point for line in wet for point in line.points})
    for line in dry:
        _bulge(net, line, rng)
    for _ in range(SMOOTHINGS):
        _smooth(net, wet, dry)
    net.points = [(float(round(x)), float(round(y))) for x, y in net.points]
    return net


def _is_shore(line: Line, lakes: set[int]) -> bool:
    left_wet = line.left == SEA or line.left in lakes
    right_wet = line.right == SEA or line.right in lakes
    return left_wet != right_wet


def _sampled(mesh: Mesh) -> Net:
    net = Net(list(mesh.corners), [])
    for right, left, chain in _chains(mesh):
        points = [chain[0]]
        for a, b in zip(chain, chain[1:], strict=False):
            start, end = net.points[a], net.points[b]
            length = ((start[0] - end[0]) ** 2 + (start[1] - end[1]) ** 2) ** 0.5
            pieces = max(2, round(length / SPACING))
            for piece in range(1, pieces):
                points.append(len(net.points))
                net.points.append(between(start, end, piece / pieces))
            points.append(b)
        net.lines.append(Line(right, left, points))
    return net


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
        for a, b in zip(loop, [*loop[1:], loop[0]], strict=True):
            beside[a, b] = face
    for a, b in list(beside):
        beside.setdefault((b, a), SEA)
    return beside


def _warp(net: Net, rng: random.Random, wet: set[int]) -> None:
    across, down, ragged_x, ragged_y = (Noise(rng) for _ in range(4))
    for point, (x, y) in enumerate(net.points):
        u, v = x / WARP_CELL, y / WARP_CELL
        dx, dy = WARP * across.fractal(u, v, 3, WARP_GAIN), WARP * down.fractal(u, v, 3, WARP_GAIN)
        if point in wet:
            u, v = x / COAST_CELL, y / COAST_CELL
            dx += COAST * ragged_x.fractal(u, v, 2, 0.4)
            dy += COAST * ragged_y.fractal(u, v, 2, 0.4)
        net.points[point] = (x + dx, y + dy)


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
        for a, b in zip(line.points, line.points[1:], strict=False):
            beside.setdefault(a, []).append(b)
            beside.setdefault(b, []).append(a)
    for line in dry:
        for a, point, b in zip(line.points, line.points[1:], line.points[2:], strict=False):
            beside[point] = [a, b]
    old = list(net.points)
    for point, (a, b) in beside.items():
        middle = between(old[a], old[b], 0.5)
        net.points[point] = between(old[point], middle, 0.5)


def flatten(control: Sequence[Spot], steps: int = 4) -> list[Spot]:
    """The drawn curve of a line's control points as short straight pieces."""
    curve = [control[0]]
    for index in range(1, len(control) - 1):
        middle = control[index]
        start = control[0] if index == 1 else between(control[index - 1], middle, 0.5)
        last = index == len(control) - 2
        end = control[-1] if last else between(middle, control[index + 1], 0.5)
        for step in range(1, steps + 1):
            t = step / steps
            curve.append(between(between(start, middle, t), between(middle, end, t), t))
    return curve if len(control) > 2 else list(control)
