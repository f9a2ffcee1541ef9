"""Pictures of the board as PNG, for link previews and mail: the drawing of the pages, by day, drawn without a browser.

What a picture shows is given to it; whether somebody may see that is asked before (games.pages.picture, games.mail).
"""

from games.pictures.alone import draw_alone
from games.pictures.postcard import LARGE, SMALL, draw_postcard
from games.pictures.render import HEIGHT, WIDTH, draw_png
from games.pictures.shelf import is_kept, keep

__all__ = ["HEIGHT", "LARGE", "SMALL", "WIDTH", "draw_alone", "draw_png", "draw_postcard", "is_kept", "keep"]
