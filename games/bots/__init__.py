"""Who plays when no person does. Pure, and blind to everything but the position and the bot's own clan (design 1)."""

from games.bots.lookahead import choose_move

__all__ = ["choose_move"]
