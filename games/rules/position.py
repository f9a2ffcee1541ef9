"""A position: everything about a game that all may know. Who holds which clan is not in it (design 1.3)."""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple, TypeGuard

from .board import Board
from .epochs import CHIPS
from .errors import InvalidPosition, UnknownRuleset, gettext_noop, quotable
from .ruleset import STANDARD, Ruleset, find_ruleset
from .stacks import HUTS_PER_CLAN, Counts, pack, read_stack, size, unpack, write_stack
from .village import FiveClans, Village, found_village

End = Literal["", "villages", "no-moves"]

FIVE_CLANS: Final[tuple[FiveClans, ...]] = ("score", "nothing")
SEATS: Final = (2, 3, 4)


class Position(NamedTuple):
    """What stands on the table after `ply` moves; immutable.

    `ruleset` is the map and the version of the rules that the game is played by. `stacks` holds 60 stacks by territory
    (see `stacks.py`), villages included. Bit n of `groups` says whether territory n holds huts and is no village: only
    such groups can move or be moved onto. `scores` goes by clan, `chips` by seat. `end` is empty while the game runs,
    else which way it ended (rules 7.1 and 7.2). `str(position)` is one line that `Position.parse` reads back, such as
    `seats=2 first=0 five_clans=score ply=31 huts=C4:rrb,D1:bgy villages=B5:1:rrbk`, with `board=atlas-2 rules=2` in
    front of it where that is not the STANDARD.
    """

    ruleset: Ruleset
    seats: int
    first: int
    five_clans: FiveClans
    ply: int
    stacks: tuple[int, ...]
    groups: int
    scores: Counts
    chips: tuple[int, ...]
    villages: tuple[Village, ...]
    end: End

    @classmethod
    def parse(cls, text: str) -> "Position":
        """The position of a line of `key=value` fields; raises InvalidPosition.

        `huts` lists the groups outside villages, `villages` what was founded, in founding order, as territory, seat
        of the founder and huts before strife. Only `seats` is required; all that can be computed is. Raises
        UnknownRuleset for a map or a version that is not known.
        """
        try:
            return _read(dict(field.split("=", 1) for field in text.split()))
        except (LookupError, ValueError) as error:
            if isinstance(error, InvalidPosition | UnknownRuleset):
                raise
            template = gettext_noop("“%(text)s” is no position.")
            raise InvalidPosition("not-a-position", template, text=quotable(text, 200)) from error

    def __str__(self) -> str:
        founded = {village.territory for village in self.villages}
        names = self.ruleset.board.names
        huts = [f"{name}:{self.letters(name)}" for name in names if name not in founded and self.huts(name)]
        villages = [f"{v.territory}:{v.founder}:{write_stack(pack(v.before))}" for v in self.villages]
        return (
            f"{_write_ruleset(self.ruleset)}seats={self.seats} first={self.first} five_clans={self.five_clans}"
            f" ply={self.ply} huts={','.join(huts)} villages={','.join(villages)}"
        )

    @property
    def to_move(self) -> int:
        """The seat whose turn it is; without meaning once the game is over."""
        return (self.first + self.ply) % self.seats

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.end != ""

    @property
    def chips_left(self) -> int:
        """How many of the 12 village chips lie on the chart."""
        return CHIPS - len(self.villages)

    @property
    def epoch(self) -> int | None:
        """The number of the epoch that the next chip belongs to; None when no chip is left."""
        return self.ruleset.version.chip_epochs[len(self.villages)].number if self.chips_left else None

    def around(self, territory: str) -> tuple[object, ...]:
        """All that decides what a legal move out of a territory founds and scores, but for ruleset and house rule: a
        value to compare with those of other positions."""
        mask, stacks = self.ruleset.neighborhoods[territory]
        return len(self.villages), self.groups & mask, stacks(self.stacks)

    def stack(self, territory: str) -> Counts:
        """The huts of the five clans in a territory, red first."""
        return unpack(self.stacks[self.ruleset.board.index[territory]])

    def huts(self, territory: str) -> int:
        """How many huts a territory holds."""
        return size(self.stacks[self.ruleset.board.index[territory]])

    def letters(self, territory: str) -> str:
        """The huts of a territory as letters, such as `rrbk`."""
        return write_stack(self.stacks[self.ruleset.board.index[territory]])


def _write_ruleset(ruleset: Ruleset) -> str:
    return "" if ruleset is STANDARD else f"board={ruleset.board.id} rules={ruleset.version.number} "


