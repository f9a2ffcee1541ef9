"""A whole board as a small picture, which stands beside the name of a table: one SVG that needs no other file.

Huts are too small to be drawn there. A group is a disc that grows with its huts and has a sector for each clan; the
picture says how the land lies, the board at the table what is where. It is drawn in 0.1 ms, has 15 kB (4 kB as proxies
send it) and is sharp at every size; a PNG of the same size takes 50 ms. In an `<img>` it follows the `color-scheme` of
its page (tried in Chromium), or else that of the system.
"""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from typing import Final, NamedTuple

from games import rules
from games.drawing.outlines import HEIGHT, WIDTH, MapOutlines, Spot, along, outlines_of
from games.drawing.svg import MARGIN

SIZE: Final = (WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN)
COARSE: Final = 2.5
"""How far a line of the picture may be from that of the map, in units of the map: a quarter of a pixel, mostly."""
SMALLEST: Final = 9
GROWTH: Final = 11
LARGEST: Final = 46
"""The radius of a group: that of none, how much it grows with the root of its huts, and what it never exceeds."""
NAME: Final = 38
"""The size of letters, in units of the map: 12 pixels on a phone."""
NARROWED: Final = 0.8
"""How wide they are, of what the reader's font has."""

_DAY = {
    "paper": "#f5efe1", "ink": "#1c292c", "wash": "#c5d8d6", "water": "#bfd6d8",
    "forest": "#8aa67a", "mountain": "#cdcac2", "steppe": "#e2c892", "grassland": "#c4d48f",
}  # fmt: skip
_NIGHT = {
    "paper": "#0e1d22", "ink": "#e8e0cc", "wash": "#17404a", "water": "#15394a",
    "forest": "#1f4638", "mountain": "#4a565e", "steppe": "#665938", "grassland": "#41653c",
}  # fmt: skip
_CLANS = {"red": "#b8241b", "blue": "#2358a6", "green": "#34a56a", "yellow": "#f1c231", "black": "#33312f"}
_WHITE = "#f4f1e8"


def _style(clans: dict[str, str]) -> str:
    """Fills by the first letters of what they are for; all lines are ink but those of the discs."""

    def dress(colors: dict[str, str]) -> str:
        fills = "".join(f".{name}{{fill:{colors[name]}}}" for name in ("forest", "mountain", "steppe", "grassland"))
        return (
            f"{fills}.empty,.ring{{fill:{colors['paper']}}}.lake{{fill:{colors['water']}}}"
            f".shore{{stroke:{colors['wash']}}}.land,.coast,.ring{{stroke:{colors['ink']}}}"
            f".over{{fill:{colors['ink']};stroke:{colors['paper']}}}"
        )

    lines = (
        ".land{stroke-width:2.5;stroke-opacity:.4}.coast{fill:none;stroke-width:7}.shore{fill:none;stroke-width:44}"
        ".ring{stroke-width:7}.ruin{stroke-width:6;stroke-dasharray:16 13}"
        ".over{stroke-width:6;paint-order:stroke}"
        ".rim{fill:#fdf7e6}.line{fill:#17140f}"
    )
    discs = "".join(f".{clan}{{fill:{color}}}" for clan, color in clans.items())
    return f"{dress(_DAY)}{lines}{discs}@media(prefers-color-scheme:dark){{{dress(_NIGHT)}}}"


STYLES: Final = {False: _style(_CLANS), True: _style(_CLANS | {"black": _WHITE})}
"""The style of all pictures; for readers whose fifth clan is white the other one."""
STYLE_HASHES: Final = {
    white: f"sha256-{b64encode(sha256(style.encode()).digest()).decode()}" for white, style in STYLES.items()
}
"""What a content security policy calls them."""


def draw_small(
    position: rules.Position, *, last: rules.Step | None = None, white: bool = False, names: bool = False
) -> str:
    """The board at `position` with an arrow for the `last` move: 8 kB, some tenths of a millisecond of CPU.

    `white` draws the black clan white, `names` writes the names of the territories on it, for who sees it large.
    """
    outlines, villages = (
        outlines_of(position.ruleset.board),
        {village.territory: village for village in position.villages},
    )
    paths, drawn = _land(outlines).outlines, []
    ground: dict[str, list[str]] = {}
    for name in outlines.board.names:
        counts = villages[name].after if name in villages else position.stack(name)
        is_settled = any(counts) or name in villages
        ground.setdefault(outlines.board.terrain_of(name) if is_settled else "empty", []).append(paths[name])
        if name in villages:
            drawn.append(_draw_ring(outlines, name, is_ruin=not any(counts)))
        drawn.append(_draw_disc(outlines, name, tuple(counts)))
    fills = "".join(f'<path class="land {kind}" d="{"".join(paths)}"/>' for kind, paths in sorted(ground.items()))
    arrow = _draw_arrow(outlines, last.move) if last else ""
    written = _write_names(outlines) if names else ""
    return _framed(_land(outlines), fills, f"{''.join(drawn)}{arrow}{written}", white=white)


def draw_small_map(outlines: MapOutlines) -> str:
    """A map on which nobody has settled yet."""
    ground: dict[str, list[str]] = {}
    for name, path in _land(outlines).outlines.items():
        ground.setdefault(outlines.board.terrain_of(name), []).append(path)
    fills = "".join(f'<path class="land {kind}" d="{"".join(paths)}"/>' for kind, paths in sorted(ground.items()))
    return _framed(_land(outlines), fills, white=False)


