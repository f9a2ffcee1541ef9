"""Parts the land into 12 regions of 5, then names everything in reading order."""

import random
from collections.abc import Mapping, Sequence
from typing import TypeAlias, TypeVar

import networkx as nx

from tools.mapgen.mesh import Spot, Unfit

REGIONS, REGION_SIZE = 12, 5
ROUNDS = 1500

Key = TypeVar("Key", int, str)
Land: TypeAlias = "nx.Graph[int]"  # nodes are faces with "center"; edges are borders


def part(land: Land, rng: random.Random) -> list[set[int]]:
    """Twelve connected sets of five faces, as round as a few thousand tries can make them."""
    regions = _cut(land, set(land.nodes), REGIONS, rng)
    costs = [_cost(land, region) for region in regions]
    for step in range(ROUNDS):
        heat = 0.5 * (1 - step / ROUNDS)
        one, other = rng.sample(range(REGIONS), 2)
        both = regions[one] | regions[other]
        if not _beside(land, regions[one], regions[other]):
            continue
        halves = _split(land, both, REGION_SIZE, rng)
        if halves is None:
            continue
        new = [_cost(land, half) for half in halves]
        if sum(new) < costs[one] + costs[other] + heat * rng.random():
            regions[one], regions[other] = halves
            costs[one], costs[other] = new
    return regions


def _cost(land: Land, region: set[int]) -> float:
    """How far from round a region is: the spread of its centers and its few inner borders."""
    centers = [land.nodes[face]["center"] for face in region]
    x = sum(center[0] for center in centers) / len(centers)
    y = sum(center[1] for center in centers) / len(centers)
    spread = sum((cx - x) ** 2 + (cy - y) ** 2 for cx, cy in centers) / 10_000
    return float(spread) / 2 - 0.35 * land.subgraph(region).number_of_edges()


def _beside(land: Land, one: set[int], other: set[int]) -> bool:
    return any(neighbor in other for face in one for neighbor in land[face])


def _cut(land: Land, faces: set[int], parts: int, rng: random.Random) -> list[set[int]]:
    if parts == 1:
        return [faces]
    few = parts // 2
    for _ in range(200):
        halves = _split(land, faces, few * REGION_SIZE, rng)
        if halves is not None:
            few_faces, rest = halves
            return _cut(land, few_faces, few, rng) + _cut(land, rest, parts - few, rng)
    raise Unfit("the land cannot be parted into regions")


def _split(land: Land, faces: set[int], size: int, rng: random.Random) -> tuple[set[int], set[int]] | None:
    """Two connected parts, the first of `size` faces, by cutting a random spanning tree."""
    root = rng.choice(sorted(faces))
    parent = {root: root}
    order = [root]
    frontier = [(root, face) for face in sorted(land[root]) if face in faces]
    while frontier:
        pick = rng.randrange(len(frontier))
        frontier[pick], frontier[-1] = frontier[-1], frontier[pick]
        come, face = frontier.pop()
        if face in parent:
            continue
        parent[face] = come
        order.append(face)
        frontier += [(face, one) for one in sorted(land[face]) if one in faces]
    under: dict[int, set[int]] = {face: {face} for face in order}
    for face in reversed(order[1:]):
        under[parent[face]] |= under[face]
    fit = [face for face in order if len(under[face]) in (size, len(faces) - size)]
    if not fit:
        return None
    branch = under[rng.choice(fit)]
    rest = faces - branch
    return (branch, rest) if len(branch) == size else (rest, branch)


def half_side(areas: list[float]) -> float:
    """Half the side of a square of mean size: how far apart two rows of names begin."""
    return float((sum(areas) / len(areas)) ** 0.5 / 2)


def reading_order(centers: Mapping[Key, Spot], row: float) -> list[Key]:
    """The keys as one reads: in rows from the top, each row from the left.

    A row begins with the highest place left and takes all that lie less than `row` below it.
    """
    left = sorted(centers, key=lambda key: (centers[key][1], centers[key][0]))
    order: list[Key] = []
    while left:
        below = centers[left[0]][1] + row
        line = [key for key in left if centers[key][1] < below]
        order += sorted(line, key=lambda key: centers[key])
        left = [key for key in left if centers[key][1] >= below]
    return order


def names(
    regions: Sequence[set[int]],
    region_centers: Mapping[int, Spot],
    territory_centers: Mapping[int, Spot],
    *,
    region_row: float,
    territory_row: float,
    first: str,
) -> dict[int, str]:
    """The name of each face: letters from `first` on over the regions, numbers 1 to 5 within each."""
    named: dict[int, str] = {}
    lettered = reading_order(region_centers, region_row)
    for place, region in enumerate(lettered):
        letter = chr(ord(first) + place)
        within = {face: territory_centers[face] for face in sorted(regions[region])}
        for number, face in enumerate(reading_order(within, territory_row), 1):
            named[face] = f"{letter}{number}"
    return named
