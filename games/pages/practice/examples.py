"""The worked examples of the manuals (rules 8) on our own board: found on the map and played by the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from games import rules

SEATS = 3
BOARD = rules.STANDARD.board
"""The map on which examples are looked for."""
_around, _terrain = BOARD.neighbors_of, BOARD.terrain_of
FEW = 3


@dataclass(frozen=True, slots=True)
class Example:
    """A position, what may be played in it, and the territories that a picture of it shows."""

    before: rules.Position
    steps: tuple[rules.Step, ...]
    """One step, or one for each way to choose."""
    shown: tuple[str, ...]


def two_ways() -> Example:
    """A group with four neighbors, two of them empty (rules 8.6)."""
    center = next(name for name in _inmost_first() if len(_around(name)) == 4)
    first, second = next(_pairs_apart(_around(center)))
    beyond = [name for name in (*_around(first), *_around(second)) if name not in {center, *_around(center)}]
    before = _position({center: "rg", first: "by", second: "k", **dict.fromkeys(beyond, "g")})
    moves = [move for move in rules.legal_moves(before) if move.origin == center]
    return Example(before, tuple(rules.play(before, move) for move in moves), (center, *_around(center)))


def standing_stones() -> Example:
    """Groups of 8, 7 and 2 beside each other (rules 3.2 and 3.3)."""
    center = next(name for name in _inmost_first() if len(_around(name)) == 5)
    first, second = next(_pairs_apart(_around(center)))
    before = _position({center: "rrrbbggk", first: "yyyykkb", second: "rg"})
    moves = [move for move in rules.legal_moves(before) if move.target == center]
    return Example(before, tuple(rules.play(before, move) for move in moves), (center, *_around(center)))


def one_village(terrain: str, *, walking: str, waiting: str, villages: int = 0) -> Example:
    """Huts walk to others on `terrain`, and a village is founded there after so many others."""
    target = next(name for name in _inmost_first() if _terrain(name) == terrain)
    origin = max(_around(target), key=lambda name: len(_around(name)))
    shown = (target, *_around(target))
    before = _position({origin: walking, target: waiting}, villages=villages, away_from=shown)
    return Example(before, (rules.play(before, rules.Move(origin, target)),), shown)


def two_villages(*, villages: int) -> Example:
    """Huts that stood between two groups walk to one of them; what both found goes by the order that is chosen."""
    for origin in _inmost_first():
        for left, target in _pairs_apart(_around(origin)):
            if (_terrain(left), _terrain(target)) == ("mountain", "steppe"):
                shown = (origin, *_around(origin))
                groups = {left: "rk", origin: "gg", target: "by"}
                before = _position(groups, villages=villages, away_from=(*shown, *_around(left), *_around(target)))
                move = rules.Move(origin, target)
                orders = rules.founding_orders(before, move)
                return Example(before, tuple(rules.play(before, move._replace(order=order)) for order in orders), shown)
    raise LookupError("no territory of this map lies between a mountain and a steppe that are no neighbors")


def two_groups(*, stays: str, walks: str, waits: str, company_of: str, villages: int = 0, few: bool = False) -> Example:
    """Huts stand between two groups and walk to the one that waits. Of the two groups one has another hut beside it
    beyond the picture, so that it founds nothing: `company_of` is `target` for the one that waits, or `left`. With
    `few` the other has at most three neighbors, and is not doomed in the first epoch."""
    for origin in _inmost_first():
        for left, target in _pairs_apart(_around(origin)):
            shown = (origin, *_around(origin))
            social, lonely = (target, left) if company_of == "target" else (left, target)
            beyond = [name for name in _around(social) if name not in {*shown, *_around(lonely)}]
            is_edge = len(_around(lonely)) <= FEW and _terrain(lonely) != "mountain"
            if beyond and (is_edge or not few):
                groups = {left: stays, origin: walks, target: waits, beyond[0]: "y"}
                near = (*shown, *_around(left), *_around(target), *_around(beyond[0]))
                before = _position(groups, villages=villages, away_from=near)
                return Example(before, (rules.play(before, rules.Move(origin, target)),), shown)
    raise LookupError("no territory of this map lies between two others of which one has a neighbor beyond")


def _position(groups: dict[str, str], *, villages: int = 0, away_from: Iterable[str] = ()) -> rules.Position:
    """The position of some groups, after so many villages of one hut somewhere far from them."""
    huts = ",".join(f"{name}:{letters}" for name, letters in groups.items())
    places = _far_places(villages, {*groups, *away_from})
    founded = ",".join(f"{name}:{n % SEATS}:{rules.CLAN_LETTERS[n % 5]}" for n, name in enumerate(places))
    return rules.Position.parse(f"seats={SEATS} huts={huts} villages={founded}")


def _far_places(count: int, near: set[str]) -> list[str]:
    """`count` territories of which none touches another or those of `near`, the ones with few neighbors first."""
    places: list[str] = []
    taken = near | {name for one in near for name in _around(one)}
    for name in sorted(BOARD.names, key=lambda name: (len(_around(name)), name)):
        if len(places) < count and name not in taken:
            places.append(name)
            taken |= {name, *_around(name)}
    if len(places) < count:
        raise LookupError(f"this map has no room for {count} villages far from {near}")
    return places


def chips_before(epoch: int) -> int:
    """How many villages stand when an epoch begins."""
    return sum(earlier.chips for earlier in rules.STANDARD.version.epochs[: epoch - 1])


def _inmost_first() -> list[str]:
    """The territories with 4 neighbors or more, first those in a closed ring of them: their pictures are whole."""

    def gaps(name: str) -> int:
        ring = _around(name)
        return sum(len({*ring} & {*_around(other)}) < 2 for other in ring)

    return sorted((name for name in BOARD.names if len(_around(name)) >= 4), key=lambda name: (gaps(name), name))


def _pairs_apart(names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Pairs of territories that do not touch."""
    return ((one, other) for one in names for other in names if one != other and other not in _around(one))
