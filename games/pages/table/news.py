"""What happened at a table while its player was away, move by move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils.safestring import SafeString

from games.pages.access import ply_url
from games.pages.forms import read_number
from games.pages.table.sentences import link_moves, tell_event, tell_moves
from games.pov import EventPov, MovePov, Pov, SeatPov


def missed(pov: Pov, *, since: int | None = None, watched: int = 0) -> tuple[MovePov, ...]:
    """The moves from ply `since` on, or else those since the viewer's own last one that were made while they were away;
    none for a viewer without a seat to play. A page that stayed open has already shown the first `watched` moves."""
    first = _first_news(pov, since, watched)
    return () if first is None else pov.moves[first:]


def events(pov: Pov, *, since: int | None = None, watched: int = 0) -> list[EventPov]:
    """What the others did besides moving, since the same ply as in `missed`."""
    me, first = pov.me.number if pov.me else None, _first_news(pov, since, watched)
    return [] if first is None else [event for event in pov.events if event.ply >= first and event.seat != me]


def tell(moves: Sequence[MovePov], pov: Pov) -> list[SafeString]:
    """These moves and what the others did besides, in the order in which it happened."""
    told = [(move.step.ply, 1, text) for move, text in zip(moves, tell_moves(moves, pov.seats), strict=True)]
    told += [(event.ply, 0, tell_event(event, pov.seats)) for event in events(pov)]
    return [text for _ply, _kind, text in sorted(told, key=lambda line: line[:2])]


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
    return read_number(data.get("watched", ""))


def _after_last_of(seat: SeatPov, moves: Sequence[MovePov]) -> int:
    """The ply that the last move of `seat` led to; 0 before the first."""
    return next((move.step.ply + 1 for move in reversed(moves) if move.step.seat == seat.number), 0)


class Part(NamedTuple):
    """What was done besides moving, and the moves that were made then; the first of them has the number `first`."""

    beside: list[SafeString]
    first: int
    moves: list[SafeString]


def in_order(moves: Sequence[MovePov], others: Sequence[EventPov], pov: Pov) -> list[Part]:
    """What happened, as it happened: each move with the number of its arrow on the board and with links to its player
    and its ply, and what was done besides between those moves."""
    parts, waiting = [Part([], 1, [])], list(others)
    sentences = link_moves(moves, pov.seats, [ply_url(pov.slug, move.step.ply + 1) for move in moves])
    for number, (move, sentence) in enumerate(zip(moves, sentences, strict=True), start=1):
        before = [event for event in waiting if event.ply <= move.step.ply]
        if before:
            parts.append(Part([tell_event(event, pov.seats) for event in before], number, []))
            waiting = waiting[len(before) :]
        parts[-1].moves.append(sentence)
    if waiting:
        parts.append(Part([tell_event(event, pov.seats) for event in waiting], len(moves) + 1, []))
    return [part for part in parts if part.beside or part.moves]


def about_mine(pov: Pov) -> dict[str, object]:
    """What the bar says to a player who waits: their last move (`played`), if they `has_played` one."""
    if not (pov.is_running and pov.me) or pov.is_my_turn:
        return {}
    taken_at = pov.me.former[-1].ply if pov.me.former else 0
    last = next((move.step.move for move in reversed(pov.moves[taken_at:]) if move.step.seat == pov.me.number), None)
    return {"waits": True, "has_played": last is not None, "played": str(last._replace(order=())) if last else ""}
