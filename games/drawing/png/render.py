"""SVG as pixels, by resvg, and pictures in layers as PNG."""

from __future__ import annotations

import io
import math
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal, NamedTuple

import resvg_py
from PIL import Image

from games.drawing import outlines
from games.drawing.svg import MARGIN

FACE: Final = "Fira Sans Extra Condensed Medium"
FONTS: Final = tuple(Path(__file__).with_name(name) for name in ("fira-narrow.ttf", "fira-narrow-ext.ttf"))
"""resvg draws no text without a font file, and none of the compressed ones that pages use. The second has the letters
that the first lacks."""

PAPER: Final = "#f5efe1"
WIDTH: Final = 800
RATIO: Final = (outlines.HEIGHT + 2 * MARGIN) / (outlines.WIDTH + 2 * MARGIN)
"""Of height to width of the map."""
HEIGHT: Final = math.ceil(WIDTH * RATIO)


class Layer(NamedTuple):
    """A part of a drawing, over the parts before it: an SVG that needs nothing else, `width` pixels wide."""

    svg: str
    width: int
    at: tuple[int, int] = (0, 0)
    """Its left upper corner in the drawing."""
    is_fixed: bool = False
    """Whether it is the same in many drawings: each process draws it once."""


class Drawing(NamedTuple):
    """What is drawn on paper, from the bottom up."""

    width: int
    height: int
    layers: tuple[Layer, ...]

    @property
    def digest(self) -> str:
        """Another one if anything in it changes: 32 letters and digits. About 1 ms."""
        places = (self.width, self.height, *((layer.width, layer.at) for layer in self.layers))
        return sha256("\n".join((str(places), *(layer.svg for layer in self.layers))).encode()).hexdigest()[:32]


def draw_png(drawing: Drawing) -> bytes:
    """The drawing as PNG. About 0.3 s of CPU, and half a second more where fixed layers are drawn first.

    Raises ValueError for a layer that is no drawing.
    """
    drawn = Image.new("RGB", (drawing.width, drawing.height), PAPER)
    for layer in drawing.layers:
        draw = _draw_once if layer.is_fixed else draw_pixels
        lay(drawn, draw(layer.svg, layer.width), layer.at)
    packed = io.BytesIO()
    drawn.save(packed, "PNG")
    return packed.getvalue()


def lay(picture: Image.Image, layer: Image.Image, at: tuple[int, int] = (0, 0)) -> None:
    """Lay pixels over those of a picture, which changes."""
    picture.paste(layer, at, layer)


def draw_pixels(
    svg: str, width: int, *, edges: Literal["crisp_edges", "geometric_precision"] = "geometric_precision"
) -> Image.Image:
    """The drawing, so many pixels wide, with nothing below it. Raises ValueError for what is no drawing."""
    try:
        drawn = resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            skip_system_fonts=True,
            font_files=list(map(str, FONTS)),
            font_family=FACE,
            shape_rendering=edges,
        )
    except BaseException as panic:
        # That of a library in Rust, which is no Exception, would end the process that draws.
        if type(panic).__name__ != "PanicException":
            raise
        raise ValueError(f"cannot be drawn: {panic}") from panic
    pixels = Image.open(io.BytesIO(bytes(drawn)))
    # Pillow reads the pixels when they are first asked for, and fails where two threads ask for them at once.
    pixels.load()
    return pixels


@lru_cache(maxsize=8)
def _draw_once(svg: str, width: int) -> Image.Image:
    """Pixels to lay over others, which must stay as they are: 2 MB each where they are 800 wide."""
    return draw_pixels(svg, width)
