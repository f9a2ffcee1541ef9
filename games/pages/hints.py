"""What a beginner may look for now: one line, from what all may know and the beginner's own card."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from games import rules, words


def hint(position: rules.Position, clan: str) -> str:
    """One sentence for the player who is to move and holds `clan`. Costs about 2 ms of CPU."""
    villages = list(_villages(position))
    good = [village for village in villages if clan in village.scored]
    if good:
        best = max(good, key=lambda village: village.value)
        places = {"territory": best.territory, "clan": words.name_clan(clan)}
        return _("Look around %(territory)s: it can become a village in which %(clan)s scores.") % places
    if villages:
        places = {"territory": villages[0].territory, "clan": words.name_clan(clan)}
        return _("%(territory)s can become a village. %(clan)s gets nothing there, but its founder gets a chip.") % {
            **places,
            "clan": places["clan"].capitalize(),
        }
    thoughts = _thoughts(position, clan)
    return thoughts[position.ply // 2 % len(thoughts)]


def _villages(position: rules.Position) -> Iterator[rules.Village]:
    """What the moves of a position could found, each with its first founding order."""
    for move in rules.legal_moves(position):
        yield from rules.play(position, move, choose=lambda orders: orders[0]).villages


def _thoughts(position: rules.Position, clan: str) -> tuple[str, ...]:
    """What to think of while no village can be founded."""
    name = {"clan": words.name_clan(clan)}
    return (
        _("You may move anybody’s huts. Take others than %(clan)s now and then, or your card shows.") % name,
        _("A group becomes a village when all land around it is empty. Which group has few neighbors left?"),
        words.say_next_chip(position),
        _("In a village every clan scores the same, so one %(clan)s hut among many others is enough.") % name,
    )
