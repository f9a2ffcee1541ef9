"""A board to show to visitors."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.caching import cached
from games.drawing import draw_board, play_sample


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
