"""Huts of the five clans in one number: six bits a clan, red lowest, so that joining two stacks is an addition."""

from collections.abc import Iterable
from typing import Final, Literal

Clan = Literal["red", "blue", "green", "yellow", "black"]
Counts = tuple[int, int, int, int, int]

CLANS: Final[tuple[Clan, ...]] = ("red", "blue", "green", "yellow", "black")
CLAN_LETTERS: Final = "rbgyk"
HUTS_PER_CLAN: Final = 12

#: A stack that holds one hut, by its clan's letter.
ONE_HUT: Final = {letter: 1 << 6 * number for number, letter in enumerate(CLAN_LETTERS)}


def pack(counts: Iterable[int]) -> int:
    """The stack of five counts, red first."""
    return sum(count << 6 * number for number, count in enumerate(counts))


def unpack(stack: int) -> Counts:
    """The five counts of a stack, red first."""
    return (stack & 63, stack >> 6 & 63, stack >> 12 & 63, stack >> 18 & 63, stack >> 24)


def size(stack: int) -> int:
    """How many huts a stack holds: 64 is 1 modulo 63, so the digits add up (their sum is at most 60)."""
    return stack % 63


def write_stack(stack: int) -> str:
    """A stack as letters in the order of the clans, such as `rrbk`."""
    return "".join(letter * count for letter, count in zip(CLAN_LETTERS, unpack(stack), strict=True))


def read_stack(letters: str) -> int:
    """The stack of 1 to 60 letters; raises KeyError for a letter that no clan has, ValueError for too many or none."""
    if not 1 <= len(letters) <= len(CLANS) * HUTS_PER_CLAN:
        raise ValueError
    return sum(ONE_HUT[letter] for letter in letters)
