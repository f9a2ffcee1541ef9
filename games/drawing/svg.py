"""The whole board as one SVG: ground, links, huts, villages, marks and arrows."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from typing import Final

from django.templatetags.static import static
from django.utils.safestring import SafeString

from games import rules
from games.drawing.arrows import draw_arrow
from games.drawing.counters import pile_up, symbols_for
from games.drawing.huts import SINGLE, SYMBOLS, draw_group, is_crowded
from games.drawing.outlines import HEIGHT, WIDTH, CountedPlace, MapOutlines, Territory, map_file, outlines_of
from games.drawing.seals import NOBODY, define_seals

CHIP: Final = "chip"
"""The sign of a village that takes the last chip."""
STANDING_STONE: Final = "M-7 12C-9 3-8-9-2-12.5C4-15 8-5 8 12Z"
RUIN: Final = (
    "M-14 15c-.4-5-.3-9 .1-13.4l2.6-2.7 2.3 2.9c.3 4.3.3 8.6.1 12.9M-4.5 15c-.1-3 0-5.9.3-8.7l4.4-2.9"
    "M7 14.8c.1-5.1.1-8.9.6-13.1l2.9-2.9 2.4 3.2c.3 4.3.3 8.4 0 12.6M-16 16.5c10-.8 21.5-.8 32.3 0"
)
PLATE: Final = '<path d="M-15-11h30l4.5 11-4.5 11h-30l-4.5-11z"/>'
VALUE_PLACES: Final = (90, 125, 55, 270, 235, 305, 160, 20)
"""Where the value may stand on a palisade, best first, in degrees clockwise from the right."""
FOUNDER_PLACES: Final = (315, 225, 45, 135, 0, 180)
FARTHER: Final = (0, 7, 14, 21)
"""How much farther out they may stand, where counters reach over the palisade."""
NAME_REACH, VALUE_REACH, FOUNDER_REACH = (14, 9), (20, 12), (13, 13)
"""Half of the width and height of names, values and founders, none of which may cover another."""
CLEAR: Final = 1
"""How far apart things must be to be clear of one another."""
NEAR: Final = 120
"""How far from a palisade a name may be that something on it could cover."""

MARGIN: Final = 24
"""Width of the sea that is drawn round the land, on all sides."""

Spot = tuple[int, int]
Box = tuple[tuple[float, float], tuple[float, float]]
"""A rectangle: its middle, and half of its width and height."""
Describe = Callable[[rules.Position, str], str]


@dataclass(frozen=True, slots=True)
class BoardLink:
    """Where a territory leads, and what a screen reader says of it."""

    href: str
    label: str


@dataclass(frozen=True, slots=True)
class BoardButton:
    """A move that a button on its target plays, in the form `#strike` of the page, and what a screen reader says."""

    move: rules.Move
    label: str


def draw_board(
    position: rules.Position,
    *,
    title: str,
    describe: Describe | None = None,
    links: Mapping[str, BoardLink] | None = None,
    last: rules.Step | None = None,
    steps: Sequence[rules.Step] = (),
    chosen: str | None = None,
    origins: Collection[str] = (),
    targets: Collection[str] = (),
    founding: Sequence[str] = (),
    order_signs: Mapping[str, str] | None = None,
    buttons: Sequence[BoardButton] = (),
    initials: Sequence[str] = NOBODY,
) -> SafeString:
    """The board at `position` as one `<svg>`, with the `initials` of the seats on their seals.

    `links` makes territories links; `describe` gives what is written beside the pointer over the others. `last` is the
    last move, an arrow; `steps` are several, arrows numbered 1, 2, 3 in their place. `origins` and `targets` are
    ringed, `chosen` is framed, `founding` shows the villages that a previewed move would found. On the villages that
    have `order_signs` stand these: a place in the founding order, CHIP, or a question mark. On the targets of
    `buttons` lie these. Costs about 0.6 ms of CPU once the parts are known.
    """
    links, outlines = links or {}, outlines_of(position.ruleset.board)
    piles = draw_piles(position)
    drawn = "".join(piles.values())
    parts = [_head(outlines, title, symbols_for(drawn) + define_seals(initials))]
    if links or describe:
        for name, pile in piles.items():
            parts.append(_ground(outlines, position, name, links.get(name), describe, empty=not pile))
    else:
        parts += [draw_land(outlines, name, "land" if pile else "land is-empty") for name, pile in piles.items()]
    parts.append(draw_lines(outlines))
    parts += [draw_mark(outlines, name, "origin") for name in origins]
    parts += [draw_mark(outlines, name, "target") for name in targets]
    parts += [draw_mark(outlines, chosen, "chosen")] if chosen else []
    parts += [draw_mark(outlines, name, "founding") for name in founding]
    arrow = draw_arrow(outlines, last.move.origin, last.move.target) if last else ""
    arrows = "".join(_arrows(outlines, steps)) if steps else arrow
    parts.append(hide_from_screen_readers(arrows, draw_rings(position), draw_names(outlines), drawn))
    parts += [_sign(outlines, name, sign) for name, sign in order_signs.items()] if order_signs else []
    parts += [_button(outlines, button) for button in buttons]
    return SafeString("".join((*parts, "</svg>")))


def hide_from_screen_readers(*parts: str) -> str:
    """A group that screen readers pass over: the links of territories say what stands in them."""
    return f'<g aria-hidden="true">{"".join(parts)}</g>'


def draw_piles(position: rules.Position) -> dict[str, str]:
    """What stands in each territory, huts or a village; empty for empty land."""
    ruleset = position.ruleset
    outlines = outlines_of(ruleset.board)
    piles = {name: draw_stack(ruleset, name, position.stack(name)) for name in ruleset.board.names}
    return piles | {village.territory: draw_village(outlines, village) for village in position.villages}


def _head(outlines: MapOutlines, title: str, symbols: str) -> str:
    return (
        f'<svg class="clans-board" viewBox="{-MARGIN} {-MARGIN} {WIDTH + 2 * MARGIN} {HEIGHT + 2 * MARGIN}"'
        f' role="group" aria-label="{escape(title)}">'
        f'<defs aria-hidden="true">{SYMBOLS}{symbols}</defs>{draw_ground(outlines)}'
    )


@cache
def map_url(board: rules.Board, file: str) -> str:
    """The address of a file of a map that no move changes: `ground.svg`, `lines.svg`, `land.svg`, `small.svg`
    or `spots.js`. Looked up once: a board has one for each territory."""
    return static(map_file(board.id, file))


def draw_ground(outlines: MapOutlines) -> str:
    """The sea and the terrains, as images of a file of its own; empty land is drawn faded over it."""
    return _pictures(map_url(outlines.board, "ground.svg"))


def draw_lines(outlines: MapOutlines) -> str:
    """Borders, coast, rivers and lakes, as images of a file of its own; they lie over empty land."""
    return _pictures(map_url(outlines.board, "lines.svg"))


def _pictures(href: str) -> str:
    """By day and by night, of which board.css shows one. An image does not know the theme of its page in Safari."""
    return f'<image href="{href}"/><image href="{href}#night"/>'


def draw_names(outlines: MapOutlines, names: Collection[str] = ()) -> str:
    """The names of territories, of all if none is given, over whatever lies on the ground."""
    lands = [outlines.territories[name] for name in names or outlines.board.names]
    labels = (f'<text x="{land.label[0]}" y="{land.label[1] + 5}">{land.name}</text>' for land in lands)
    return f'<g class="names">{"".join(labels)}</g>'


def _ground(
    outlines: MapOutlines,
    position: rules.Position,
    name: str,
    link: BoardLink | None,
    describe: Describe | None,
    *,
    empty: bool,
) -> str:
    """The surface of a territory that is clicked or touched, as a link where it leads somewhere."""
    kind = "land is-empty" if empty else "land"
    if link:
        land = draw_land(outlines, name, kind)
        return f'<a href="{escape(link.href)}" aria-label="{escape(link.label)}" data-territory="{name}">{land}</a>'
    return draw_land(outlines, name, kind, describe(position, name) if describe else "")


def draw_land(outlines: MapOutlines, name: str, kind: str, words: str = "") -> str:
    """The outline of a territory, which lies in a file of its own: 60 outlines would be half of a page."""
    closing = f"><title>{escape(words)}</title></use>" if words else "/>"
    return f'<use class="{kind}" href="{map_url(outlines.board, "land.svg")}#{name}"{closing}'


def draw_stack(ruleset: rules.Ruleset, name: str, counts: rules.Counts) -> str:
    """The huts of a group outside villages; a standing stone beside a group that stays (rules 3.2)."""
    huts = sum(counts)
    if not huts:
        return ""
    land, stone = outlines_of(ruleset.board).territories[name], ""
    x, y = land.huts
    if huts >= ruleset.version.heavy:
        aside, below = land.counted.stone
        stone = f'<path class="stone" transform="translate({x + aside} {y + below})" d="{STANDING_STONE}"/>'
    if huts <= SINGLE:
        return f'<g class="group">{stone}{draw_group(counts, x, y, land.radius)}</g>'
    return f'<g class="group">{stone}<g transform="translate({x} {y})">{_draw_counted(land.counted, counts)}</g></g>'


def _draw_counted(place: CountedPlace, counts: rules.Counts) -> str:
    """A group with a count for each clan, and how many huts there are in all, where there are several."""
    group = draw_group(counts, *place.huts, place.radius)
    if is_crowded(counts, place.radius):
        group = f'<g class="apart">{group}</g>{pile_up(counts, place.radius).draw(*place.counters)}'
    if counts.count(0) == len(counts) - 1:
        return group
    (x, y), text = place.sum, f"={sum(counts)}"
    return f'<text class="count" x="{x - 7 * len(text)}" y="{y + 9}">{text}</text>{group}'


def draw_rings(position: rules.Position) -> str:
    """The palisades, which lie under the names; a broken one round a ruin where nothing was left (rules 5.2, 5.4)."""
    outlines = outlines_of(position.ruleset.board)
    return "".join(draw_ring(outlines, village) for village in position.villages)


def draw_ring(outlines: MapOutlines, village: rules.Village) -> str:
    land = outlines.territories[village.territory]
    kind = "palisade is-ruin" if _is_ruin(village) else "palisade"
    return f'<circle class="{kind}" cx="{land.huts[0]}" cy="{land.huts[1]}" r="{land.radius}"/>'


def draw_village(outlines: MapOutlines, village: rules.Village) -> str:
    """What stands in a palisade and on it: huts or a ruin, value and founder."""
    inside = _ruin(outlines, village) if _is_ruin(village) else _villagers(outlines, village)
    return f'<g class="village">{inside}</g>'


def _is_ruin(village: rules.Village) -> bool:
    return village.doomed or not any(village.after)


def _ruin(outlines: MapOutlines, village: rules.Village) -> str:
    x, y = outlines.territories[village.territory].huts
    signs = _signs(village, _on_ring(outlines, village.territory))
    return f'<path class="ruin" transform="translate({x} {y})" d="{RUIN}"/>{signs}'


def _villagers(outlines: MapOutlines, village: rules.Village) -> str:
    """The huts of a village, a little away from its value."""
    land = outlines.territories[village.territory]
    (x, y), radius = land.huts, round(land.radius * 0.86)
    value, founder = _on_ring(outlines, village.territory)
    aside, below = ((place - middle) / land.radius * 3 for place, middle in zip(value, land.huts, strict=True))
    group = draw_group(village.after, round(x - aside), round(y - below), radius)
    if not is_crowded(village.after, radius):
        return f"{group}{_signs(village, (value, founder))}"
    pile = pile_up(village.after, radius)
    signs = _signs(village, (value, founder), close=_on_ring(outlines, village.territory, tuple(pile.boxes(x, y))))
    return f'<g class="apart">{group}</g>{pile.draw(x, y)}{signs}'


def _signs(village: rules.Village, spots: Sequence[Spot], *, close: Sequence[Spot] = ()) -> str:
    """Value and founder at their spots, and where a phone's counters need other ones, once more at those (`close`)."""
    signs = []
    for draw, spot, other in zip((_value, _founder), spots, close or spots, strict=True):
        signs.append(draw(village, spot, "apart" if other != spot else ""))
        if other != spot:
            signs.append(draw(village, other, "close"))
    return "".join(signs)


