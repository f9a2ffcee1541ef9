"""The board as one SVG: geometry built once from the outlines, the small changing part joined as strings.

What no move changes (terrains, lakes, rivers, outlines) is files of each map, static/games/maps/*/, which
`python -m tools.mapgen.ground` draws from the same outlines; board.css dresses what is drawn here.
"""

from games.drawing.chart import ChartNames, draw_chart, leaders
from games.drawing.curve import CurvePoint, draw_curve
from games.drawing.hours import draw_hours
from games.drawing.huts import draw_hut
from games.drawing.intervals import Bar, draw_intervals, lines_for
from games.drawing.keepsake import board_style, define_map, draw_on_map
from games.drawing.outlines import map_file, outlines_of
from games.drawing.part_of_board import draw_part, draw_sprite
from games.drawing.sample import play_sample
from games.drawing.seals import draw_seal, draw_seals, initials
from games.drawing.small_board import STYLE_HASHES as SMALL_STYLE_HASHES, draw_small
from games.drawing.svg import CHIP, BoardButton, BoardLink, draw_board, map_url
from games.drawing.track import draw_track
