"""The worked examples of the manuals (rules 8) on our own board: found on the map and played by the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from games import rules

SEATS = 3
BOARD = rules.STANDARD.board
"""The map on which examples are looked for."""
FEW = 3


@dataclass(frozen=True, slots=True)
class Example:
    """A position, what may be played in it, and the territories that a picture of it shows."""

    before: rules.Position
    steps: tuple[rules.Step, ...]
    """One step, or one for each way to choose."""
    shown: tuple[str, ...]


def walking_away() -> Example:
    """Huts walk away from others, which then stand alone and found a village where they are (rules 4.1)."""
    return _two_groups(stays="rb", walks="g", waits="ky", company_of="target")


def telling_village() -> Example:
    """Red and blue score in a village that is worth founding to nobody else."""
    return _one_village("grassland", walking="rr", waiting="bbb", villages=0)


def gathered_clan() -> Example:
    """Huts of one clan are gathered, with one hut of another among them."""
    return _one_village("steppe", walking="kk", waiting="kkr", villages=0)


def fifth_color() -> Example:
    """A single hut brings the fifth clan to a group in which only red has two."""
    return _one_village("forest", walking="k", waiting="rrbgy", villages=0)


def village_without_me() -> Example:
    """Three clans, but not red, between the doomed terrain of epoch II and another (rules 8.3)."""
    return _one_village("grassland", walking="by", waiting="bk", villages=_chips_before(2))


def terrain_of_the_epoch() -> Example:
    """Huts of red and green beside the terrain that epoch IV favors."""
    return _one_village("grassland", walking="rg", waiting="r", villages=_chips_before(4))


def one_hut() -> Example:
    """A single hut joins four of another clan."""
    return _one_village("mountain", walking="r", waiting="kkkk", villages=_chips_before(2))


def few_neighbors() -> Example:
    """A group has a single neighbor that is not empty, in a territory that has few."""
    return _two_groups(stays="rg", walks="k", waits="bb", company_of="target", few=True)


def last_village() -> Example:
    """Eleven villages stand, and a move founds the twelfth while four huts of one clan are on their way (rules 6.1)."""
    return _two_groups(stays="kkkk", walks="r", waits="rb", company_of="left", villages=rules.CHIPS - 1)


def mixed_village() -> Example:
    """Three clans found a village in the first epoch in a forest (rules 8.1)."""
    return _one_village("forest", walking="bb", waiting="rby", villages=0)


def village_in_strife() -> Example:
    """All five clans meet, and three of them have but one hut (rules 8.2)."""
    return _one_village("grassland", walking="kkbg", waiting="rrkky", villages=0)


def favored_village() -> Example:
    """A village in the steppe in epoch III (rules 8.3)."""
    return _one_village("steppe", walking="rr", waiting="ky", villages=_chips_before(3))


def doomed_village() -> Example:
    """A village in the grassland in epoch II (rules 8.3)."""
    return _one_village("grassland", walking="gg", waiting="bk", villages=_chips_before(2))


def two_epochs() -> Example:
    """One chip is left in epoch II, and one move founds two villages (rules 8.4)."""
    return _two_villages(villages=_chips_before(3) - 1)


def twelfth_village() -> Example:
    """Eleven villages stand, and one move founds two (rules 8.5)."""
    return _two_villages(villages=rules.CHIPS - 1)


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


def _one_village(terrain: str, *, walking: str, waiting: str, villages: int) -> Example:
    """Huts walk to others on `terrain`, and a village is founded there after so many others."""
    target = next(name for name in _inmost_first() if _terrain(name) == terrain)
    origin = max(_around(target), key=lambda name: len(_around(name)))
    shown = (target, *_around(target))
    before = _position({origin: walking, target: waiting}, villages=villages, away_from=shown)
    return Example(before, (rules.play(before, rules.Move(origin, target)),), shown)


def _two_villages(*, villages: int) -> Example:
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


def _two_groups(
    *, stays: str, walks: str, waits: str, company_of: str, villages: int = 0, few: bool = False
) -> Example:
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


def _chips_before(epoch: int) -> int:
    return sum(earlier.chips for earlier in rules.STANDARD.version.epochs[: epoch - 1])


def _terrain(name: str) -> str:
    return BOARD.terrain_of(name)


def _around(name: str) -> tuple[str, ...]:
    return BOARD.neighbors_of(name)


def _inmost_first() -> list[str]:
    """The territories with 4 neighbors or more, first those in a closed ring of them: their pictures are whole."""

    def gaps(name: str) -> int:
        ring = _around(name)
        return sum(len({*ring} & {*_around(other)}) < 2 for other in ring)

    return sorted((name for name in BOARD.names if len(_around(name)) >= 4), key=lambda name: (gaps(name), name))


def _pairs_apart(names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Pairs of territories that do not touch."""
    return ((one, other) for one in names for other in names if one != other and other not in _around(one))
