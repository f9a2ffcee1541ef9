"""The whole board."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Final

from django.templatetags.static import static
from django.utils.safestring import SafeString

from games import rules
from games.pages.drawing.huts import SYMBOLS, draw_group
from games.pages.drawing.outlines import outlines

STANDING_STONE: Final = "M-5 9C-7 2-6-8-1-10C4-11 6-3 6 9Z"
FOOTPRINT: Final = (
    '<g class="footprint"><ellipse cx="-6" cy="3" rx="4" ry="7"/><ellipse cx="7" cy="-4" rx="4" ry="7"/></g>'
)

MARGIN: Final = 24
"""Of sea round the land, on all sides."""

MOST_STACKS: Final = 20_000

Describe = Callable[[rules.Position, str], str]


@dataclass(frozen=True, slots=True)
class Link:
    """Where a territory leads, and what a screen reader says of it."""

    href: str
    label: str


def draw_board(
    position: rules.Position,
    *,
    title: str,
    describe: Describe | None = None,
    links: Mapping[str, Link] | None = None,
    last: rules.Step | None = None,
    steps: Sequence[rules.Step] = (),
    chosen: str | None = None,
    origins: Collection[str] = (),
    targets: Collection[str] = (),
    founding: Sequence[str] = (),
) -> SafeString:
    """The board at `position` as one `<svg>`.

    `links` makes territories links; `describe` gives what is written beside the pointer over the others. `last` is the
    last move, an arrow; `steps` are several, arrows numbered 1, 2, 3 in their place. `origins` and `targets` are
    ringed, `chosen` is framed, `founding` shows the villages that a previewed move would found. Costs about 0.2 ms of
    CPU once the parts are known.
    """
    links = links or {}
    names = rules.BOARD.names
    villages = {village.territory: village for village in position.villages}
    piles = {name: _stack(position, name, packed) for name, packed in zip(names, position.stacks, strict=True)}
    piles |= {name: draw_village(village) for name, village in villages.items()}
    parts = [_head(title)]
    if links or describe:
        parts += [_ground(position, name, links.get(name), describe, empty=not pile) for name, pile in piles.items()]
    else:
        parts += [draw_land(name, "land" if pile else "land is-empty") for name, pile in piles.items()]
    parts += [draw_lines(), draw_names(names)]
    parts += [_marks(name, "origin") for name in origins]
    parts += [_marks(name, "target") for name in targets]
    parts += [_marks(chosen, "chosen")] if chosen else []
    parts += [_marks(name, "founding") for name in founding]
    parts += _arrows(steps) if steps else [draw_arrow(last.move.origin, last.move.target)] if last else []
    parts += piles.values()
    return SafeString("".join((*parts, "</svg>")))


def draw_map(title: str) -> SafeString:
    """The land without huts, for a page that shows what the game is played on."""
    names = rules.BOARD.names
    return SafeString(
        "".join((_head(title), *(draw_land(name, "land") for name in names), draw_lines(), draw_names(names), "</svg>"))
    )


def _head(title: str) -> str:
    sheet = outlines()
    width, height = sheet.width + 2 * MARGIN, sheet.height + 2 * MARGIN
    return (
        f'<svg class="clans-board" viewBox="{-MARGIN} {-MARGIN} {width} {height}" role="group"'
        f' aria-label="{escape(title)}"><defs>{SYMBOLS}</defs>{draw_sheet()}'
    )


def draw_sheet() -> str:
    """The sea and the terrains, from a file of their own: what fades where land is empty."""
    return _picture("games/ground.svg")


def draw_lines() -> str:
    """Borders, coast, rivers and lakes, from a file of their own: what never fades."""
    return _picture("games/lines.svg")


@lru_cache(maxsize=4)
def _picture(file: str) -> str:
    sheet = outlines()
    return (
        f'<image href="{static(file)}" x="{-MARGIN}" y="{-MARGIN}" width="{sheet.width + 2 * MARGIN}"'
        f' height="{sheet.height + 2 * MARGIN}"/>'
    )


@lru_cache(maxsize=4)
def draw_names(names: Collection[str]) -> str:
    """The names of territories, over whatever lies on the ground."""
    lands = [outlines().territories[name] for name in names]
    labels = (f'<text x="{land.label[0]}" y="{land.label[1] + 5}">{land.name}</text>' for land in lands)
    return f'<g class="names" aria-hidden="true">{"".join(labels)}</g>'


def _ground(position: rules.Position, name: str, link: Link | None, describe: Describe | None, *, empty: bool) -> str:
    """The ground of a territory: what a pointer hits."""
    kind = "land is-empty" if empty else "land"
    if link:
        return (
            f'<a href="{escape(link.href)}" aria-label="{escape(link.label)}" data-territory="{name}">'
            f"{draw_land(name, kind)}</a>"
        )
    return draw_land(name, kind, escape(describe(position, name)) if describe else "")


_stacks: dict[tuple[str, int], str] = {}


def _stack(position: rules.Position, name: str, packed: int) -> str:
    """The huts of a territory, kept by the stack as one number: cheaper to look up than five counts."""
    drawn = _stacks.get((name, packed))
    if drawn is None:
        if len(_stacks) > MOST_STACKS:
            _stacks.clear()
        drawn = _stacks[name, packed] = draw_stack(name, position.stack(name))
    return drawn


@lru_cache(maxsize=8192)
def draw_land(name: str, kind: str, words: str = "") -> str:
    """The outline of a territory, which lies in a file of its own: 60 outlines would be half of a page."""
    told = f"><title>{words}</title></use>" if words else "/>"
    return f'<use class="{kind}" href="{static("games/land.svg")}#{name}"{told}'


@lru_cache(maxsize=8192)
def draw_stack(name: str, counts: rules.Counts) -> str:
    """The huts of a group outside villages; a standing stone beside a group that stays (rules 3.2)."""
    if not any(counts):
        return ""
    land = outlines().territories[name]
    (x, y), radius = land.huts, land.radius
    stone = ""
    if sum(counts) >= rules.HEAVY:
        stone = f'<path class="stone" transform="translate({x - radius + 2} {y})" d="{STANDING_STONE}"/>'
    return f'<g class="group">{stone}{draw_group(counts, x, y, radius)}</g>'


@lru_cache(maxsize=8192)
def draw_village(village: rules.Village) -> str:
    """A palisade round the huts with value and founder; a broken one where nothing was left (rules 5.2, 5.4)."""
    land = outlines().territories[village.territory]
    (x, y), radius = land.huts, land.radius
    is_ruin = village.doomed or not any(village.after)
    ring = f'<circle class="palisade{" is-ruin" if is_ruin else ""}" cx="{x}" cy="{y}" r="{radius}"/>'
    huts = "" if is_ruin else draw_group(village.after, x, y - 3, round(radius * 0.8))
    value = (
        f'<g class="value" transform="translate({x} {y + radius - 4})"><path d="M-14-10h28l4 10-4 10h-28l-4-10z"/>'
        f'<text y="6">{village.value}</text></g>'
    )
    side = -1 if land.label[0] > x and land.label[1] < y else 1  # not over the name
    founder = (
        f'<g class="founder" transform="translate({x + side * round(radius * 0.75)} {y - round(radius * 0.75)})">'
        f'<circle r="9"/><text y="4.500">{village.founder + 1}</text></g>'
    )
    return f'<g class="village">{ring}{huts}{value}{founder}</g>'


@lru_cache(maxsize=1024)
def _marks(name: str, kind: str) -> str:
    land = outlines().territories[name]
    if kind == "chosen":
        return draw_land(name, "mark-chosen")
    return f'<circle class="mark-{kind}" cx="{land.huts[0]}" cy="{land.huts[1]}" r="{land.radius + 3}"/>'


def _arrows(steps: Sequence[rules.Step]) -> Iterator[str]:
    """Moves in their order. A territory is emptied once (rules 7.5), so each number has a place of its own."""
    for number, step in enumerate(steps, start=1):
        yield draw_arrow(step.move.origin, step.move.target, number)


@lru_cache(maxsize=4096)
def draw_arrow(origin: str, target: str, number: int = 0) -> str:
    """One brush stroke from the emptied place, marked by a footprint or its `number`, to the target."""
    (x, y), path = outlines().territories[origin].huts, _stroke(origin, target, leave=22 if number else 17)
    mark = f'<circle r="19"/><text y="9.500">{number}</text>' if number else FOOTPRINT
    kind = "last-move is-numbered" if number else "last-move"
    return f'<g class="{kind}"><path d="{path}"/><g transform="translate({x} {y})">{mark}</g></g>'


def _stroke(origin: str, target: str, *, leave: int) -> str:
    """The outline of a brush stroke that begins `leave` away from the middle of one place and ends before another."""
    start, end = outlines().territories[origin], outlines().territories[target]
    (x, y), (to_x, to_y) = start.huts, end.huts
    length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
    ux, uy = (to_x - x) / length, (to_y - y) / length
    tip, bend = length - end.radius * 0.95, length * 0.12
    points = ((leave, -2), (tip * 0.55, -5 - bend), (tip - 14, -6.5), (tip - 18, -15), (tip, 0), (tip - 18, 14))
    back = ((tip - 14, 6), (tip * 0.55, 6.5 - bend), (leave, 2.5))
    spots = [f"{x + a * ux - b * uy:.0f} {y + a * uy + b * ux:.0f}" for a, b in (*points, *back)]
    return f"M{spots[0]}Q{spots[1]} {spots[2]}L{spots[3]} {spots[4]} {spots[5]} {spots[6]}Q{spots[7]} {spots[8]}z"
