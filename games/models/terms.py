"""How a table is played."""

from __future__ import annotations

from typing import NamedTuple

from games import clocks, rules
from games.models.game import Game


class Terms(NamedTuple):
    """How a table is played: each term is stored in the column of Game of that name. Each table of a series, and a form
    to play again, takes all of them from the game before."""

    move_hours: int = clocks.STEADY.move_hours
    reserve_hours: int = clocks.STEADY.reserve_hours
    allows_vacation: bool = True
    overdue: str = Game.Overdue.AUTOPILOT
    allows_takeover: bool = False
    """Whether somebody else may take over the seat of a player who has resigned or stays away."""
    five_clans: str = Game.FiveClans.SCORE
    is_public: bool = True
    is_rated: bool = False
    talk: str = Game.Talk.PLAYERS
    """Who reads it besides the players."""
    board: str = rules.STANDARD.board.id

    @classmethod
    def of(cls, game: Game) -> Terms:
        return cls(*(getattr(game, name) for name in cls._fields))
