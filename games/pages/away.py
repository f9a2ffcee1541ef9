"""What happened at a table while its player was away, move by move."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from django.urls import reverse
from django.utils.safestring import SafeString

from games import words
from games.pages.margin import join_html
from games.pov import MovePov, Pov


def missed(seen: Pov, *, since: int | None = None) -> tuple[MovePov, ...]:
    """The moves from ply `since` on, or else those since the viewer's own last one; none for who has no seat to play.

    Nothing of what somebody has looked at is remembered: it all follows from the log.
    """
    if since is None and (seen.me is None or seen.me.is_bot):
        return ()
    first = _after_my_last(seen) if since is None else since
    return seen.moves[first:]


def _after_my_last(seen: Pov) -> int:
    """The ply that the viewer's last move led to; 0 before the first."""
    mine = (move.step.ply + 1 for move in seen.moves if seen.me and move.step.seat == seen.me.number)
    return max(mine, default=0)


def numbered(moves: Sequence[MovePov], seen: Pov) -> SafeString:
    """A list item for each move, numbered as its arrow on the board is, leading to its ply."""
    table = reverse("table", args=(seen.slug,))
    sentences = words.describe_moves(moves, seen.seats)
    return join_html(
        f'<li><a href="{table}ply/{move.step.ply + 1}/">{escape(sentence)}</a></li>'
        for move, sentence in zip(moves, sentences, strict=True)
    )
