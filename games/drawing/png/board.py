"""The board in layers that need nothing else: no other file, no variable, no font of the page."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from games import rules
from games.drawing import counters, huts
from games.drawing.arrows import draw_arrow
from games.drawing.outlines import HEIGHT as HEIGHT_OF_MAP, WIDTH as WIDTH_OF_MAP, MapOutlines, outlines_of
from games.drawing.png.render import FACE, RATIO, WIDTH, Drawing, Layer
from games.drawing.seals import NOBODY, define_seals
from games.drawing.static_files import drawn_in, read_drawing, styles_of
from games.drawing.svg import MARGIN, draw_names, draw_piles, draw_rings

SYMBOLS: Final = "".join((huts.SYMBOLS, *counters.SYMBOLS.values()))
TOKEN = re.compile(r"--([\w-]+): (?:light-dark\((#\w+), #\w+\)|([^;]+));")
RULE = re.compile(r"([^{}]+)\{([^{}]+)\}")


def draw_layers(
    position: rules.Position,
    *,
    last: rules.Step | None = None,
    initials: Sequence[str] = NOBODY,
    width: int = WIDTH,
) -> Drawing:
    """The board at `position` by day, with an arrow for the `last` move."""
    layers = tuple(board_layers(position, last=last, initials=initials, width=width))
    return Drawing(width, math.ceil(width * RATIO), layers)


def board_layers(
    position: rules.Position,
    *,
    last: rules.Step | None,
    initials: Sequence[str],
    width: int,
    at: tuple[int, int] = (0, 0),
) -> Iterator[Layer]:
    """The same from the bottom up, for a picture in which it stands `at` some place."""
    outlines, piles = outlines_of(position.ruleset.board), draw_piles(position)
    ground, lines = _unchanging(outlines)
    yield Layer(ground, width, at, is_fixed=True)
    if empty := "".join(outlines.territories[name].path for name, pile in piles.items() if not pile):
        yield Layer(f'{head()}<path class="land is-empty" d="{empty}"/></svg>', width, at)
    yield Layer(lines, width, at, is_fixed=True)
    seals = f"<defs>{define_seals(initials)}</defs>"
    arrow = draw_arrow(outlines, last.move.origin, last.move.target) if last else ""
    pieces = (seals, arrow, draw_rings(position), draw_names(outlines), *piles.values())
    yield Layer(f"{head()}{''.join(pieces)}</svg>", width, at)


def _unchanging(outlines: MapOutlines) -> tuple[str, str]:
    """What no move changes: all that lies under the empty land, and the lines over it."""
    ground, lines = (complete(read_drawing(outlines.file(name))) for name in ("ground.svg", "lines.svg"))
    return ground, lines


def complete(drawing: str) -> str:
    """A drawing of a map's files as an SVG that needs nothing else, by day."""
    return f"{head(styles_of(drawing)[0])}{drawn_in(drawing)}</svg>"


def head(style: str = "") -> str:
    """How a drawing of the whole map begins, with the style of the board and the huts for its groups."""
    box = f"{-MARGIN} {-MARGIN} {WIDTH_OF_MAP + 2 * MARGIN} {HEIGHT_OF_MAP + 2 * MARGIN}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="{FACE}">'
        f"<style>{board_style()}{style}</style><defs>{SYMBOLS}</defs>"
    )


@lru_cache(maxsize=1)
def board_style() -> str:
    """The rules of board.css for a wide page by day, without variables."""
    tokens = day_tokens()
    styles = read_drawing("games/board.css")
    wide = re.sub(r"/\*.*?\*/", "", styles, flags=re.DOTALL).split("@media")[0].split("{", 1)[1]
    rules_of = ((selector.strip().replace(".clans-board ", ""), block) for selector, block in RULE.findall(wide))
    # resvg writes nothing in a face that it has no file of; what names none is written in that of the drawing.
    faceless = ((selector, re.sub(r"font-family:[^;]*;", "", block)) for selector, block in rules_of)
    plain = "".join(f"{selector}{{{block}}}" for selector, block in faceless if ":" not in selector)
    return re.sub(r"var\(--([\w-]+)\)", lambda found: _value(found[1], tokens), re.sub(r"\s+", " ", plain))


def day_tokens() -> dict[str, str]:
    """The tokens of the page by day: `paper`, `ink`, `clan-red`, ..."""
    tokens = TOKEN.findall(read_drawing("games/tokens.css").split(":root[lang")[0])
    return {name: by_day or always for name, by_day, always in tokens}


def _value(name: str, tokens: dict[str, str]) -> str:
    value = tokens[name]
    return re.sub(r"var\(--([\w-]+)\)", lambda found: tokens[found[1]], value).replace('"', "'")