def _framed(land: Land, fills: str, over: str = "", *, white: bool) -> str:
    """A whole picture: the filled land between the shore and the coast, and what stands on it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {SIZE[0]} {SIZE[1]}"'
        f' width="{SIZE[0]}" height="{SIZE[1]}" stroke-linejoin="round"><style>{STYLES[white]}</style>'
        f'<path class="shore" d="{land.coast}"/>{fills}<path class="lake" d="{land.lakes}"/>'
        f'<path class="coast" d="{land.coast}"/>{over}</svg>\n'
    )


# --- The land -------------------------------------------------------------------------------------


class Land(NamedTuple):
    """Paths in few points: the outline of each territory, in the order of the board; the lakes, and the coast.

    Neighbors share their lines, so that no gap opens between two territories.
    """

    outlines: dict[str, str]
    lakes: str
    coast: str


@lru_cache(maxsize=8)
def _land(outlines: MapOutlines) -> Land:
    lines = tuple(tuple(_coarse(list(_on_curve(line)))) for line in outlines.lines)
    closed = {
        name: _joined([spot for step in steps for spot in along(lines, step)[:-1]]) + "z"
        for name, steps in outlines.rims.items()
    }
    return Land(
        outlines={name: closed[name] for name in outlines.board.names},
        lakes="".join(path for name, path in closed.items() if name not in outlines.territories),
        coast="".join(_joined(lines[number - 1]) for number in outlines.shores),
    )


def _joined(spots: Sequence[Spot]) -> str:
    """A path along some spots: where it begins, then steps."""
    places = [(round(x), round(y)) for x, y in spots]
    steps = [f"{to_x - x} {to_y - y}" for (x, y), (to_x, to_y) in pairwise(places)]
    return f"M{places[0][0]} {places[0][1]}l{' '.join(steps)}".replace(" -", "-")


def _on_curve(line: Sequence[Spot]) -> Iterator[Spot]:
    """Spots on the curve of a line, which its control points are not."""
    yield line[0]
    for (x, y), (to_x, to_y) in pairwise(line[1:-1]):
        yield (x + to_x) / 2, (y + to_y) / 2
    yield line[-1]


def _coarse(spots: list[Spot]) -> list[Spot]:
    """As few of the spots as keep the line within COARSE of them (Ramer, Douglas and Peucker)."""
    (x, y), (to_x, to_y) = spots[0], spots[-1]
    length = math.hypot(to_x - x, to_y - y) or 1
    aside = [abs((to_x - x) * (y - b) - (x - a) * (to_y - y)) / length for a, b in spots]
    far = max(range(len(spots)), key=aside.__getitem__)
    if aside[far] <= COARSE:
        return [spots[0], spots[-1]]
    return _coarse(spots[: far + 1])[:-1] + _coarse(spots[far:])


# --- What stands on it ----------------------------------------------------------------------------


@lru_cache(maxsize=8192)
def _draw_disc(outlines: MapOutlines, name: str, counts: tuple[int, ...]) -> str:
    """A group: a disc with a rim, and a sector for each clan from the top on, clockwise."""
    huts = sum(counts)
    if not huts:
        return ""
    (x, y), radius = outlines.territories[name].huts, min(SMALLEST + GROWTH * math.sqrt(huts), LARGEST)
    drawn, turn = [f'<circle class="rim" r="{radius + 4:.0f}"/><circle class="line" r="{radius:.0f}"/>'], 0.0
    for clan, count in zip(rules.CLANS, counts, strict=True):
        if count:
            drawn.append(_draw_sector(clan, radius - 2.5, turn, turn + count / huts))
            turn += count / huts
    return f'<g transform="translate({x} {y})">{"".join(drawn)}</g>'


def _draw_sector(clan: str, radius: float, start: float, end: float) -> str:
    if end - start == 1:
        return f'<circle class="{clan}" r="{radius:.1f}"/>'
    (x, y), (to_x, to_y) = (
        (radius * math.sin(turn * math.tau), -radius * math.cos(turn * math.tau)) for turn in (start, end)
    )
    large = int(end - start > 0.5)
    return (
        f'<path class="{clan}" d="M0 0L{x:.1f} {y:.1f}A{radius:.1f} {radius:.1f} 0 {large} 1 {to_x:.1f} {to_y:.1f}z"/>'
    )


def _draw_ring(outlines: MapOutlines, name: str, *, is_ruin: bool) -> str:
    """The palisade of a village, a broken one round a ruin."""
    land = outlines.territories[name]
    kind = "ring ruin" if is_ruin else "ring"
    return f'<circle class="{kind}" cx="{land.huts[0]}" cy="{land.huts[1]}" r="{land.radius + 2}"/>'


def _draw_arrow(outlines: MapOutlines, move: rules.Move) -> str:
    """From the emptied place to the rim of the target, in strokes that can be seen from afar."""
    start, end = outlines.territories[move.origin], outlines.territories[move.target]
    (x, y), (to_x, to_y) = start.huts, end.huts
    length = math.hypot(to_x - x, to_y - y)
    ux, uy = (to_x - x) / length, (to_y - y) / length
    tip = length - end.radius
    points = ((0, -3), (tip - 24, -7), (tip - 28, -21), (tip, 0), (tip - 28, 21), (tip - 24, 7), (0, 3))
    return f'<path class="over" d="{_joined([(x + a * ux - b * uy, y + a * uy + b * ux) for a, b in points])}z"/>'


def _write_names(outlines: MapOutlines) -> str:
    """The names of the territories, where the map has them, in letters that can be read on a phone. They are narrowed,
    as a picture has no font but those of the reader, and a wide one lets neighbors run into each other."""
    texts = "".join(
        f'<text x="{land.label[0] / NARROWED:.0f}" y="{land.label[1] + NAME // 3}">{name}</text>'
        for name, land in outlines.territories.items()
    )
    letters = f'font-family="sans-serif" font-size="{NAME}" font-weight="600" text-anchor="middle"'
    return f'<g class="over" transform="scale({NARROWED} 1)" {letters}>{texts}</g>'