def assemble(
    ruleset: Ruleset,
    *,
    seats: int,
    first: int,
    five_clans: FiveClans,
    ply: int,
    groups: dict[int, int],
    villages: tuple[Village, ...],
) -> Position:
    """The position of the groups outside villages (stacks by territory number) and the villages in founding order."""
    board = ruleset.board
    stacks = groups | {board.index[village.territory]: village.left for village in villages}
    return Position(
        ruleset=ruleset,
        seats=seats,
        first=first,
        five_clans=five_clans,
        ply=ply,
        stacks=tuple(stacks.get(number, 0) for number in range(len(board.names))),
        groups=sum(1 << number for number in groups),
        scores=add_scores((0, 0, 0, 0, 0), villages),
        chips=tuple(sum(village.founder == seat for village in villages) for seat in range(seats)),
        villages=villages,
        end=ending(len(villages), bool(groups)),
    )


def add_scores(scores: Counts, villages: Iterable[Village]) -> Counts:
    """The scores by clan after some more villages (rules 5.6)."""
    red, blue, green, yellow, black = scores
    for village in villages:
        value, scored = village.value, village.scored
        red += value if "red" in scored else 0
        blue += value if "blue" in scored else 0
        green += value if "green" in scored else 0
        yellow += value if "yellow" in scored else 0
        black += value if "black" in scored else 0
    return (red, blue, green, yellow, black)


def ending(villages: int, groups: bool) -> End:
    """Which way a game with so many villages has ended, if it has (rules 7.1 and 7.2).

    A group that is no village has a neighbor to go to, or it would have become one: so it is enough that any is left.
    """
    if villages == CHIPS:
        return "villages"
    return "" if groups else "no-moves"


_KEYS: Final = {"board", "rules", "seats", "first", "five_clans", "ply", "huts", "villages"}


def _read(fields: dict[str, str]) -> Position:
    """The position of the fields of its line; LookupError or ValueError for a field that cannot be read."""
    seats, first, ply = int(fields["seats"]), int(fields.get("first", "0")), int(fields.get("ply", "0"))
    five_clans = fields.get("five_clans", "score")
    if (
        seats not in SEATS
        or not 0 <= first < seats
        or ply < 0
        or not is_five_clans(five_clans)
        or fields.keys() - _KEYS
    ):
        raise ValueError
    ruleset = find_ruleset(fields.get("board", STANDARD.board.id), int(fields.get("rules", STANDARD.version.number)))
    index = ruleset.board.index
    groups = [entry.split(":") for entry in fields.get("huts", "").split(",") if entry]
    founded = [entry.split(":") for entry in fields.get("villages", "").split(",") if entry]
    stacks = {index[territory]: read_stack(letters) for territory, letters in groups}
    villages = [
        found_village(
            ruleset, index[territory], read_stack(letters), number=n, founder=int(founder), five_clans=five_clans
        )
        for n, (territory, founder, letters) in enumerate(founded, start=1)
    ]
    if len(stacks) < len(groups) or any(village.founder not in range(seats) for village in villages):
        raise ValueError
    _check(ruleset.board, stacks, villages)
    return assemble(
        ruleset,
        seats=seats,
        first=first,
        five_clans=five_clans,
        ply=ply,
        groups=stacks,
        villages=tuple(villages),
    )


def is_five_clans(text: str) -> TypeGuard[FiveClans]:
    """Whether a text is a setting of the house rule (rules 6.1)."""
    return text in FIVE_CLANS


def _check(board: Board, groups: dict[int, int], villages: list[Village]) -> None:
    """Raise InvalidPosition for what no game can reach (rules 1.4, 4.1 and 4.3)."""
    founded = [board.index[village.territory] for village in villages]
    taken = sum(1 << number for number in {*founded, *groups})
    for number in founded:
        if number in groups or founded.count(number) > 1 or taken & board.neighbor_masks[number]:
            raise _impossible(gettext_noop("%(territory)s cannot be a village beside other huts."), board.names[number])
    for number in groups if len(villages) < CHIPS else ():
        if not taken & board.neighbor_masks[number]:
            raise _impossible(gettext_noop("%(territory)s stands alone and would be a village."), board.names[number])
    huts = [*map(unpack, groups.values()), *(village.before for village in villages)]
    if any(sum(counts) > HUTS_PER_CLAN for counts in zip(*huts, strict=True)):
        template = gettext_noop("No clan has more than %(huts)s huts.")
        raise InvalidPosition("too-many-huts", template, huts=HUTS_PER_CLAN)


def _impossible(template: str, territory: str) -> InvalidPosition:
    return InvalidPosition("impossible", template, territory=territory)
