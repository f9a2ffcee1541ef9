"""Moves that somebody tries out, in sentences: what they would do, and why they go no further."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from games import rules
from games.pov import SeatPov
from games.words.errors import explain_error
from games.words.villages import describe_plan


def say_trial_turn(position: rules.Position, seats: Sequence[SeatPov]) -> str:
    """Whose move it would be."""
    if position.over:
        return _("The game would be over here.")
    return _("%(name)s would be to move.") % {"name": seats[position.to_move].name}


def describe_trial(step: rules.Step, seats: Sequence[SeatPov]) -> str:
    """A move and what it would found: `bob: C4-D1. This founds D1 (6 points for red and black).`"""
    said = _("%(name)s: %(move)s.") % {"name": seats[step.seat].name, "move": step.move}
    return f"{said} {describe_plan(step)}" if step.villages else said


def explain_stop(error: rules.ClansError, *, number: int) -> str:
    """Why a line stops before its move of this number."""
    places = {"number": number, "why": explain_error(error)}
    return _("The line stops before move %(number)d. %(why)s") % places


def explain_too_many(moves: int) -> str:
    """That a line is read for so many moves and no more."""
    return _("A line has at most %(moves)d moves.") % {"moves": moves}


def explain_too_long() -> str:
    return _("The line was too long to be read to its end.")
