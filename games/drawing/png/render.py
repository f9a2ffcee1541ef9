"""SVG as PNG, by resvg."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Final, Literal

import resvg_py

from games.drawing import outlines
from games.drawing.png.alone import FACE
from games.drawing.svg import MARGIN

FONTS: Final = tuple(Path(__file__).with_name(name) for name in ("fira-narrow.ttf", "fira-narrow-ext.ttf"))
"""resvg draws no text without a font file, and none of the compressed ones that pages use. The second has the letters
that the first lacks."""

PAPER: Final = "#f5efe1"
WIDTH: Final = 800
RATIO: Final = (outlines.HEIGHT + 2 * MARGIN) / (outlines.WIDTH + 2 * MARGIN)
HEIGHT: Final = math.ceil(WIDTH * RATIO)


def draw_png(
    svg: str,
    *,
    width: int = WIDTH,
    height: int | None = None,
    background: str | None = PAPER,
    edges: Literal["crisp_edges", "geometric_precision"] = "geometric_precision",
) -> bytes:
    """The drawing of a board as PNG, so many pixels wide, and `height` high if that is more than the map. Costs some
    tenths of a second of CPU for a whole one.

    Raises ValueError for what is no drawing.
    """
    try:
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=svg,
                width=width,
                height=height or math.ceil(width * RATIO),
                background=background,
                skip_system_fonts=True,
                font_files=list(map(str, FONTS)),
                font_family=FACE,
                shape_rendering=edges,
            )
        )
    except BaseException as panic:
        # That of a library in Rust, which is no Exception, would end the process that draws.
        if type(panic).__name__ != "PanicException":
            raise
        raise ValueError(f"cannot be drawn: {panic}") from panic
