"""What happened at a table while its player was away, move by move."""

from __future__ import annotations

from collections.abc import Sequence

from games import words
from games.pages.access import table_url
from games.pov import MovePov, Pov, SeatPov


def missed(seen: Pov, *, since: int | None = None) -> tuple[MovePov, ...]:
    """The moves from ply `since` on, or else those since the viewer's own last one; none for who has no seat to play.

    Nothing of what somebody has looked at is remembered: it all follows from the log.
    """
    me = seen.me
    if since is None and (me is None or me.is_bot):
        return ()
    first = _after_last_of(me, seen.moves) if me and since is None else since
    return seen.moves[first:]


def _after_last_of(seat: SeatPov, moves: Sequence[MovePov]) -> int:
    """The ply that the last move of `seat` led to; 0 before the first."""
    return next((move.step.ply + 1 for move in reversed(moves) if move.step.seat == seat.number), 0)


def numbered(moves: Sequence[MovePov], seen: Pov) -> list[tuple[str, str]]:
    """What each move did, in the order of its arrow on the board, and the address of its ply."""
    table = table_url(seen.slug)
    sentences = words.describe_moves(moves, seen.seats)
    return [(text, f"{table}ply/{move.step.ply + 1}/") for move, text in zip(moves, sentences, strict=True)]


def about_mine(seen: Pov) -> dict[str, object]:
    """What the bar says to a player who waits: their last move (`played`), if they `has_played` one."""
    if not (seen.is_running and seen.me) or seen.is_my_turn:
        return {}
    last = next((move.step.move for move in reversed(seen.moves) if move.step.seat == seen.me.number), None)
    return {"waits": True, "has_played": last is not None, "played": str(last or "")}
