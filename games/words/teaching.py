"""What a beginner is told in a practice game, from what all may know and the beginner's own card."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games import rules
from games.words.villages import say_next_chip
from games.words.vocabulary import name_clan


def hint_at_points(territory: str, clan: str) -> str:
    """That a village in which the clan scores can be founded."""
    places = {"territory": territory, "clan": name_clan(clan)}
    return _("Look around %(territory)s: it can become a village in which %(clan)s scores.") % places


def hint_at_chip(territory: str, clan: str) -> str:
    """That a village can be founded, though the clan does not score in it."""
    places = {"territory": territory, "clan": name_clan(clan).capitalize()}
    return _("%(territory)s can become a village. %(clan)s gets nothing there, but its founder gets a chip.") % places


def hints_in_general(position: rules.Position, clan: str) -> tuple[str, ...]:
    """What to think of while no village can be founded."""
    name = {"clan": name_clan(clan)}
    return (
        _("You may move anybody’s huts. Move others than %(clan)s now and then, or your card is easy to guess.") % name,
        _("A group becomes a village when all land around it is empty. Which group has few neighbors left?"),
        say_next_chip(position),
        _("In a village every clan scores the same, so one %(clan)s hut among many others is enough.") % name,
    )
