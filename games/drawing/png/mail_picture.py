"""The board as a mail shows it: few strokes and few colors, so that two of them fit into a mail of 100 kB.

What no move changes is drawn once a process, inhabited and empty; a picture takes each territory from one of the two,
and only huts, villages, names and arrows are drawn for each mail.
"""

from __future__ import annotations

import io
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from PIL import Image

from games import rules
from games.drawing.arrows import draw_arrow
from games.drawing.outlines import MapOutlines, outlines_of
from games.drawing.png.board import complete, day_tokens, head
from games.drawing.png.render import draw_pixels, lay
from games.drawing.seals import NOBODY, define_seals
from games.drawing.static_files import read_drawing
from games.drawing.svg import draw_names, draw_piles, draw_rings

LARGE: Final = 576
"""Pixels across: about two for each that a phone has for it."""
SMALL: Final = 360

NAMES: Final = 23
COUNTS: Final = {LARGE: 28, SMALL: 32}
"""How large names and counts are written, in units of the map; the small picture has no names."""
CLUMPS: Final = {LARGE: 1, SMALL: 0}
"""How much of each territory's trees, peaks, tufts or blades is drawn: so many squares of CLUMP units a side."""
CLUMP: Final = 42
TINT: Final = 0.85
"""How strong the color of a terrain is."""

TERRAINS: Final = ("forest", "mountain", "steppe", "grassland")
FILTERED: Final = 1
"""The strategy of zlib (Z_FILTERED) that packs these pictures best."""
EFFORT: Final = 8
"""How hard zlib tries, of 9: the last step takes twice as long, for 1 % fewer bytes."""
WHITE_HUTS: Final = "<style>.roof-black{fill:#f4f1e8}.sign-black{stroke:#17140f}</style>"
"""For readers whose fifth clan is white, as :root[lang$="-x-white"] in tokens.css."""

_GLYPHS = re.compile(
    r'(<path class="[sf]-ink" (?:fill-opacity=".16"|stroke-width="[\d.]+" stroke-opacity=".62") d=")([^"]*)"'
)
_START = re.compile(r"M(-?[\d.]+) (-?[\d.]+)")

Color = tuple[int, int, int]
Cell = tuple[int, int]


def draw_mail_picture(
    position: rules.Position,
    *,
    steps: Sequence[rules.Step] = (),
    width: int = LARGE,
    white: bool = False,
    initials: Sequence[str] = NOBODY,
) -> bytes:
    """The board at `position` as PNG, LARGE or SMALL, with an arrow for each of `steps`, numbered if there are several.

    `white` draws the black clan white; `initials` are those of the seats, on their seals. Costs about 0.1 s of CPU, and
    1 s the first time.
    """
    board = paint_board(position, steps=steps, width=width, white=white, initials=initials)
    packed = io.BytesIO()
    in_few_colors(board).save(packed, "PNG", compress_level=EFFORT, compress_type=FILTERED, bits=8)
    return packed.getvalue()


def paint_board(
    position: rules.Position,
    *,
    steps: Sequence[rules.Step] = (),
    width: int = LARGE,
    white: bool = False,
    initials: Sequence[str] = NOBODY,
) -> Image.Image:
    """The same as pixels, in all colors."""
    outlines, piles = outlines_of(position.ruleset.board), draw_piles(position)
    picture = _ground(outlines, piles, width)
    names = draw_names(outlines) if width == LARGE else ""
    below = (f"<defs>{define_seals(initials)}</defs>", *_arrows(outlines, steps), draw_rings(position), names)
    top = (*below, *piles.values())
    lay(picture, draw_pixels(f"{head(_letters(width))}{WHITE_HUTS if white else ''}{''.join(top)}</svg>", width))
    return picture


def _ground(outlines: MapOutlines, piles: Mapping[str, str], width: int) -> Image.Image:
    """All that lies below the moves: each territory inhabited or empty, and the lines."""
    inhabited, empty, lands = _grounds(outlines, width)
    here = lands.point([255 * bool(piles.get(name)) for name in ("", *outlines.board.names)] + [0] * 195)
    picture = Image.composite(inhabited, empty, here)
    lay(picture, _lines(outlines, width))
    return picture


def _arrows(outlines: MapOutlines, steps: Sequence[rules.Step]) -> Iterator[str]:
    for number, step in enumerate(steps, start=1):
        yield draw_arrow(outlines, step.move.origin, step.move.target, number if len(steps) > 1 else 0)


def _letters(width: int) -> str:
    return f".names{{font-size:{NAMES}px;stroke-width:4px;stroke-opacity:1}}.count{{font-size:{COUNTS[width]}px}}"


