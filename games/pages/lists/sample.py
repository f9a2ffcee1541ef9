"""A board to show to visitors."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import rules
from games.caching import cached
from games.drawing import draw_board

SEED, PLIES, SEATS = 3, 31, 3


@dataclass(frozen=True, slots=True)
class Sample:
    """The picture of a game in its middle, and how far it has come."""

    board: SafeString
    plies: int
    villages: int


@cached(most=20)
def sample() -> Sample:
    """A game of three, played by the rules and always the same."""
    step = play_sample()
    board = draw_board(step.position, title=_("A game of three, seen from above"), last=step)
    return Sample(board, step.position.ply, len(step.position.villages))


def play_sample() -> rules.Step:
    """The last of some moves by players who like to found villages."""
    rng = Random(SEED)
    position = rules.set_up(rules.random_opening(rng, seats=SEATS))
    for _ply in range(PLIES):
        thoughts = [rules.random_step(position, rng) for _thought in range(SEATS)]
        step = max(thoughts, key=lambda step: sum(village.value for village in step.villages))
        position = step.position
    return step
