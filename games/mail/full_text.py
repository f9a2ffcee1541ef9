"""The position as the full text of a mail tells it, as plain values for its templates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games import rules
from games.pov import SeatPov
from games.words import in_full
from games.words.in_mails import say_next_village


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


def example_move(position: rules.Position, *, waiting: str = "") -> str:
    """A move that is legal; with a founding order only where each move needs one. Another than the one that is
    `waiting` for its player, where there is another."""
    moves = rules.legal_moves(position)
    others = [move for move in moves if str(move) != waiting.partition("=")[0]]
    ordered: list[rules.Move] = []
    for pair in others or moves:
        move = rules.try_move(position, pair)[0].move
        if not move.order:
            return str(move)
        ordered.append(move)
    return str(min(ordered, key=lambda move: len(move.order)))
