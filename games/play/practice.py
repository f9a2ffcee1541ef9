"""A practice game: one person against one computer player, without an account.

It is a value, not a row of the database; the pages keep it in the session. The computer player's card leaves it only in
`as_data()`, for the session, and at the end.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import Any, Final

from games import bots, rules
from games.words.refusals import GameNotRunning, StaleMove

PERSON: Final = 0
COMPUTER: Final = 1
SEATS: Final = 2
FIRST_BOARD: Final = "atlas-1"


@dataclass(frozen=True, slots=True)
class Practice:
    """An opening of two, the secret cards by seat, and the steps so far. It is the person's turn, or the end."""

    opening: rules.Opening
    _cards: tuple[str, ...] = field(repr=False)
    steps: tuple[rules.Step, ...] = ()

    @property
    def position(self) -> rules.Position:
        return self.at(len(self.steps))

    @property
    def clans(self) -> tuple[str, ...]:
        """The clan of each seat as far as the person may know it: the computer player's is empty until the end."""
        return self._cards if self.position.over else (self._cards[PERSON], "")

    def at(self, ply: int) -> rules.Position:
        """The position when `ply` moves had been played."""
        return self.steps[ply - 1].position if ply else rules.set_up(self.opening)

    def answered(self) -> Practice:
        """The game after the computer player's move, if it is to move. It sees the position and its own card."""
        position = self.position
        if position.over or position.to_move != COMPUTER:
            return self
        card = self._cards[COMPUTER]
        move = bots.choose_move(position, seat=COMPUTER, clan=card, rng=random.SystemRandom())
        return replace(self, steps=(*self.steps, rules.play(position, move)))

    def as_data(self) -> dict[str, Any]:
        """The whole game as plain values, with the secret cards: at most 2 kB of JSON."""
        return {
            "board": self.opening.ruleset.board.id,
            "rules": self.opening.ruleset.version.number,
            "huts": self.opening.huts,
            "first": self.opening.first,
            "cards": list(self._cards),
            "moves": [str(step.move) for step in self.steps],
        }


def begin_practice() -> Practice:
    """A new practice game with a random opening, random cards and a random starting player. If the computer player
    starts, it has moved."""
    rng = random.SystemRandom()
    cards = tuple(rng.sample(rules.CLANS, SEATS))
    return Practice(rules.random_opening(rng, seats=SEATS), cards).answered()


def read_practice(data: object) -> Practice:
    """The practice game of `as_data()`. Raises ValueError for anything else."""
    try:
        return _read(data)
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError("this is no practice game") from error


def play_practice(practice: Practice, move: rules.Move, *, ply: int) -> Practice:
    """The game after the person's move and the computer player's answer. The same move for the same ply again changes
    nothing.

    Raises StaleMove, GameNotRunning, or IllegalMove of the rules. Costs 3 to 5 ms of CPU, most of it for the answer.
    """
    position = practice.position
    if ply < position.ply and practice.steps[ply].move == move:
        return practice
    if position.over:
        raise GameNotRunning
    if ply != position.ply:
        raise StaleMove
    return replace(practice, steps=(*practice.steps, rules.play(position, move))).answered()


def _read(data: Any) -> Practice:
    # Games that were stored before these two were written are of the first map and the first version.
    ruleset = rules.find_ruleset(data.get("board", FIRST_BOARD), data.get("rules", 1))
    opening = rules.Opening(data["huts"], SEATS, data["first"], ruleset=ruleset)
    moves = [rules.Move.parse(text, opening.ruleset.board) for text in data["moves"]]
    cards = tuple(data["cards"])
    if len(cards) != SEATS or len({*cards} & {*rules.CLANS}) != SEATS:
        raise ValueError("these are no two cards")
    practice = Practice(opening, cards, tuple(rules.fold(opening, moves)))
    if not practice.position.over and practice.position.to_move != PERSON:
        raise ValueError("the computer player has not answered")
    return practice
