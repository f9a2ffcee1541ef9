"""Who has how many points: the position joined with the clan cards (rules 7.3 and 7.4)."""

from collections.abc import Sequence
from typing import NamedTuple

from .errors import InvalidOpening, gettext_noop
from .position import Position
from .stacks import CLANS


class Standing(NamedTuple):
    """One player's result: `score` of their clan, `chips`, their sum `total`, the `rank` from 1, which equal totals
    share, and whether they `won`, which nobody has while the game is not over."""

    seat: int
    clan: str
    score: int
    chips: int
    total: int
    rank: int
    won: bool


def standings(position: Position, clans: Sequence[str]) -> tuple[Standing, ...]:
    """The standings by seat, given the clan of each seat. This reveals the cards: show it only once the game is over.

    Raises InvalidOpening unless each seat has a clan of its own.
    """
    if len(clans) != position.seats or len({*clans} & {*CLANS}) != position.seats:
        template = gettext_noop("Each seat has one of the five clans, and no clan is held twice.")
        raise InvalidOpening("bad-clans", template)
    scores = [position.scores[CLANS.index(clan)] for clan in clans]
    totals = [score + chips for score, chips in zip(scores, position.chips, strict=True)]
    ranks = [1 + sum(other > total for other in totals) for total in totals]
    return tuple(
        Standing(
            seat,
            clan,
            scores[seat],
            position.chips[seat],
            totals[seat],
            ranks[seat],
            position.over and ranks[seat] == 1,
        )
        for seat, clan in enumerate(clans)
    )