def _value(village: rules.Village, spot: Spot, when: str) -> str:
    at = f'class="{f"value {when}".strip()}" transform="translate({spot[0]} {spot[1]})"'
    return f'<g {at}>{PLATE}<text y="8.5">{village.value}</text></g>'


def _founder(village: rules.Village, spot: Spot, when: str) -> str:
    at = f'class="{f"founder {when}".strip()}" transform="translate({spot[0]} {spot[1]})"'
    return f'<g {at}><use href="#seal-{village.founder}"/></g>'


@lru_cache(maxsize=1024)
def _on_ring(outlines: MapOutlines, territory: str, pile: tuple[Box, ...] = ()) -> tuple[Spot, Spot]:
    """Where on the palisade of a village its value and its founder stand: clear of all names, of each other, and of
    the boxes in a `pile`."""
    land = outlines.territories[territory]
    ways = FARTHER if pile else FARTHER[:1]
    taken: list[Box] = [*pile, *((label, NAME_REACH) for label in _names_near(outlines, land.huts))]
    value = _free([_at_angle(land, turn, out=1 + way) for way in ways for turn in VALUE_PLACES], VALUE_REACH, taken)
    taken.append((value, VALUE_REACH))
    places = [_at_angle(land, turn, out=7 + way) for way in ways for turn in FOUNDER_PLACES]
    return value, _free(places, FOUNDER_REACH, taken)


