"""Huts of the five clans in one number: six bits a clan, red lowest, so that joining two stacks is an addition."""

from typing import Final, Literal

Clan = Literal["red", "blue", "green", "yellow", "black"]
Counts = tuple[int, int, int, int, int]

CLANS: Final[tuple[Clan, ...]] = ("red", "blue", "green", "yellow", "black")
CLAN_LETTERS: Final = "rbgyk"
HUTS_PER_CLAN: Final = 12

#: A stack that holds one hut, by its clan's letter.
ONE_HUT: Final = {letter: 1 << 6 * number for number, letter in enumerate(CLAN_LETTERS)}


def pack(counts: Counts) -> int:
    """The stack of five counts, red first."""
    red, blue, green, yellow, black = counts
    return red | blue << 6 | green << 12 | yellow << 18 | black << 24


def unpack(stack: int) -> Counts:
    """The five counts of a stack, red first."""
    return (stack & 63, stack >> 6 & 63, stack >> 12 & 63, stack >> 18 & 63, stack >> 24)


#: A stack modulo this is how many huts it holds: 64 is 1 modulo 63, so the digits add up (their sum is at most 60).
#: Loops over many stacks use it instead of `size`, to save the call.
SIZE_MODULUS: Final = 63


def size(stack: int) -> int:
    """How many huts a stack holds."""
    return stack % SIZE_MODULUS


#: The clans that have huts in a stack, by the stack's bits of 32 once 31 has been added to each count.
_PRESENT: Final = {
    sum(32 << 6 * number for number in range(len(CLANS)) if chosen >> number & 1): tuple(
        clan for number, clan in enumerate(CLANS) if chosen >> number & 1
    )
    for chosen in range(1 << len(CLANS))
}
_ADD_31: Final = pack((31, 31, 31, 31, 31))
_BIT_32: Final = pack((32, 32, 32, 32, 32))


def present(stack: int) -> tuple[Clan, ...]:
    """The clans that have huts in a stack."""
    return _PRESENT[stack + _ADD_31 & _BIT_32]


def write_stack(stack: int) -> str:
    """A stack as letters in the order of the clans, such as `rrbk`."""
    return "".join(letter * count for letter, count in zip(CLAN_LETTERS, unpack(stack), strict=True))


def read_stack(letters: str) -> int:
    """The stack of 1 to 60 letters; raises KeyError for a letter that no clan has, ValueError for too many or none."""
    if not 1 <= len(letters) <= len(CLANS) * HUTS_PER_CLAN:
        raise ValueError
    return sum(ONE_HUT[letter] for letter in letters)
