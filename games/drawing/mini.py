"""A few territories of the board as a small picture, for teaching."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from html import escape

from django.utils.safestring import SafeString

from games import rules
from games.drawing.board import (
    Link,
    draw_arrow,
    draw_land,
    draw_lines,
    draw_mark,
    draw_names,
    draw_sheet,
    draw_stack,
    draw_village,
    in_silence,
)
from games.drawing.huts import SYMBOLS
from games.drawing.outlines import outlines

MARGIN = 14


def draw_sprite() -> SafeString:
    """The huts that the small pictures of a page use: once on a page that has no whole board."""
    return SafeString(f'<svg class="sprite" width="0" height="0" aria-hidden="true"><defs>{SYMBOLS}</defs></svg>')


def draw_mini(
    position: rules.Position,
    territories: Collection[str],
    *,
    title: str,
    last: rules.Step | None = None,
    links: Mapping[str, Link] | None = None,
    marks: Mapping[str, str] | None = None,
) -> SafeString:
    """The named `territories` at `position`, everything around them faded; `title` says what it shows.

    `links` makes territories links, `marks` says which are `chosen`, a `target` or `founding`. Uses the huts of
    `draw_sprite`. Costs about 0.1 ms of CPU.
    """
    villages = {village.territory: village for village in position.villages}
    parts = [_ground(name, _kind(position, name, territories), links or {}) for name in _in_view(tuple(territories))]
    drawn = [draw_names(tuple(territories)), *(draw_mark(name, kind) for name, kind in (marks or {}).items())]
    for name in territories:
        village = villages.get(name)
        drawn.append(draw_village(village) if village else draw_stack(name, position.stack(name)))
    if last:
        drawn.append(draw_arrow(last.move.origin, last.move.target))
    head = _head(territories, title, "group" if links else "img")
    return SafeString("".join((head, *parts, draw_lines(), in_silence(*drawn), "</svg>")))


def _ground(name: str, kind: str, links: Mapping[str, Link]) -> str:
    land, link = draw_land(name, kind), links.get(name)
    if link is None:
        return land
    return f'<a href="{escape(link.href)}" aria-label="{escape(link.label)}" data-territory="{name}">{land}</a>'


def _kind(position: rules.Position, name: str, territories: Collection[str]) -> str:
    if name not in territories:
        return "land is-beyond"
    return "land" if position.huts(name) else "land is-empty"


@lru_cache(maxsize=1024)
def _in_view(territories: tuple[str, ...]) -> tuple[str, ...]:
    """The territories of which the picture of some shows at least a corner."""
    left, top, right, bottom = _frame(territories)
    boxes = {name: outlines().territories[name].box for name in rules.BOARD.names}
    return tuple(
        name for name, box in boxes.items() if box[0] < right and left < box[2] and box[1] < bottom and top < box[3]
    )


def _frame(territories: Collection[str]) -> tuple[int, int, int, int]:
    """The edges of the picture: left, top, right, bottom."""
    boxes = [outlines().territories[name].box for name in territories]
    left, top = min(box[0] for box in boxes) - MARGIN, min(box[1] for box in boxes) - MARGIN
    return left, top, max(box[2] for box in boxes) + MARGIN, max(box[3] for box in boxes) + MARGIN


def _head(territories: Collection[str], title: str, role: str) -> str:
    left, top, right, bottom = _frame(territories)
    return (
        f'<svg class="clans-board is-mini" viewBox="{left} {top} {right - left} {bottom - top}" role="{role}"'
        f' aria-label="{escape(title)}">'
        f"{draw_sheet()}"
    )
