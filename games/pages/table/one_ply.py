"""A game as it stood at one ply, of a table or of a practice game: what stands on that page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from games import rules, words
from games.pages.access import ply_url
from games.pages.table import board_view, choices, side
from games.pages.table.long_lists import list_territories
from games.pov import Pov


def about_ply(
    pov: Pov, position: rules.Position, *, viewpoint: str = "", commented: frozenset[int] = frozenset()
) -> dict[str, object]:
    """The board and all beside it, the last move in words, and where the other plies are, whose addresses end in the
    same `viewpoint`. The moves that something is said about are `commented`."""
    is_over = pov.is_over and pov.is_now and not viewpoint
    contents = words.tell_board(position, pov.seats, [move.step for move in pov.moves], is_over=is_over)
    return {
        "pov": pov,
        "board": board_view.draw_table(pov, position, contents=contents, is_past=True),
        "last": choices.last_sentences(pov),
        "at": (pov.moves[-1].at if pov.moves else pov.started_at) if pov.has_times else None,
        "opening": words.say_before_first_move(),
        **about_plies(pov, viewpoint),
        "has_chart": pov.is_over and bool(position.villages or pov.villages_ahead),
        "jumps": list(_jumps(pov, position, viewpoint, commented)),
        "territories": list_territories(pov.ruleset.board, contents, has_anchors=True),
        "result": words.say_result(pov) if is_over else "",
        **side.about_position(
            pov,
            position,
            to_move=None if position.over else position.to_move,
            viewpoint=viewpoint,
            commented=commented,
        ),
    }


def about_plies(pov: Pov, viewpoint: str) -> dict[str, object]:
    """Whether there are plies before and after, and the addresses of those that can be gone to, ending in the
    `viewpoint`: `first`, `previous`, `next` and `last`, as far as there are any; as `steps`, with where they open."""
    back = {"first": 0, "previous": pov.ply - 1} if pov.ply else {}
    on = {"next": pov.ply + 1, "last": pov.last_ply} if pov.ply < pov.last_ply else {}
    numbers = {**back, **on}
    plies = {name: ply_url(pov.slug, number, viewpoint) for name, number in numbers.items()}
    steps = {name: plies[name] + _step_on(pov, number) for name, number in numbers.items()}
    return {"plies": plies, "steps": steps, "goes_back": bool(back), "goes_on": bool(on)}


def _step_on(pov: Pov, ply: int) -> str:
    """Where a page opens to which one has stepped: at the link to the next step, on or back as this one was, unless
    the game begins or ends there. Without script the same key goes on then; with script nothing leads there."""
    goes_on = not ply or pov.ply < ply < pov.last_ply
    return "#ply-next" if goes_on else "#ply-back"


def _jumps(pov: Pov, position: rules.Position, viewpoint: str, commented: frozenset[int]) -> Iterator[dict[str, str]]:
    """Links to the first ply of each kind that is ahead. Each opens the page at the same link, if it leads on from
    there: without script the same key goes on then."""
    for key, name, plies in _ahead(pov, position, commented):
        if plies:
            place = f"#{key}" if plies[1:] else _step_on(pov, plies[0])
            yield {"name": name, "url": ply_url(pov.slug, plies[0], viewpoint) + place, "key": key}


def _ahead(pov: Pov, position: rules.Position, commented: frozenset[int]) -> Iterator[tuple[str, str, Sequence[int]]]:
    """The plies with a village, those that something is said about, and those of each seat, with a key and a name."""
    yield "next-village", _("Village"), pov.villages_ahead
    yield "next-comment", _("Comment"), sorted(ply for ply in commented if ply > pov.ply)
    for seat in pov.seats:
        first = pov.ply + 1 + (seat.number - position.to_move) % position.seats
        plies = range(first, pov.last_ply + 1, position.seats)
        yield f"next-of-{seat.number + 1}", _("Move of %(name)s") % {"name": seat.name}, plies
