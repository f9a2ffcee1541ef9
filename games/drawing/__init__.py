"""The board as one SVG: geometry built once from the outlines, the small changing part joined as strings.

The ground (terrains, lakes, rivers) is a file of its own, static/games/ground.svg, which
`python -m tools.mapgen.ground` draws from the same outlines; board.css dresses what is drawn here.
"""

from games.drawing.board import Link, draw_board
from games.drawing.huts import draw_hut
from games.drawing.mini import draw_mini, draw_sprite

__all__ = ["Link", "draw_board", "draw_hut", "draw_mini", "draw_sprite"]
