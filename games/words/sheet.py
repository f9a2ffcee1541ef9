"""A player's sheet in words: whom they suspect to hold which clan, and who did."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_noop

from games.words.vocabulary import name_clan

_MARKS: Final = {
    "possible": gettext_noop("possible"),
    "suspected": gettext_noop("suspected"),
    "excluded": gettext_noop("excluded"),
}


def label_mark(name: str, clan: str, mark: str, *, following: str) -> str:
    """What the button of a mark does, to those who cannot see it."""
    places = {"name": name, "clan": name_clan(clan), "mark": _(_MARKS[mark]), "next": _(_MARKS[following])}
    return _("%(name)s, %(clan)s: %(mark)s. Change to %(next)s.") % places


def say_mark(clan: str, mark: str) -> str:
    """`red: suspected`."""
    return _("%(clan)s: %(mark)s") % {"clan": name_clan(clan), "mark": _(_MARKS[mark])}


def say_marked_since(mark: str, ply: int) -> str:
    """`suspected since move 7`."""
    return _("%(mark)s since move %(ply)d") % {"mark": _(_MARKS[mark]), "ply": ply}


def say_own_clan(clan: str) -> str:
    """Why nobody else can have the reader's own clan."""
    return _("%(clan)s: excluded, it is yours") % {"clan": name_clan(clan)}


def say_held(clan: str) -> str:
    """Which clan somebody held, once the game is over."""
    return _("had %(clan)s") % {"clan": name_clan(clan)}


def say_never_suspected() -> str:
    return _("never suspected")