def _names_near(outlines: MapOutlines, place: Spot) -> list[Spot]:
    """Where the names stand that something on a palisade round that place might cover."""
    labels = (other.label for other in outlines.territories.values())
    return [label for label in labels if math.dist(label, place) < NEAR]


def _at_angle(land: Territory, degrees: int, *, out: int) -> Spot:
    """A place a little way out of the palisade, so many degrees clockwise from its right side."""
    turn, reach = math.radians(degrees), land.radius + out
    return round(land.huts[0] + reach * math.cos(turn)), round(land.huts[1] + reach * math.sin(turn))


def _free(spots: Sequence[Spot], size: Spot, taken: Collection[Box]) -> Spot:
    """The first of the spots at which a box of that size is clear of what is taken, else the one that covers least."""

    def room(spot: Spot) -> float:
        return min(_gap((spot, size), box) for box in taken)

    return next((spot for spot in spots if room(spot) >= CLEAR), None) or max(spots, key=room)


def _gap(one: Box, other: Box) -> float:
    """How far two boxes are apart; below 0 for those that overlap."""
    ((x, y), (wide, high)), ((to_x, to_y), (to_wide, to_high)) = one, other
    return max(abs(to_x - x) - wide - to_wide, abs(to_y - y) - high - to_high)


def draw_mark(outlines: MapOutlines, name: str, kind: str) -> str:
    land = outlines.territories[name]
    if kind == "chosen":
        return draw_land(outlines, name, "mark-chosen")
    return f'<circle class="mark-{kind}" cx="{land.huts[0]}" cy="{land.huts[1]}" r="{land.radius + 3}"/>'


