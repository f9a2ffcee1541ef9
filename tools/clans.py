"""Draws the huts that stand beside words: `python -m tools.clans` writes static/games/clans.svg.

Six cells of 24 by 24: the five clans, and the fifth as it is where its huts are white. Colors are those of tokens.css.
"""

import re
from pathlib import Path

from games.drawing.huts import DOOR, HUT, MARKS

FOLDER = Path(__file__).parent.parent / "games" / "static" / "games"
CLANS, TOKENS = FOLDER / "clans.svg", FOLDER / "tokens.css"
DARK_SIGNS = ("green", "yellow")
COLOR = re.compile(r"--clan-([a-z]+): (#[0-9a-f]{6});")


def draw_clans() -> str:
    """The whole file. A drawing that CSS fetches can have no variables, so the colors are written into it."""
    found = COLOR.findall(TOKENS.read_text(encoding="utf-8"))
    colors, white = dict(reversed(found)), dict(found)["black"]
    signs = {clan: colors["outline" if clan in DARK_SIGNS else "rim"] for clan in MARKS}
    cells = [_hut(clan, clan, colors[clan], signs[clan], colors) for clan in MARKS]
    cells.append(_hut("white", "black", white, colors["outline"], colors))
    drawn = "\n".join(f'<g transform="translate({24 * place})">{cell}</g>' for place, cell in enumerate(cells))
    size = 'viewBox="0 0 144 24" width="144" height="24" stroke-linejoin="round" stroke-linecap="round"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n{drawn}\n</svg>\n'


def _hut(name: str, clan: str, color: str, sign: str, colors: dict[str, str]) -> str:
    pen = f'fill="none" stroke="{sign}" stroke-width="2.6"' if clan == "black" else f'fill="{sign}"'
    return (
        f'<g id="{name}"><path d="{HUT}" stroke="{colors["rim"]}" stroke-width="4"/>'
        f'<path d="{HUT}" fill="{color}" stroke="{colors["outline"]}" stroke-width="1.7"/>'
        f'<path d="{DOOR}" fill="none" stroke="{colors["outline"]}" stroke-width="1.3"/>'
        f"<g {pen}>{MARKS[clan]}</g></g>"
    )


if __name__ == "__main__":
    CLANS.write_text(draw_clans(), encoding="utf-8")
