"""A village and what it scores (rules 5)."""

from typing import Final, Literal, NamedTuple

from .board import BOARD
from .epochs import CHIP_EPOCHS
from .stacks import CLANS, Clan, Counts, pack, present, size, unpack

FiveClans = Literal["score", "nothing"]


class Village(NamedTuple):
    """A village and how it was scored.

    `number` is that of its chip, 1 to 12, `epoch` 1 to 5, `founder` a seat. `before` and `after` are the huts of each
    clan before and after strife; `strife` names the clans that lost a hut. A `doomed` village keeps no huts and has
    value 0; an empty one has value 0 too. `bonus` is what the terrain added. Each clan in `scored` got `value` points;
    with five clans and the house rule `nothing` nobody did, and `value` says what there was to score.
    """

    territory: str
    number: int
    epoch: int
    founder: int
    before: Counts
    after: Counts
    strife: tuple[Clan, ...]
    doomed: bool
    bonus: int
    value: int
    scored: tuple[Clan, ...]

    @property
    def left(self) -> int:
        """The stack that stands there for the rest of the game."""
        return 0 if self.doomed else pack(self.after)


#: Epoch, bonus and whether it is doomed, by chip number and territory.
_FATES: Final = [
    [
        (epoch.number, epoch.bonus if terrain in epoch.favorable else 0, terrain in epoch.unfavorable)
        for terrain in BOARD.terrains
    ]
    for epoch in CHIP_EPOCHS
]


def settle(territory: int, stack: int, *, number: int, founder: int, five_clans: FiveClans) -> Village:
    """The village that `stack` founds in `territory` by taking chip `number`, 1 to 12."""
    epoch, bonus, doomed = _FATES[number - 1][territory]
    before = after = unpack(stack)
    strife: tuple[Clan, ...] = ()
    if 0 not in before and 1 in before:
        after, strife = _strife(before)
        stack = pack(after)
    scored = present(stack)
    if not scored:
        bonus = 0
    value = 0 if doomed else size(stack) + bonus
    if doomed or (five_clans == "nothing" and len(scored) == len(CLANS)):
        scored = ()
    name = BOARD.names[territory]
    return Village(name, number, epoch, founder, before, after, strife, doomed, bonus, value, scored)


def _strife(before: Counts) -> tuple[Counts, tuple[Clan, ...]]:
    """What is left of a group of all five clans, and the clans that lost their only hut (rules 5.2)."""
    red, blue, green, yellow, black = [0 if count == 1 else count for count in before]
    strife = tuple([clan for clan, count in zip(CLANS, before, strict=True) if count == 1])
    return (red, blue, green, yellow, black), strife