def _sign(outlines: MapOutlines, name: str, sign: str) -> str:
    """What `ask` of games/static/games/board.js draws, too."""
    land = outlines.territories[name]
    (x, y), out, half = land.huts, (land.radius + 12) * 0.7, 27 if len(sign) > 1 else 19
    drawn, kind = f'<rect x="{-half}" y="-19" width="{2 * half}" height="38" rx="19"/><text y="10">{sign}</text>', ""
    if sign == CHIP:
        drawn, kind = '<circle r="16"/><circle class="chip-core" r="10"/>', " is-taken is-chip"
    elif sign != "?":
        kind = " is-taken"
    return f'<g class="mark-asked{kind}" transform="translate({x + out:g} {y - out:g})">{drawn}</g>'


def _button(outlines: MapOutlines, button: BoardButton) -> str:
    land = outlines.territories[button.move.target]
    (x, y), radius, label = land.huts, land.radius, escape(button.label)
    return (
        f'<foreignObject x="{x - radius}" y="{y - radius}" width="{2 * radius}" height="{2 * radius}">'
        f'<button class="strike" form="strike" name="move" value="{button.move}" aria-label="{label}"></button>'
        "</foreignObject>"
    )


def _arrows(outlines: MapOutlines, steps: Sequence[rules.Step]) -> Iterator[str]:
    """Moves in their order. A territory is emptied once (rules 7.5), so each number has a place of its own."""
    for number, step in enumerate(steps, start=1):
        yield draw_arrow(outlines, step.move.origin, step.move.target, number)
