"""The pace of a table in words: how long a move may take, and what becomes of who is late."""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache

from django.utils.translation import get_language, gettext as _, gettext_noop, ngettext

from games import clocks
from games.models import Game
from games.pov import TermsPov

MOST_IN_HOURS = 72
"""Times that a table grants are told in hours up to here."""
HOUR, DAY = timedelta(hours=1), timedelta(days=1)

_NAMES = {
    "brisk": gettext_noop("brisk"),
    "daily": gettext_noop("daily"),
    "steady": gettext_noop("steady"),
    "leisurely": gettext_noop("leisurely"),
    "unhurried": gettext_noop("unhurried"),
}
_PRESETS = {(preset.move_hours, preset.reserve_hours): preset.key for preset in clocks.PRESETS}


def name_preset(key: str) -> str:
    """A preset of the pace as readers call it."""
    return _(_NAMES[key])


def name_pace(move_hours: int, reserve_hours: int) -> str:
    """A pace in a few words: its name, or how long a move may take."""
    return _name_pace(get_language() or "", move_hours, reserve_hours)


@lru_cache(maxsize=256)
def _name_pace(_language: str, move_hours: int, reserve_hours: int) -> str:
    key = _PRESETS.get((move_hours, reserve_hours))
    places = {"name": name_preset(key) if key else "", "move": count_hours(move_hours)}
    return _("%(name)s, %(move)s a move") % places if key else _("%(move)s a move") % places


def say_pace(move_hours: int, reserve_hours: int) -> str:
    """A pace in full: `72 hours for each move, and 7 days in reserve for the whole game`."""
    places = {"move": count_hours(move_hours), "reserve": count_time(timedelta(hours=reserve_hours))}
    if not reserve_hours:
        return _("%(move)s for each move, and nothing in reserve") % places
    return _("%(move)s for each move, and %(reserve)s in reserve for the whole game") % places


def say_terms(terms: TermsPov) -> list[str]:
    """Pace, vacations, and what becomes of who is late, a sentence each."""
    pace = _("%(pace)s.") % {"pace": say_pace(terms.move_hours, terms.reserve_hours)}
    stops = _("Vacations stop the clock.") if terms.allows_vacation else _("Vacations do not stop the clock.")
    return [pace, stops, say_overdue(terms.overdue)]


def say_overdue(overdue: str) -> str:
    """What becomes of a turn whose time has run out."""
    if overdue == Game.Overdue.ABANDON:
        return _("When a player’s time runs out, the game is abandoned.")
    return _("When a player’s time runs out, the autopilot makes the move.")


def count_hours(hours: int) -> str:
    """A time that a table grants: `72 hours`, from four days on `7 days`."""
    if hours % 24 or 0 < hours <= MOST_IN_HOURS:
        return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    return count_time(hours * HOUR)


def count_time(time: timedelta) -> str:
    """A time in its largest unit, rounded down: `6 days`, `5 hours`, `40 minutes`."""
    if time >= DAY:
        return ngettext("%(count)d day", "%(count)d days", time.days) % {"count": time.days}
    if time >= HOUR:
        return ngettext("%(count)d hour", "%(count)d hours", time // HOUR) % {"count": time // HOUR}
    minutes = time // timedelta(minutes=1)
    return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
