"""A village and what it scores (rules 5). What strife takes differs by version: `versions.py`."""

from typing import Literal, NamedTuple

from .epochs import Terrain
from .ruleset import Ruleset
from .stacks import CLANS, Clan, Counts, pack, present, size, unpack

FiveClans = Literal["score", "nothing"]


class Village(NamedTuple):
    """A village and how it was scored.

    `terrain` is what grows there, `number` that of its chip, 1 to 12, `epoch` 1 to 5, `founder` a seat. `before` and
    `after` are the huts of each clan before and after strife; `strife` names the clans that lost a hut. A `doomed`
    village keeps no huts and has value 0; an empty one has value 0 too. `bonus` is what the terrain added. Each clan in
    `scored` got `value` points; with five clans and the house rule `nothing` nobody did, and `value` says what there
    was to score.
    """

    territory: str
    terrain: Terrain
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


def found_village(
    ruleset: Ruleset, territory: int, stack: int, *, number: int, founder: int, five_clans: FiveClans
) -> Village:
    """The village that `stack` founds in `territory` by taking chip `number`, 1 to 12."""
    epoch, bonus, doomed = ruleset.chip_effects[number - 1][territory]
    before = unpack(stack)
    after, strife = ruleset.version.apply_strife(before)
    if strife:
        stack = pack(after)
    scored = present(stack)
    if not scored:
        bonus = 0
    value = 0 if doomed else size(stack) + bonus
    if doomed or (five_clans == "nothing" and len(scored) == len(CLANS)):
        scored = ()
    name, terrain = ruleset.board.names[territory], ruleset.board.terrains[territory]
    return Village(name, terrain, number, epoch, founder, before, after, strife, doomed, bonus, value, scored)
