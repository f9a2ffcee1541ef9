"""What is remembered: players, games, seats, moves, deals and the mails owed (design 2.1).

Secrets stand in two columns only, `Seat.clan` and `Deal.seed`; `games.pov` is their only reader for output.
"""

from games.models.deal import Deal
from games.models.game import Game
from games.models.move import Move
from games.models.notice import Notice
from games.models.player import Player
from games.models.seat import Seat

__all__ = ["Deal", "Game", "Move", "Notice", "Player", "Seat"]
