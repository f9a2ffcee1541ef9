"""Gives out the terrains: all four in each region and one twice, seldom beside their like."""

import random
from collections.abc import Iterable, Sequence

from tools.mapgen.regions import Land

TERRAINS = ("forest", "mountain", "steppe", "grassland")
ROUNDS = 12_000

Beside = dict[int, list[int]]


def give_terrains(land: Land, regions: Sequence[set[int]], rng: random.Random) -> dict[int, str]:
    """Terrain of each face; each terrain is doubled in three of the twelve regions."""
    doubled = [terrain for terrain in TERRAINS for _ in range(len(regions) // len(TERRAINS))]
    rng.shuffle(doubled)
    terrain: dict[int, str] = {}
    for region, twice in zip(regions, doubled, strict=True):
        deal = [*TERRAINS, twice]
        rng.shuffle(deal)
        terrain |= dict(zip(sorted(region), deal, strict=True))
    _settle(land, [sorted(region) for region in regions], terrain, rng)
    return terrain


def _settle(land: Land, regions: list[list[int]], terrain: dict[int, str], rng: random.Random) -> None:
    """Swaps terrains within regions (or doubles between two) while that parts like from like."""
    beside = {face: sorted(land[face]) for face in sorted(land)}
    mean = sum(map(len, beside.values())) / len(TERRAINS)
    borders = dict.fromkeys(TERRAINS, -mean)
    for face, kind in terrain.items():
        borders[kind] += len(beside[face])
    for step in range(ROUNDS):
        heat = 1.5 * (1 - step / ROUNDS) ** 2
        change = _swap(regions, terrain, rng) if rng.random() < 0.8 else _trade(regions, terrain, rng)
        old = {face: terrain[face] for face in change}
        before = _alike(beside, terrain, change) + _uneven(borders)
        moved = _recount(borders, beside, old, change)
        terrain.update(change)
        if _alike(beside, terrain, change) + _uneven(moved) <= before + heat * rng.random():
            borders = moved
        else:
            terrain.update(old)


def _alike(beside: Beside, terrain: dict[int, str], faces: Iterable[int]) -> int:
    """How many neighbors of the faces have the same terrain as they."""
    return sum(terrain[face] == terrain[other] for face in faces for other in beside[face])


def _uneven(borders: dict[str, float]) -> float:
    """How far the terrains are from having equally many neighbors."""
    return sum(count * count for count in borders.values()) / 100


def _recount(borders: dict[str, float], beside: Beside, old: dict[int, str], new: dict[int, str]) -> dict[str, float]:
    moved = dict(borders)
    for face in old:
        moved[old[face]] -= len(beside[face])
        moved[new[face]] += len(beside[face])
    return moved


def _swap(regions: list[list[int]], terrain: dict[int, str], rng: random.Random) -> dict[int, str]:
    one, other = rng.sample(rng.choice(regions), 2)
    return {one: terrain[other], other: terrain[one]}


def _trade(regions: list[list[int]], terrain: dict[int, str], rng: random.Random) -> dict[int, str]:
    """Two regions exchange the terrain that they have twice."""
    pair = rng.sample(regions, 2)
    faces, kinds = [], []
    for region in pair:
        held = [terrain[face] for face in region]
        twice = next(kind for kind in held if held.count(kind) == 2)
        faces.append(rng.choice([face for face in region if terrain[face] == twice]))
        kinds.append(twice)
    return {faces[0]: kinds[1], faces[1]: kinds[0]}
