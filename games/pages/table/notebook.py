"""What a player keeps at a table for themselves: a note, and a sheet of whom they suspect to hold which clan.

The note is nobody else's business, ever; the sheets are shown to all when the game is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape

from django.utils.safestring import SafeString

from games import pov, rules, words
from games.caching import cached
from games.drawing import draw_hut
from games.models import Game, Player
from games.pages.times import when
from games.words import sheet

POSSIBLE, SUSPECTED, EXCLUDED = "possible", "suspected", "excluded"
NEXT = {POSSIBLE: SUSPECTED, SUSPECTED: EXCLUDED, EXCLUDED: POSSIBLE}
"""The mark that a tap turns each mark into."""

Marks = tuple[tuple[tuple[int, str], tuple[str, int]], ...]
"""The marks of a sheet that are not the first ones, each by seat and clan, with the ply at which it was made."""


@dataclass(frozen=True, slots=True)
class Notebook:
    """The reader's note, and their sheet as the rows of a table: empty when they have none to fill in any more."""

    note: str
    written_at: datetime | None
    rows: SafeString
    unsaved: str | None = None
    """What they wrote instead, if that could not be saved."""

    @property
    def is_open(self) -> bool:
        """Whether there is something in it to look at now."""
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


def notebook_of(game: Game, seen: pov.Pov, *, viewer: Player | None, unsaved: str | None = None) -> Notebook | None:
    """The notebook of the viewer; None for who has no seat. Two queries at most, none for what was never written."""
    me = seen.me
    if me is None or viewer is None:
        return None
    note, written_at = pov.read_note(game, viewer=viewer) if me.has_note else ("", None)
    if not seen.is_running or me.is_bot:
        return Notebook(note, written_at, SafeString(), unsaved)
    changes = pov.read_sheet(game, viewer=viewer) if me.has_sheet else ()
    others = tuple((seat.number, seat.name) for seat in seen.seats if not seat.is_mine)
    return Notebook(note, written_at, _rows(others, me.clan, marks_of(changes)), unsaved)


def marks_of(changes: Iterable[tuple[int, str, str, int]]) -> Marks:
    """How a sheet stands after its changes, each a seat, clan, mark and ply."""
    return tuple(sorted({(about, clan): (mark, ply) for about, clan, mark, ply in changes}.items()))


# --- The sheet of a game that runs -----------------------------------------------------------------


def _rows(others: Sequence[tuple[int, str]], mine: str, marks: Marks) -> SafeString:
    """The sheet: for each of the others a row with a button for each clan, which makes of its mark the next one."""
    marked = dict(marks)
    rows = []
    for number, name in others:
        of_seat = tuple(marked.get((number, clan), (POSSIBLE, 0)) for clan in rules.CLANS)
        rows.append(_row(mine, of_seat) % {"about": number, "name": escape(name)})
    return SafeString(f"<thead>{_clan_heads()}</thead><tbody>{''.join(rows)}</tbody>")


@cached(most=256)
def _row(mine: str, marks: tuple[tuple[str, int], ...]) -> str:
    """A row with these marks, one for each clan, and places for `name` and `about`, the seat. Cached because most
    sheets are empty, so all tables share a few rows; without it the sheet is a tenth of a table's page."""
    cells = (
        _mine(clan) if clan == mine else _button(clan, *mark) for clan, mark in zip(rules.CLANS, marks, strict=True)
    )
    return f'<tr><th scope="row">%(name)s</th>{"".join(cells)}</tr>'


def _button(clan: str, mark: str, ply: int) -> str:
    following = NEXT[mark]
    label = _literal(sheet.label_mark("\0", clan, mark, following=following)).replace("\0", "%(name)s")
    since = "" if mark == POSSIBLE else f' title="{_literal(sheet.say_marked_since(mark, ply))}"'
    return (
        f'<td><button class="suspicion is-{mark}" name="mark" value="%(about)d-{clan}-{following}"'
        f' data-cell="%(about)d-{clan}" aria-label="{label}"{since}></button></td>'
    )


def _mine(clan: str) -> str:
    """The viewer's own clan, which nobody else can have."""
    own = _sign("is-excluded is-mine", sheet.say_own_clan(clan)).replace("%", "%%")
    return f"<td>{own}</td>"


def _literal(text: str) -> str:
    """Text as it stands in a row that places are put into."""
    return escape(text).replace("%", "%%")


def _sign(kinds: str, label: str) -> str:
    """A mark that cannot be changed."""
    label = escape(label)
    return f'<span class="suspicion {kinds}" role="img" aria-label="{label}" title="{label}"></span>'


# --- The sheets of a game that is over -------------------------------------------------------------


def reveal(game: Game, seen: pov.Pov) -> SafeString:
    """Everybody's sheet beside the truth, once the game is over: a table for each who kept one. One query at most."""
    if not seen.is_over or not any(seat.has_sheet for seat in seen.seats):
        return SafeString()
    return SafeString("".join(_revealed(seen.seats, *sheet) for sheet in pov.reveal_sheets(game).items()))


def _revealed(seats: Sequence[pov.SeatPov], keeper: int, changes: Sequence[pov.SuspicionPov]) -> str:
    me, marks = seats[keeper], {(change.about, change.clan): change.mark for change in changes}
    marks |= {(seat.number, me.clan): EXCLUDED for seat in seats}
    rows = (
        f'<tr class="suspects-of"><th scope="row">{escape(seat.name)}</th>'
        + "".join(_revealed_mark(seat, clan, marks.get((seat.number, clan), POSSIBLE)) for clan in rules.CLANS)
        + f'</tr><tr><td colspan="{1 + len(rules.CLANS)}"><small>{_say_truth(seat, changes)}</small></td></tr>'
        for seat in seats
        if seat is not me
    )
    head = _clan_heads()
    return (
        f'<table class="ledger suspects suspects-shown"><caption>{escape(words.name_seat(me))}</caption>'
        f"<thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _revealed_mark(seat: pov.SeatPov, clan: str, mark: str) -> str:
    label = sheet.say_mark(clan, mark)
    return f"<td>{_sign(f'is-{mark} is-true' if clan == seat.clan else f'is-{mark}', label)}</td>"


def _say_truth(seat: pov.SeatPov, changes: Sequence[pov.SuspicionPov]) -> str:
    """Which clan the seat had, and when that was first suspected, with the time as an element."""
    truth = (seat.number, seat.clan, SUSPECTED)
    first = next((change for change in changes if (change.about, change.clan, change.mark) == truth), None)
    if first is None:
        return f"{escape(sheet.say_held(seat.clan))}; {escape(sheet.say_never_suspected())}"
    since = escape(sheet.say_marked_since(SUSPECTED, first.ply))
    return f"{escape(sheet.say_held(seat.clan))}; {since}, {when(first.at)}"


@cached(most=8)
def _clan_heads() -> SafeString:
    """The head of a sheet: a hut for each clan."""
    huts = (
        f'<th scope="col">{draw_hut(clan)}<span class="visually-hidden">{words.name_clan(clan)}</span></th>'
        for clan in rules.CLANS
    )
    return SafeString(f"<tr><td></td>{''.join(huts)}</tr>")
