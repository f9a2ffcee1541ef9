"""The pace of a table in words: how long a move may take, and what becomes of a player who is late."""

from __future__ import annotations

from django.utils.translation import gettext as _, gettext_noop

from games import clocks
from games.models import Game, Terms
from games.words.spans import HOUR, say_span

_NAMES = {
    "brisk": gettext_noop("brisk"),
    "daily": gettext_noop("daily"),
    "steady": gettext_noop("steady"),
    "leisurely": gettext_noop("leisurely"),
    "unhurried": gettext_noop("unhurried"),
}


def name_preset(key: str) -> str:
    """A preset of the pace as readers call it."""
    return _(_NAMES[key])


def name_pace(move_hours: int, reserve_hours: int) -> str:
    """A pace in a few words: its name, or how long a move may take."""
    key, places = clocks.key_of_pace(move_hours, reserve_hours), {"move": say_hours(move_hours)}
    if key == clocks.OWN_PACE:
        return _("%(move)s a move") % places
    return _("%(name)s, %(move)s a move") % (places | {"name": name_preset(key)})


def name_pace_upto(preset: clocks.Preset) -> str:
    """A preset with all that are faster, down to the next one: `steady, up to 3 days a move`."""
    places = {"name": name_preset(preset.key), "move": say_hours(preset.move_hours)}
    return _("%(name)s, up to %(move)s a move") % places


def say_preset(preset: clocks.Preset) -> str:
    """What a preset grants: `3 days a move, 7 days in reserve`."""
    places = {"move": say_hours(preset.move_hours), "reserve": say_hours(preset.reserve_hours)}
    return _("%(move)s a move, %(reserve)s in reserve") % places


def say_pace(move_hours: int, reserve_hours: int) -> str:
    """A pace in full: `3 days for each move, and 7 days in reserve for the whole game`."""
    places = {"move": say_hours(move_hours), "reserve": say_hours(reserve_hours)}
    if not reserve_hours:
        return _("%(move)s for each move, and nothing in reserve") % places
    return _("%(move)s for each move, and %(reserve)s in reserve for the whole game") % places


def say_hours(hours: int) -> str:
    """A time that a table grants: `3 days`, `100 hours`, `7 days`."""
    return say_span(hours * HOUR, is_exact=True)


def say_terms(terms: Terms) -> list[str]:
    """Pace, vacations, what becomes of a player who is late, and of the seat of who leaves, a sentence each."""
    pace = _("%(pace)s.") % {"pace": say_pace(terms.move_hours, terms.reserve_hours)}
    stops = _("Vacations stop the clock.") if terms.allows_vacation else _("Vacations do not stop the clock.")
    taken = [_("Somebody else may take over a seat whose player resigns or stays away.")] * terms.allows_takeover
    return [pace, stops, say_overdue(terms.overdue), *taken]


def say_overdue(overdue: str) -> str:
    """What becomes of a turn whose time has run out."""
    if overdue == Game.Overdue.ABANDON:
        return _("When a player’s time runs out, the game is abandoned.")
    return _("When a player’s time runs out, the autopilot makes the move.")
