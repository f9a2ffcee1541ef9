"""What happened at a table while its player was away, move by move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.safestring import SafeString

from games.pages.access import ply_url
from games.pages.table.sentences import lead_to_moves, tell_event
from games.pov import MovePov, Pov, SeatPov

LONG = 4
"""More digits than any number of moves has."""


def missed(pov: Pov, *, since: int | None = None, watched: int = 0) -> tuple[MovePov, ...]:
    """The moves from ply `since` on, or else those since the viewer's own last one that were made while they were away;
    none for a viewer without a seat to play. A page that stayed open has already shown the first `watched` moves."""
    first = _first_news(pov, since, watched)
    return () if first is None else pov.moves[first:]


def beside(pov: Pov, *, since: int | None = None, watched: int = 0) -> list[SafeString]:
    """What the others did besides moving, since the same ply as in `missed`."""
    me, first = pov.me.number if pov.me else None, _first_news(pov, since, watched)
    if first is None:
        return []
    return [tell_event(event, pov.seats) for event in pov.events if event.ply >= first and event.seat != me]


def _first_news(pov: Pov, since: int | None, watched: int) -> int | None:
    """The ply since which everything is news; None for a viewer without a seat to play."""
    me = pov.me
    if since is not None:
        return since
    if me is None or me.is_bot:
        return None
    return max(_after_last_of(me, pov.moves), pov.news_from, watched)


def read_watched(data: Mapping[str, str]) -> int:
    """How many moves the page that asks for news of its table had shown (`?watched=`)."""
    text = data.get("watched", "")
    return int(text) if text.isdecimal() and len(text) < LONG else 0


def _after_last_of(seat: SeatPov, moves: Sequence[MovePov]) -> int:
    """The ply that the last move of `seat` led to; 0 before the first."""
    return next((move.step.ply + 1 for move in reversed(moves) if move.step.seat == seat.number), 0)


def numbered(moves: Sequence[MovePov], pov: Pov) -> list[SafeString]:
    """What each move did, in the order of its arrow on the board, with links to its player and its ply."""
    return lead_to_moves(moves, pov.seats, [ply_url(pov.slug, move.step.ply + 1) for move in moves])


def about_mine(pov: Pov) -> dict[str, object]:
    """What the bar says to a player who waits: their last move (`played`), if they `has_played` one."""
    if not (pov.is_running and pov.me) or pov.is_my_turn:
        return {}
    taken_at = pov.me.former[-1].ply if pov.me.former else 0
    last = next((move.step.move for move in reversed(pov.moves[taken_at:]) if move.step.seat == pov.me.number), None)
    return {"waits": True, "has_played": last is not None, "played": str(last._replace(order=())) if last else ""}
