"""Rivers: courses along the borders of regions, from lake to lake or to the sea."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tools.mapgen.curves import SEA, Net

LONGEST, TRIES = 6, 150
THIN, WIDE = 1.8, 6.2


@dataclass
class River:
    """Lines in the order of its flow (negative: against the line's own direction, 1-based)."""

    course: list[int]
    widths: list[float]  # at each corner passed, source first


def run_rivers(net: Net, lakes: set[int], free: Sequence[int], rng: random.Random) -> list[River]:
    """Rivers along the free lines that share no corner: the best of many random sets."""
    waters = _waters(net, lakes)
    courses = _courses(net, free, waters)
    best: list[tuple[int, ...]] = []
    best_worth = 0.0
    for _ in range(TRIES):
        rng.shuffle(courses)
        chosen = _choose(net, courses)
        worth = _worth(net, chosen, waters)
        if worth > best_worth:
            best, best_worth = chosen, worth
    return [_river(net, course, waters, rng) for course in best]


def _waters(net: Net, lakes: set[int]) -> dict[int, int]:
    """The water that each corner on a shore belongs to."""
    waters: dict[int, int] = {}
    for line in net.lines:
        for face in (line.right, line.left):
            if face == SEA or face in lakes:
                for corner in (line.points[0], line.points[-1]):
                    waters[corner] = max(face, waters.get(corner, SEA))
    return waters


def ends(net: Net, step: int) -> tuple[int, int]:
    """First and last corner of a line walked in the given direction."""
    points = net.lines[abs(step) - 1].points
    return (points[0], points[-1]) if step > 0 else (points[-1], points[0])


def _courses(net: Net, free: Sequence[int], waters: Mapping[int, int]) -> list[tuple[int, ...]]:
    steps: dict[int, list[int]] = {}
    for number in free:
        for step in (number, -number):
            steps.setdefault(ends(net, step)[0], []).append(step)
    found: list[tuple[int, ...]] = []
    starts = [step for corner in sorted(steps) if corner in waters for step in steps[corner]]
    stack: list[tuple[int, ...]] = [(step,) for step in starts]
    while stack:
        course = stack.pop()
        corner = ends(net, course[-1])[1]
        source = waters[ends(net, course[0])[0]]
        if corner in waters:
            if waters[corner] != source and source != SEA and len(course) > 1:
                found.append(course)
        elif len(course) < LONGEST:
            passed = {ends(net, step)[0] for step in course}
            onward = [step for step in steps.get(corner, []) if step != -course[-1]]
            stack += [(*course, step) for step in onward if ends(net, step)[1] not in passed]
    return found


def _choose(net: Net, courses: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    taken: set[int] = set()
    chosen = []
    for course in courses:
        corners = {corner for step in course for corner in ends(net, step)}
        if not corners & taken:
            taken |= corners
            chosen.append(course)
    return chosen


def _worth(net: Net, chosen: list[tuple[int, ...]], waters: Mapping[int, int]) -> float:
    lakes = {waters[ends(net, course[at])[-at]] for course in chosen for at in (0, -1)} - {SEA}
    lengths = [len(course) for course in chosen]
    return 3 * len(lakes) + sum(lengths) - 2.5 * max(0, len(chosen) - 7) - lengths.count(2)


def _river(net: Net, course: tuple[int, ...], waters: Mapping[int, int], rng: random.Random) -> River:
    mouth = WIDE if waters[ends(net, course[-1])[1]] == SEA else WIDE - 1.5
    widths = [THIN + (mouth - THIN) * at / len(course) + rng.uniform(-0.3, 0.4) for at in range(len(course) + 1)]
    return River(list(course), [round(width, 1) for width in widths])
