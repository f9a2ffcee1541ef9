"""A game that is over as a text: a short head, then its moves in notation, a line each."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.utils.translation import gettext as _

from games import rules, words
from games.pages.access import table_url
from games.pov import Pov


def write_notation(pov: Pov) -> str:
    """The text, in the reader's language but for the moves. The moves can be pasted where moves are typed: into a
    try-out, or into the search for opening moves (docs/records.md)."""
    if pov.opening is None:
        raise ValueError(f"{pov.slug} is not over")
    head = [f"{name}: {words.one_line(value)}" for name, value in _head(pov, pov.opening)]
    return "\n".join([*head, "", *(str(move.step.move) for move in pov.moves), ""])


def _head(pov: Pov, opening: rules.Opening) -> Iterator[tuple[str, str]]:
    yield _("Table"), f"{pov.name} ({settings.SITE_URL}{table_url(pov.slug)})"
    for seat in pov.seats:
        yield _("Player %(number)d") % {"number": seat.number + 1}, f"{seat.name} ({words.name_clan(seat.clan)})"
    yield _("First to move"), pov.seats[opening.first].name
    yield _("Result"), f"{words.say_result(pov)} {words.say_end(pov)}"
    yield _("Map"), opening.ruleset.board.id
    yield _("Rules"), _("version %(number)d") % {"number": opening.ruleset.version.number}
    if opening.five_clans == "nothing":
        yield _("House rule"), _("a village in which all five clans keep huts scores nothing")
    yield _("Huts"), opening.huts
