"""Small positions for tests, set up on whatever map there is: places are chosen by what they are, not by name."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from games import rules
from games.rules import CLAN_LETTERS, STANDARD, FiveClans, Move, Position, Step


class Scene(NamedTuple):
    """A position in which `move` leaves exactly `alone` alone, in the order in which the scene was asked for."""

    position: Position
    move: Move
    alone: tuple[str, ...]


def scene(
    *groups: tuple[str, str],
    taken: int = 0,
    seats: int = 2,
    five_clans: FiveClans = "score",
    spare: bool = True,
) -> Scene:
    """A position where one move leaves groups alone, each given as terrain (`*` for any) and letters of its huts.

    The first group is the target and its last hut walks there from the origin. `taken` villages of one hut stand
    already. Unless `spare` is off, two more groups far away keep the game going.
    """
    for origin, alone in _stages([terrain for terrain, _ in groups]):
        near = {origin, *alone}
        used = Counter("".join(letters for _, letters in groups))
        free = [n for n in range(60) if n not in near and not near & {*STANDARD.board.neighbors[n]}]
        pairs = ((a, b) for a, b in combinations(free, 2) if spare and b in STANDARD.board.neighbors[a])
        pair = next(pairs, ())
        villages = _apart([n for n in free if n not in pair and not {*pair} & {*STANDARD.board.neighbors[n]}])[:taken]
        if len(villages) < taken or bool(pair) != spare:
            continue
        huts = [f"{STANDARD.board.names[n]}:{letters}" for n, (_, letters) in zip(alone[1:], groups[1:], strict=True)]
        huts += [
            f"{STANDARD.board.names[alone[0]]}:{groups[0][1][:-1]}",
            f"{STANDARD.board.names[origin]}:{groups[0][1][-1]}",
        ]
        huts += [f"{STANDARD.board.names[n]}:{_rarest(used)}" for n in pair]
        founded = [f"{STANDARD.board.names[n]}:0:{_rarest(used)}" for n in villages]
        position = Position.parse(
            f"seats={seats} five_clans={five_clans} ply={seats * 10} huts={','.join(huts)} villages={','.join(founded)}"
        )
        names = tuple(STANDARD.board.names[n] for n in alone)
        return Scene(position, Move(STANDARD.board.names[origin], names[0]), names)
    raise AssertionError(f"the map has no place for {groups} after {taken} villages")


def _stages(terrains: Sequence[str]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Every origin with neighbors on these terrains, in this order, that do not touch one another."""
    for origin, around in enumerate(STANDARD.board.neighbors):
        for alone in _choose(terrains, around, ()):
            yield origin, alone


def _choose(terrains: Sequence[str], around: Sequence[int], chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if len(chosen) == len(terrains):
        yield chosen
        return
    for n in around:
        fits = terrains[len(chosen)] in ("*", STANDARD.board.terrains[n])
        if fits and n not in chosen and not {*chosen} & {*STANDARD.board.neighbors[n]}:
            yield from _choose(terrains, around, (*chosen, n))


def _apart(free: Sequence[int]) -> list[int]:
    """Many territories of which no two touch, those with the fewest neighbors first."""
    chosen: list[int] = []
    for n in sorted(free, key=lambda n: (len(STANDARD.board.neighbors[n]), n)):
        if not {*chosen} & {*STANDARD.board.neighbors[n]}:
            chosen.append(n)
    return chosen


def _rarest(used: Counter[str]) -> str:
    """The letter of the clan with the fewest huts so far, which it counts."""
    letter = min(CLAN_LETTERS, key=lambda letter: used[letter])
    used[letter] += 1
    return letter


def row(length: int) -> tuple[str, ...]:
    """Territories of which each is a neighbor of the next and of no other one in the row."""
    for numbers in _rows(length, ()):
        return tuple(STANDARD.board.names[n] for n in numbers)
    raise AssertionError("the map has no such row")


def _rows(length: int, begun: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if len(begun) == length:
        yield begun
        return
    for n in STANDARD.board.neighbors[begun[-1]] if begun else range(60):
        if n not in begun and not {*begun[:-1]} & {*STANDARD.board.neighbors[n]}:
            yield from _rows(length, (*begun, n))


def position(huts: dict[str, str], **fields: object) -> Position:
    """The position of some groups, given as letters by territory, and of other fields of its line of text."""
    groups = ",".join(f"{territory}:{letters}" for territory, letters in huts.items())
    fields = {"seats": 2} | fields
    return Position.parse(" ".join([f"huts={groups}", *(f"{key}={value}" for key, value in fields.items())]))


def play(scene: Scene) -> Step:
    """The step that the scene's move makes, without a founding order."""
    return rules.play(scene.position, scene.move)


def apart(terrains: Sequence[str]) -> tuple[str, ...]:
    """Territories on these terrains, in this order, of which no two touch."""
    for chosen in _choose(terrains, range(60), ()):
        return tuple(STANDARD.board.names[n] for n in chosen)
    raise AssertionError(f"the map has no such places: {terrains}")
