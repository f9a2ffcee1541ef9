"""What a player writes at a table for themselves: a note, and a sheet of which clan they suspect each player to hold.

Nobody else ever sees the note; the sheets are shown to everybody when the game is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import rules, words
from games.caching import cached
from games.drawing import draw_hut
from games.models import Game, Player, Suspicion
from games.pov import Pov, SeatPov, SuspicionPov, read_note, read_sheet, reveal_sheets

POSSIBLE, SUSPECTED, EXCLUDED = "possible", "suspected", "excluded"
NEXT = {POSSIBLE: SUSPECTED, SUSPECTED: EXCLUDED, EXCLUDED: POSSIBLE}
"""The mark that a tap turns each mark into."""

NAME, SEAT = "\0name\0", "\0seat\0"
"""Placeholders in a cached row for what differs from table to table."""


@dataclass(frozen=True, slots=True)
class Notebook:
    """The reader's note, and their sheet as the rows of a table: empty if they can no longer fill one in."""

    note: str
    written_at: datetime | None
    rows: SafeString
    unsaved: str | None = None
    """What they have just written, if it could not be saved."""

    @property
    def is_open(self) -> bool:
        """Whether there is anything in it to look at now."""
        return self.unsaved is not None

    @property
    def has_sheet(self) -> bool:
        """Whether there is a sheet to fill in."""
        return bool(self.rows)

    @property
    def seen(self) -> str:
        """What the form sends back, so that a note that was changed elsewhere is not lost."""
        return self.written_at.isoformat() if self.written_at else ""

    @property
    def text(self) -> str:
        return self.note if self.unsaved is None else self.unsaved


def notebook_of(game: Game, pov: Pov, *, viewer: Player | None, unsaved: str | None) -> Notebook | None:
    """The notebook of the viewer; None without a seat. Two queries at most, none for what was never written."""
    me = pov.me
    if me is None or viewer is None:
        return None
    note, written_at = read_note(game, viewer=viewer) if me.has_note else ("", None)
    if not pov.is_running or me.is_bot:
        return Notebook(note, written_at, SafeString(), unsaved)
    changes = read_sheet(game, viewer=viewer) if me.has_sheet else ()
    marks = {(about, clan): (mark, ply) for about, clan, mark, ply in changes}
    others = [seat for seat in pov.seats if not seat.is_mine]
    return Notebook(note, written_at, _rows(others, me.clan, marks), unsaved)


# --- The sheet of a game that runs -----------------------------------------------------------------


def _rows(others: Iterable[SeatPov], mine: str, marks: Mapping[tuple[int, str], tuple[str, int]]) -> SafeString:
    """The sheet: for each other player a row with a button for each clan, which changes its mark to the next one.
    `marks` are those that were changed, by seat and clan, each with the ply at which it was made."""
    rows = []
    for seat in others:
        of_seat = tuple(marks.get((seat.number, clan), (POSSIBLE, 0)) for clan in rules.CLANS)
        rows.append(_row(mine, of_seat).replace(NAME, escape(seat.name)).replace(SEAT, str(seat.number)))
    return SafeString("".join(rows))


@cached(most=256)
def _row(mine: str, marks: tuple[tuple[str, int], ...]) -> SafeString:
    """A row with these marks, one for each clan, and NAME and SEAT to be filled in. Cached because most sheets are
    empty, so all tables share a few rows; without it the sheet is a tenth of a table's page."""
    excluded = _("%(clan)s: excluded, it is yours") % {"clan": words.name_clan(mine)}
    cells = [
        {"kinds": "is-excluded is-mine", "label": excluded} if clan == mine else _button(clan, *mark)
        for clan, mark in zip(rules.CLANS, marks, strict=True)
    ]
    return render_to_string("games/_sheet_row.html", {"name": NAME, "seat": SEAT, "cells": cells})


