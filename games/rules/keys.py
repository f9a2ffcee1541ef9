"""Keys of positions: by them games are found that came to the same one (rules 3 and 4 say what can differ)."""

from hashlib import blake2b

from .position import Position
from .stacks import size


def position_key(position: Position) -> int:
    """64 bits, signed, for all that all may know and that matters from here on: what stands where, what is a village,
    points and chips, whose turn it is. Seats are counted from the mover, so it does not matter what number they have,
    nor by which moves and in which order of villages the game has come here.

    The chance that two positions share a key is negligible (once in 2**64 pairs), so positions are not compared.
    """
    ruleset, mover = position.ruleset, position.to_move
    chips = (*position.chips[mover:], *position.chips[:mover])
    parts = (ruleset.board.id, ruleset.version.number, position.seats, position.five_clans, position.stacks)
    return _key(*parts, position.groups, position.scores, chips)


def shape_key(position: Position) -> int:
    """64 bits, signed, for where how many huts stand, of whatever clans, and what is a village: the same after the same
    opening moves, in whatever order and whoever plays, because before the first move every territory has one hut."""
    return _key(position.ruleset.board.id, [size(stack) for stack in position.stacks], position.groups)


def _key(*parts: object) -> int:
    digest = blake2b(repr(parts).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
