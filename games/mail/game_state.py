"""How a game stands, as plain values for the templates of mails: scores, chips, epoch chart, what stands where, and all
of it in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from games import rules, words
from games.pov import Pov, SeatPov
from games.words import in_full
from games.words.in_mails import explain_total, say_next_village

MARKS: Final = {"": "", "red": "●", "blue": "▲", "green": "■", "yellow": "◆", "black": "✚"}
"""The mark of each clan, as on the roofs of its huts: color never says it alone."""


@dataclass(frozen=True, slots=True)
class ClanScore:
    """The score of a clan; `share` is its part of the highest, in percent, for a bar."""

    clan: str
    name: str
    mark: str
    score: str
    share: str


@dataclass(frozen=True, slots=True)
class EpochChips:
    """The chips of an epoch as dots: those left on the chart full, those that players hold empty."""

    numeral: str
    dots: str
    is_next: bool


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat in a list; what was secret is empty until the game is over."""

    place: str
    name: str
    is_mine: bool
    chips: str
    dots: str
    clan: str
    mark: str
    total: str
    how: str
    is_first: bool


def seat_lines(seats: Sequence[SeatPov]) -> tuple[SeatLine, ...]:
    return tuple(_seat_line(place, seat) for place, seat in enumerate(seats, start=1))


def _seat_line(place: int, seat: SeatPov) -> SeatLine:
    return SeatLine(
        place=str(place),
        name=words.name_seat(seat),
        is_mine=seat.is_mine,
        chips=str(seat.chips),
        dots="●" * seat.chips,
        clan=_as_called(seat.clan),
        mark=MARKS[seat.clan],
        total="" if seat.total is None else str(seat.total),
        how=explain_total(seat),
        is_first=seat.rank == 1,
    )


def _as_called(clan: str) -> str:
    """The clan by the color that its reader sees."""
    return "white" if clan == "black" and words.is_white() else clan


def clan_scores(position: rules.Position) -> tuple[ClanScore, ...]:
    highest = max(*position.scores, 1)
    return tuple(
        ClanScore(
            clan=_as_called(clan),
            name=words.name_clan(clan),
            mark=MARKS[clan],
            score=str(score),
            share=str(round(100 * score / highest)) if score else "",
        )
        for clan, score in zip(rules.CLANS, position.scores, strict=True)
    )


def epoch_chips(position: rules.Position) -> tuple[EpochChips, ...]:
    taken = len(position.villages)
    chips = []
    for epoch in position.ruleset.version.epochs:
        gone = min(taken, epoch.chips)
        taken -= gone
        dots = "○" * gone + "●" * (epoch.chips - gone)
        chips.append(EpochChips(words.name_epoch(epoch.number), dots, is_next=epoch.number == position.epoch))
    return tuple(chips)


def say_regions(pov: Pov, position: rules.Position) -> Iterator[str]:
    """Where something stands, a line for each region that is not empty."""
    texts = words.describe_board(position, pov.seats)
    villages = {village.territory for village in position.villages}
    stands = [name in villages or position.huts(name) > 0 for name in position.ruleset.board.names]
    for first in range(0, len(texts), rules.REGION_SIZE):
        end = first + rules.REGION_SIZE
        region = [text for text, stand in zip(texts[first:end], stands[first:end], strict=True) if stand]
        if region:
            yield "; ".join(region)


# --- In full ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Region:
    """A region of the board by its letter, with a sentence for each territory that holds something."""

    letter: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FullText:
    """All that a move needs, in sentences: scores, chips and epochs, the board, and the legal moves by origin, where
    the reader is to move."""

    scores: str
    chips: str
    regions: tuple[Region, ...]
    moves: tuple[str, ...] = ()


def write_full_text(position: rules.Position, seats: Sequence[SeatPov], *, with_moves: bool) -> FullText:
    """The full text of a position of a game that runs."""
    epochs = " ".join([say_next_village(position), *in_full.tell_epochs(position)])
    return FullText(
        scores=in_full.tell_scores(position),
        chips=f"{in_full.tell_chips(position, seats)} {epochs}",
        regions=tuple(Region(letter, lines) for letter, lines in in_full.tell_regions(position, seats)),
        moves=tuple(in_full.tell_moves(position)) if with_moves else (),
    )
