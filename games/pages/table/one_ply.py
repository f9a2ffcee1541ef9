"""A game as it stood at one ply, of a table or of a practice game: what stands on that page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.translation import gettext as _

from games import rules, words
from games.pages.access import ply_url
from games.pages.table import board, choices, side
from games.pages.table.long_lists import list_territories
from games.pov import Pov


class Jump(NamedTuple):
    """A link to a later ply: the next village, or a player's next move."""

    name: str
    url: str
    key: str


def about_ply(
    seen: Pov, position: rules.Position, *, viewpoint: str = "", commented: frozenset[int] = frozenset()
) -> dict[str, object]:
    """The board and all beside it, the last move in words, and where the other plies are, whose addresses end in the
    same `viewpoint`. The moves that something is said about are `commented`."""
    is_over = seen.is_over and seen.is_now and not viewpoint
    contents = words.tell_board(position, seen.seats, [move.step for move in seen.moves], is_over=is_over)
    return {
        "pov": seen,
        "board": board.draw_ply(seen, position, contents=contents),
        "last": choices.last_sentences(seen),
        "at": (seen.moves[-1].at if seen.moves else seen.started_at) if seen.has_times else None,
        "opening": _("Before the first move."),
        **about_plies(seen, viewpoint),
        "jumps": list(_jumps(seen, position, viewpoint, commented)),
        "territories": list_territories(seen.ruleset.board, contents, has_anchors=True),
        "result": words.say_result(seen) if is_over else "",
        **side.about_position(
            seen,
            position,
            to_move=None if position.over else position.to_move,
            viewpoint=viewpoint,
            commented=commented,
        ),
    }


def about_plies(seen: Pov, viewpoint: str) -> dict[str, object]:
    """Whether there are plies before and after, and the addresses of those that can be gone to, ending in the
    `viewpoint`: `first`, `previous`, `next` and `last`, as far as there are any."""
    back = {"first": 0, "previous": seen.ply - 1} if seen.ply else {}
    on = {"next": seen.ply + 1, "last": seen.last_ply} if seen.ply < seen.last_ply else {}
    plies = {name: ply_url(seen.slug, number, viewpoint) for name, number in {**back, **on}.items()}
    return {"plies": plies, "goes_back": bool(back), "goes_on": bool(on)}


def _jumps(seen: Pov, position: rules.Position, viewpoint: str, commented: frozenset[int]) -> Iterator[Jump]:
    """The next village, the next move that something is said about, and the next one of each seat, as far as the game
    has them."""
    if seen.next_village:
        yield Jump(_("Village"), ply_url(seen.slug, seen.next_village, viewpoint), "next-village")
    if said := [ply for ply in commented if ply > seen.ply]:
        yield Jump(_("Comment"), ply_url(seen.slug, min(said), viewpoint), "next-comment")
    for seat in seen.seats:
        ply = seen.ply + 1 + (seat.number - position.to_move) % position.seats
        if ply <= seen.last_ply:
            yield Jump(
                _("Move of %(name)s") % {"name": seat.name},
                ply_url(seen.slug, ply, viewpoint),
                f"next-of-{seat.number + 1}",
            )
