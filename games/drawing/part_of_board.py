"""A few territories cut out of the board, for teaching. The small board of a whole game is in small_board.py."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from html import escape

from django.utils.safestring import SafeString

from games import rules
from games.drawing.arrows import draw_arrow
from games.drawing.huts import SYMBOLS
from games.drawing.outlines import MapOutlines, outlines_of
from games.drawing.seals import define_seals
from games.drawing.svg import (
    BoardLink,
    draw_ground,
    draw_land,
    draw_lines,
    draw_mark,
    draw_names,
    draw_ring,
    draw_stack,
    draw_village,
    hide_from_screen_readers,
)

MARGIN = 14


def draw_sprite() -> SafeString:
    """The huts and seals that such parts of the board use: once on a page that has no whole board."""
    symbols = SYMBOLS + define_seals()
    return SafeString(f'<svg class="sprite" width="0" height="0" aria-hidden="true"><defs>{symbols}</defs></svg>')


def draw_part(
    position: rules.Position,
    territories: Collection[str],
    *,
    title: str,
    last: rules.Step | None = None,
    links: Mapping[str, BoardLink] | None = None,
    marks: Mapping[str, str] | None = None,
) -> SafeString:
    """The named `territories` at `position`, everything around them faded; `title` says what it shows.

    `links` makes territories links, `marks` says which are `chosen`, a `target` or `founding`. Uses the huts of
    `draw_sprite`. Costs about 0.1 ms of CPU.
    """
    outlines, villages = (
        outlines_of(position.ruleset.board),
        {village.territory: village for village in position.villages},
    )
    in_view = _in_view(outlines, tuple(territories))
    parts = [_ground(outlines, name, _kind(position, name, territories), links or {}) for name in in_view]
    signs = (draw_mark(outlines, name, kind) for name, kind in (marks or {}).items())
    rings = (draw_ring(outlines, villages[name]) for name in territories if name in villages)
    drawn = [*rings, draw_names(outlines, tuple(territories)), *signs]
    for name in territories:
        village = villages.get(name)
        drawn.append(
            draw_village(outlines, village) if village else draw_stack(position.ruleset, name, position.stack(name))
        )
    if last:
        drawn.append(draw_arrow(outlines, last.move.origin, last.move.target))
    head = _head(outlines, territories, title, "group" if links else "img")
    return SafeString("".join((head, *parts, draw_lines(outlines), hide_from_screen_readers(*drawn), "</svg>")))


def _ground(outlines: MapOutlines, name: str, kind: str, links: Mapping[str, BoardLink]) -> str:
    land, link = draw_land(outlines, name, kind), links.get(name)
    if link is None:
        return land
    return f'<a href="{escape(link.href)}" aria-label="{escape(link.label)}" data-territory="{name}">{land}</a>'


def _kind(position: rules.Position, name: str, territories: Collection[str]) -> str:
    if name not in territories:
        return "land is-beyond"
    return "land" if position.huts(name) else "land is-empty"


def _in_view(outlines: MapOutlines, territories: tuple[str, ...]) -> tuple[str, ...]:
    """The territories of which the picture of some shows at least a corner."""
    left, top, right, bottom = _frame(outlines, territories)
    boxes = ((name, outlines.territories[name].box) for name in outlines.board.names)
    return tuple(name for name, box in boxes if box[0] < right and left < box[2] and box[1] < bottom and top < box[3])


def _frame(outlines: MapOutlines, territories: Collection[str]) -> tuple[int, int, int, int]:
    """The edges of the picture: left, top, right, bottom."""
    boxes = [outlines.territories[name].box for name in territories]
    left, top = min(box[0] for box in boxes) - MARGIN, min(box[1] for box in boxes) - MARGIN
    return left, top, max(box[2] for box in boxes) + MARGIN, max(box[3] for box in boxes) + MARGIN


def _head(outlines: MapOutlines, territories: Collection[str], title: str, role: str) -> str:
    left, top, right, bottom = _frame(outlines, territories)
    return (
        f'<svg class="clans-board is-part" viewBox="{left} {top} {right - left} {bottom - top}" role="{role}"'
        f' aria-label="{escape(title)}">'
        f"{draw_ground(outlines)}"
    )
