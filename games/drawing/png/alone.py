"""The board as one SVG that needs nothing else: no other file, no variable, no font of the page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from games import rules
from games.drawing import counters, huts
from games.drawing.arrows import draw_arrow
from games.drawing.outlines import HEIGHT, WIDTH, MapOutlines, outlines_of
from games.drawing.seals import NOBODY, define_seals
from games.drawing.static_files import drawn_in, read_drawing, styles_of
from games.drawing.svg import MARGIN, draw_names, draw_piles, draw_rings

SYMBOLS: Final = "".join((huts.SYMBOLS, *counters.SYMBOLS.values()))
FACE: Final = "Fira Sans Extra Condensed Medium"
TOKEN = re.compile(r"--([\w-]+): (?:light-dark\((#\w+), #\w+\)|([^;]+));")
RULE = re.compile(r"([^{}]+)\{([^{}]+)\}")


def draw_alone(position: rules.Position, *, last: rules.Step | None = None, initials: Sequence[str] = NOBODY) -> str:
    """The board at `position` by day, with an arrow for the `last` move: 300 kB, mostly ground."""
    outlines, piles = outlines_of(position.ruleset.board), draw_piles(position)
    before, lines = _unchanging(outlines)
    seals = f"<defs>{define_seals(initials)}</defs>"
    empty = "".join(outlines.territories[name].path for name, pile in piles.items() if not pile)
    faded = f'<path class="land is-empty" d="{empty}"/>' if empty else ""
    arrow = draw_arrow(outlines, last.move.origin, last.move.target) if last else ""
    below = (before, seals, faded, lines, arrow, draw_rings(position), draw_names(outlines))
    return "".join((*below, *piles.values(), "</svg>"))


@lru_cache(maxsize=4)
def _unchanging(outlines: MapOutlines) -> tuple[str, str]:
    """What no move changes: all that lies under the empty land, and the lines over it."""
    ground, lines = (read_drawing(outlines.file(name)) for name in ("ground.svg", "lines.svg"))
    return f"{head(styles_of(ground)[0] + styles_of(lines)[0])}{drawn_in(ground)}", drawn_in(lines)


def head(style: str = "") -> str:
    """How a drawing of the whole map begins, with the style of the board and the huts for its groups."""
    box = f"{-MARGIN} {-MARGIN} {WIDTH + 2 * MARGIN} {HEIGHT + 2 * MARGIN}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="{FACE}">'
        f"<style>{_board_style()}{style}</style><defs>{SYMBOLS}</defs>"
    )


@lru_cache(maxsize=1)
def _board_style() -> str:
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
