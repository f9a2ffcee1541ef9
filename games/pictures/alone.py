"""The board as one SVG that needs nothing else: no other file, no variable, no font of the page."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from games import rules
from games.drawing.board import MARGIN, draw_arrow, draw_names, draw_piles
from games.drawing.huts import SYMBOLS
from games.drawing.outlines import outlines

STATIC: Final = Path(__file__).parent.parent / "static" / "games"
FACE: Final = "Fira Sans Extra Condensed Medium"
TOKEN = re.compile(r"--([\w-]+): ([^;]+);")
RULE = re.compile(r"([^{}]+)\{([^{}]+)\}")


def draw_alone(position: rules.Position, *, last: rules.Step | None = None) -> str:
    """The board at `position` by day, with an arrow for the `last` move: 300 kB, mostly ground."""
    before, lines = _sheet()
    piles = draw_piles(position)
    empty = "".join(outlines().territories[name].path for name, pile in piles.items() if not pile)
    faded = f'<path class="land is-empty" d="{empty}"/>' if empty else ""
    arrow = draw_arrow(last.move.origin, last.move.target) if last else ""
    return "".join((before, faded, lines, arrow, draw_names(rules.BOARD.names), *piles.values(), "</svg>"))


@lru_cache(maxsize=1)
def _sheet() -> tuple[str, str]:
    """What no move changes: all that lies under the empty land, and the lines over it."""
    ground, lines = _read("ground.svg"), _read("lines.svg")
    width, height = outlines().width + 2 * MARGIN, outlines().height + 2 * MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {width} {height}" font-family="{FACE}">'
        f"<style>{_by_day(ground)}{_by_day(lines)}{_board_style()}</style><defs>{SYMBOLS}</defs>"
    )
    return head + _drawn(ground), _drawn(lines)


def _read(file: str) -> str:
    return (STATIC / file).read_text(encoding="utf-8")


def _by_day(drawing: str) -> str:
    return drawing.split("<style>")[1].split("@media")[0]


def _drawn(drawing: str) -> str:
    """What a file draws, without its own head."""
    inside = drawing.split("</style>")[1].removesuffix("</svg>\n")
    return f'<g stroke-linecap="round" stroke-linejoin="round">{inside}</g>'


def _board_style() -> str:
    """The rules of board.css for a wide page by day, without variables."""
    day = _read("tokens.css").split(":root[lang")[0]
    tokens = dict(TOKEN.findall(day))
    wide = re.sub(r"/\*.*?\*/", "", _read("board.css"), flags=re.DOTALL).split("@media")[0].split("{", 1)[1]
    rules_of = ((selector.strip().replace(".clans-board ", ""), block) for selector, block in RULE.findall(wide))
    plain = "".join(f"{selector}{{{block}}}" for selector, block in rules_of if ":" not in selector)
    return re.sub(r"var\(--([\w-]+)\)", lambda found: _value(found[1], tokens), re.sub(r"\s+", " ", plain))


def _value(name: str, tokens: dict[str, str]) -> str:
    value = tokens[name]
    return re.sub(r"var\(--([\w-]+)\)", lambda found: tokens[found[1]], value).replace('"', "'")
