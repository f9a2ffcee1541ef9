"""Pictures of the board as PNG, for link previews and mail, and of a whole game as GIF: the drawing of the pages, by
day, drawn without a browser.

What a picture shows is given to it; whether somebody may see that is asked before (`games.pages.replay.picture`,
`games.mail`).
"""

from games.drawing.png.animation import draw_animation
from games.drawing.png.board import draw_layers
from games.drawing.png.file_cache import cached_picture, forget_results, is_cached, read_picture, result_name
from games.drawing.png.limit import AT_ONCE, BusyError, drawing_slot
from games.drawing.png.mail_picture import LARGE, SMALL, draw_mail_picture
from games.drawing.png.render import HEIGHT, WIDTH, Drawing, Layer, draw_png
from games.drawing.png.result import RESULT_HEIGHT, RESULT_WIDTH, ResultSeat, draw_result
from games.drawing.png.writing import can_write
