"""Pictures of the board as PNG, for link previews and mail: the drawing of the pages, by day, drawn without a browser.

What a picture shows is given to it; whether somebody may see that is asked before (`games.pages.replay.picture`,
`games.mail`).
"""

from games.drawing.png.alone import draw_alone
from games.drawing.png.files import cached_picture, is_cached
from games.drawing.png.limit import AT_ONCE, BusyError, one_of_few
from games.drawing.png.postcard import LARGE, SMALL, draw_postcard
from games.drawing.png.render import HEIGHT, WIDTH, draw_png

__all__ = [
    "AT_ONCE",
    "HEIGHT",
    "LARGE",
    "SMALL",
    "WIDTH",
    "BusyError",
    "cached_picture",
    "draw_alone",
    "draw_png",
    "draw_postcard",
    "is_cached",
    "one_of_few",
]
