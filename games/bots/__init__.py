"""The computer player. Pure; it knows only the position and its own clan (design 1.7)."""

from games.bots.chances import choose_move, move_chances
