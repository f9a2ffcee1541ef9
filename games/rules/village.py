"""A village and what it scores (rules 5)."""

from typing import Literal, NamedTuple

from .board import BOARD
from .epochs import CHIP_EPOCHS
from .stacks import CLANS, Clan, Counts, pack, unpack

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


def settle(territory: int, stack: int, *, number: int, founder: int, five_clans: FiveClans) -> Village:
    """The village that `stack` founds in `territory` by taking chip `number`, 1 to 12."""
    epoch = CHIP_EPOCHS[number - 1]
    terrain = BOARD.terrains[territory]
    before = unpack(stack)
    after, strife = _strife(before)
    huts = sum(after)
    doomed = terrain in epoch.unfavorable
    bonus = epoch.bonus if huts and terrain in epoch.favorable else 0
    quiet = doomed or (five_clans == "nothing" and 0 not in after)
    return Village(
        BOARD.names[territory],
        number,
        epoch.number,
        founder,
        before,
        after,
        strife,
        doomed,
        bonus,
        0 if doomed else huts + bonus,
        () if quiet else tuple([clan for clan, count in zip(CLANS, after, strict=True) if count]),
    )


def _strife(before: Counts) -> tuple[Counts, tuple[Clan, ...]]:
    """The counts after strife and the clans that lost a hut (rules 5.2)."""
    if 0 in before or 1 not in before:
        return before, ()
    red, blue, green, yellow, black = [0 if count == 1 else count for count in before]
    return (red, blue, green, yellow, black), tuple(
        [clan for clan, count in zip(CLANS, before, strict=True) if count == 1]
    )
