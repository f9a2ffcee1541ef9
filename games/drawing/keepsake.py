"""Many boards in one file that needs no other file: what no move changes is drawn once, and each board uses it."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from django.utils.safestring import SafeString

from games import rules
from games.drawing import counters, huts
from games.drawing.arrows import draw_arrow
from games.drawing.outlines import HEIGHT, WIDTH, MapOutlines, outlines_of
from games.drawing.seals import define_seals
from games.drawing.static_files import drawn_in, read_bytes, read_drawing, styles_of
from games.drawing.svg import MARGIN, draw_names, draw_piles, draw_rings

SYMBOLS: Final = "".join((huts.SYMBOLS, *counters.SYMBOLS.values()))
FACES: Final = {"Alegreya": "alegreya.woff2", "Fira Narrow": "fira-narrow.woff2"}
"""The faces of the text and of the names on the map, for Latin letters."""
BOX: Final = f"{-MARGIN} {-MARGIN} {WIDTH + 2 * MARGIN} {HEIGHT + 2 * MARGIN}"
GRAIN: Final = re.compile(r'<path class="f-\w+" fill-opacity=".42" fill-rule="evenodd"[^>]*>')
"""What makes the color of the terrains uneven: half of the ground, and of what a printer is sent for each board."""
EVEN: Final = ":is(.f-forest,.f-mountain,.f-steppe,.f-grassland){fill-opacity:.85}"


def define_map(board: rules.Board, *, initials: Sequence[str]) -> SafeString:
    """What all boards of the file use, once: the map, the huts, and the seals with the `initials` of the seats. 220 kB,
    mostly the ground; it shows nothing by itself."""
    return SafeString(
        f'<svg class="sprite" width="0" height="0" aria-hidden="true"><defs>{_unchanging(outlines_of(board))}'
        f"{SYMBOLS}{define_seals(initials)}</defs></svg>"
    )


def _unchanging(outlines: MapOutlines) -> str:
    ground = GRAIN.sub("", drawn_in(read_drawing(outlines.file("ground.svg"))))
    lines = drawn_in(read_drawing(outlines.file("lines.svg")))
    lands = "".join(f'<path id="land-{name}" d="{land.path}"/>' for name, land in outlines.territories.items())
    # Its class is on what uses it, because a rule for what stands in a board does not reach into the definition.
    names = draw_names(outlines).replace(' class="names"', ' id="names"', 1)
    return f'<g id="ground">{ground}</g><g id="lines">{lines}</g>{lands}{names}'


def draw_on_map(position: rules.Position, *, title: str, last: rules.Step | None = None) -> SafeString:
    """The board at `position` with an arrow for the `last` move, as one picture; it uses what `define_map` has drawn.
    About 8 kB."""
    outlines, piles = outlines_of(position.ruleset.board), draw_piles(position)
    empty = "".join(f'<use href="#land-{name}"/>' for name, pile in piles.items() if not pile)
    arrow = draw_arrow(outlines, last.move.origin, last.move.target) if last else ""
    return SafeString(
        f'<svg class="clans-board" viewBox="{BOX}" role="img" aria-label="{escape(title)}"><use href="#ground"/>'
        f'<g class="land is-empty">{empty}</g><use href="#lines"/>{arrow}{draw_rings(position)}'
        f'<use class="names" href="#names"/>{"".join(piles.values())}</svg>'
    )


def board_style(board: rules.Board) -> SafeString:
    """The colors, sizes and faces of the site and the strokes of its boards as one style: by day and by night, as the
    system says, and by day in print. 80 kB, mostly the faces."""
    outlines = outlines_of(board)
    styles = [styles_of(read_drawing(outlines.file(name))) for name in ("ground.svg", "lines.svg")]
    # A map is dark on a dark screen alone, and not on paper.
    maps = (f"{day}@media screen and (prefers-color-scheme:dark){{{night}}}" for day, night in styles)
    tokens = re.sub(r"@font-face \{[^}]*\}", "", read_drawing("games/tokens.css"))
    text = "".join((*_faces(), tokens, read_drawing("games/board.css"), *maps, EVEN))
    return SafeString(re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)))


def _faces() -> Iterator[str]:
    for name, file in FACES.items():
        data = b64encode(read_bytes(f"games/fonts/{file}")).decode()
        yield f'@font-face{{font-family:"{name}";font-weight:400 700;src:url(data:font/woff2;base64,{data})}}'