# --- What no move changes ------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _grounds(outlines: MapOutlines, width: int) -> tuple[Image.Image, Image.Image, Image.Image]:
    """The ground with every territory inhabited, with every one empty, and a map that has 1 for A1, 2 for A2, ..."""
    ground = read_drawing(outlines.file("ground.svg"))
    quiet = _quiet(outlines, ground, CLUMPS[width])
    bare = re.sub(r'<path class="f-(?:forest|mountain|steppe|grassland)"[^>]*>', "", _GLYPHS.sub("", quiet))
    paper = Image.new("RGB", draw_pixels(f"{head()}</svg>", width).size, day_tokens()["paper"])
    grounds = []
    for drawing in (quiet, bare):
        drawn = paper.copy()
        lay(drawn, draw_pixels(complete(drawing), width))
        grounds.append(drawn)
    return grounds[0], grounds[1], _lands(outlines, width)


def _lands(outlines: MapOutlines, width: int) -> Image.Image:
    shapes = (
        f'<path fill="#{number:02x}0000" d="{outlines.territories[name].path}"/>'
        for number, name in enumerate(outlines.board.names, start=1)
    )
    return draw_pixels(f"{head()}{''.join(shapes)}</svg>", width, edges="crisp_edges").getchannel("R")


@lru_cache(maxsize=8)
def _lines(outlines: MapOutlines, width: int) -> Image.Image:
    """Borders, coast, rivers and lakes, without the shade along regions and the ripples in lakes."""
    whole = read_drawing(outlines.file("lines.svg"))
    lines = re.sub(r'<path class="s-(?:ink" stroke-width="(?:9|4.5)" stroke-o|sea)[^>]*>', "", whole)
    return draw_pixels(complete(lines), width)


def _quiet(outlines: MapOutlines, ground: str, clumps: int) -> str:
    """The ground with one tint for each terrain, a narrow sea, and few trees."""
    plain = re.sub(r'<path class="f-\w+" fill-opacity=".42"[^>]*>', "", ground)
    plain = re.sub(rf'(<path class="f-(?:{"|".join(TERRAINS)})" fill-opacity=)"[\d.]+"', rf'\1"{TINT}"', plain)
    plain = re.sub(r'<path class="s-sea" stroke-width="0[^>]*>', "", plain)
    plain = re.sub(r'<path class="f-wash" fill-opacity="0.(?:16|2)"[^>]*>', "", plain)
    kept = _clumps(outlines, plain, clumps)
    return _GLYPHS.sub(lambda found: f'{found[1]}{"".join(_kept(found[2], kept))}"', plain)


def _clumps(outlines: MapOutlines, ground: str, most: int) -> Collection[Cell]:
    """For each territory the squares in which most is drawn."""
    strokes = Counter(_cell(stroke) for found in _GLYPHS.finditer(ground) for stroke in _strokes(found[2]))
    by_land: defaultdict[str, Counter[Cell]] = defaultdict(Counter)
    for cell, drawn in strokes.items():
        by_land[_nearest(outlines, cell)][cell] = drawn
    return {cell for counted in by_land.values() for cell, _strokes in counted.most_common(most)}


def _kept(path: str, cells: Collection[Cell]) -> Iterator[str]:
    return (stroke for stroke in _strokes(path) if _cell(stroke) in cells)


def _strokes(path: str) -> list[str]:
    return re.findall(r"M[^M]*", path)


def _cell(stroke: str) -> Cell:
    start = _START.match(stroke)
    if start is None:
        raise ValueError(f"not a stroke: {stroke}")
    return int(float(start[1]) // CLUMP), int(float(start[2]) // CLUMP)


def _nearest(outlines: MapOutlines, cell: Cell) -> str:
    """The territory whose huts stand nearest to the middle of a square."""
    x, y = ((place + 0.5) * CLUMP for place in cell)
    return min(outlines.territories.values(), key=lambda land: (land.huts[0] - x) ** 2 + (land.huts[1] - y) ** 2).name


# --- Few colors ----------------------------------------------------------------------------------


def in_few_colors(picture: Image.Image) -> Image.Image:
    """The board in the colors of the drawing alone, the nearest for each pixel: a fifth of the size, terrains apart."""
    return picture.quantize(palette=_palette(), dither=Image.Dither.NONE)


def _palette() -> Image.Image:
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for color in _colors() for part in color])
    return palette


def _colors() -> list[Color]:
    """The colors of paper, land, water and huts, and of the edges between land and ink."""
    tokens = {name: _color(value) for name, value in day_tokens().items() if value.startswith("#")}
    paper, ink = tokens["paper"], tokens["ink"]
    lands = [_mixed(paper, tokens[f"terrain-{terrain}"], TINT) for terrain in TERRAINS]
    waters = [(0xBF, 0xD6, 0xD8), _mixed(paper, (0xA9, 0xC6, 0xC6), 0.28)]
    huts = [tokens[f"clan-{clan}"] for clan in ("red", "blue", "green", "yellow", "rim")]
    edges = [_mixed(paper, ink, 0.25), *(_mixed(color, ink, 0.5) for color in (paper, *lands))]
    return [paper, ink, *lands, *waters, *huts, *edges]


def _color(value: str) -> Color:
    red, green, blue = bytes.fromhex(value[1:])
    return red, green, blue


def _mixed(color: Color, other: Color, share: float) -> Color:
    red, green, blue = (round(one * (1 - share) + two * share) for one, two in zip(color, other, strict=True))
    return red, green, blue
