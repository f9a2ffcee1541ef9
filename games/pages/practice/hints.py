"""What a beginner can look for now: one line, from public information and the beginner's own card."""

from __future__ import annotations

from collections.abc import Iterator

from games import rules
from games.words.teaching import hint_at_chip, hint_at_points, hints_in_general


def hint(position: rules.Position, clan: str) -> str:
    """One sentence for the player who is to move and holds `clan`. Costs about 2 ms of CPU."""
    villages = list(_villages(position))
    good = [village for village in villages if clan in village.scored]
    if good:
        return hint_at_points(max(good, key=lambda village: village.value).territory, clan)
    if villages:
        return hint_at_chip(villages[0].territory, clan)
    hints = hints_in_general(position, clan)
    return hints[position.ply // 2 % len(hints)]


def _villages(position: rules.Position) -> Iterator[rules.Village]:
    """What the moves of a position could found, each with its first founding order."""
    for move in rules.legal_moves(position):
        yield from rules.play(position, move, choose=lambda orders: orders[0]).villages