def _button(clan: str, mark: str, ply: int) -> dict[str, str]:
    """A mark, and the one that a tap makes of it."""
    following = NEXT[mark]
    names = {"name": NAME, "clan": words.name_clan(clan), "mark": _name(mark), "next": _name(following)}
    return {
        "kinds": f"is-{mark}",
        "label": _("%(name)s, %(clan)s: %(mark)s. Change to %(next)s.") % names,
        "since": "" if mark == POSSIBLE else _say_since(mark, ply),
        "clan": clan,
        "following": following,
    }


def _name(mark: str) -> str:
    return str(Suspicion.Mark(mark).label)


def _say_since(mark: str, ply: int) -> str:
    return _("%(mark)s since move %(ply)d") % {"mark": _name(mark), "ply": ply}


# --- The sheets of a game that is over -------------------------------------------------------------


def reveal(game: Game, pov: Pov) -> list[dict[str, object]]:
    """Everybody's sheet beside the truth, once the game is over. One query at most."""
    if not pov.is_over or not any(seat.has_sheet for seat in pov.seats):
        return []
    return [_revealed(pov.seats, *sheet) for sheet in reveal_sheets(game).items()]


def sheet_at(game: Game, pov: Pov, owner: SeatPov) -> list[dict[str, object]]:
    """The sheet of a seat that knew its card, as it stood at the ply of `pov`, of a game that is over; empty where no
    mark was made by then. One query at most."""
    revealed = reveal_sheets(game).get(owner.number, []) if owner.has_sheet else []
    changes = [change for change in revealed if change.ply <= pov.ply]
    if not changes:
        return []
    marks = _last_marks(changes, pov.seats, owner)
    return [{"name": seat.name, "signs": _signs(seat, marks)} for seat in pov.seats if seat is not owner]


def _last_marks(
    changes: Iterable[SuspicionPov], seats: Sequence[SeatPov], owner: SeatPov
) -> dict[tuple[int, str], str]:
    """The last mark of each seat and clan that has one; without the `owner`'s own clan, which nobody else can have."""
    marks = {(change.about, change.clan): change.mark for change in changes}
    return marks | {(seat.number, owner.clan): EXCLUDED for seat in seats}


def _revealed(seats: Sequence[SeatPov], owner: int, changes: Sequence[SuspicionPov]) -> dict[str, object]:
    """The sheet of one player, when the game is over."""
    me = seats[owner]
    marks = _last_marks(changes, seats, me)
    rows = [
        {"name": seat.name, "signs": _signs(seat, marks, shows_truth=True), **_say_truth(seat, changes)}
        for seat in seats
        if seat is not me
    ]
    return {"owner": words.name_seat(me), "rows": rows}


def _signs(seat: SeatPov, marks: Mapping[tuple[int, str], str], *, shows_truth: bool = False) -> list[dict[str, str]]:
    """The marks of a seat, one for each clan, which cannot be changed."""
    of_seat = {clan: marks.get((seat.number, clan), POSSIBLE) for clan in rules.CLANS}
    return [
        {
            "kinds": f"is-{mark} is-true" if shows_truth and clan == seat.clan else f"is-{mark}",
            "label": _("%(clan)s: %(mark)s") % {"clan": words.name_clan(clan), "mark": _name(mark)},
        }
        for clan, mark in of_seat.items()
    ]


def _say_truth(seat: SeatPov, changes: Sequence[SuspicionPov]) -> dict[str, object]:
    """Which clan the seat had, since which ply that was suspected, and when."""
    truth, held = (seat.number, seat.clan, SUSPECTED), _("had %(clan)s") % {"clan": words.name_clan(seat.clan)}
    first = next((change for change in changes if (change.about, change.clan, change.mark) == truth), None)
    if first is None:
        return {"held": held, "suspected": _("never suspected")}
    return {"held": held, "suspected": _say_since(SUSPECTED, first.ply), "at": first.at}


def sheet_head() -> dict[str, object]:
    """The head of a sheet: a hut for each clan."""
    return {"clans": [(draw_hut(clan), words.name_clan(clan)) for clan in rules.CLANS]}
