"""What a player keeps at a table for themselves: a note, and a sheet of whom they suspect to hold which clan.

The note is nobody else's business, ever; the sheets are shown to all when the game is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from html import escape

from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext as _, gettext_noop

from games import pov, rules, words
from games.drawing import draw_hut
from games.models import Game, Player
from games.pages.margin import join_html
from games.pages.times import when

POSSIBLE, SUSPECTED, EXCLUDED = "possible", "suspected", "excluded"
NEXT = {POSSIBLE: SUSPECTED, SUSPECTED: EXCLUDED, EXCLUDED: POSSIBLE}
"""The mark that a tap turns each mark into."""
_MARKS = {
    POSSIBLE: gettext_noop("possible"),
    SUSPECTED: gettext_noop("suspected"),
    EXCLUDED: gettext_noop("excluded"),
}

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
    return Notebook(note, written_at, _rows(get_language() or "", others, me.clan, marks_of(changes)), unsaved)


def marks_of(changes: Iterable[tuple[int, str, str, int]]) -> Marks:
    """How a sheet stands after its changes, each a seat, clan, mark and ply."""
    return tuple(sorted({(about, clan): (mark, ply) for about, clan, mark, ply in changes}.items()))


# --- The sheet of a game that runs -----------------------------------------------------------------


@lru_cache(maxsize=256)
def _rows(language: str, others: Sequence[tuple[int, str]], mine: str, marks: Marks) -> SafeString:
    """The sheet: for each of the others a row with a button for each clan, which makes of its mark the next one."""
    marked = dict(marks)
    rows = (
        f'<tr><th scope="row">{escape(name)}</th>'
        + "".join(
            _mine(clan) if clan == mine else _button(number, name, clan, *marked.get((number, clan), (POSSIBLE, 0)))
            for clan in rules.CLANS
        )
        + "</tr>"
        for number, name in others
    )
    return join_html((f"<thead>{_clan_heads(language)}</thead><tbody>", *rows, "</tbody>"))


def _button(about: int, name: str, clan: str, mark: str, ply: int) -> str:
    following = NEXT[mark]
    places = {"name": name, "clan": words.name_clan(clan), "mark": _(_MARKS[mark]), "next": _(_MARKS[following])}
    label = escape(_("%(name)s, %(clan)s: %(mark)s. Change to %(next)s.") % places)
    since = "" if mark == POSSIBLE else f' title="{escape(_say_since(mark, ply))}"'
    return (
        f'<td><button class="suspicion is-{mark}" name="mark" value="{about}-{clan}-{following}"'
        f' data-cell="{about}-{clan}" aria-label="{label}"{since}></button></td>'
    )


def _say_since(mark: str, ply: int) -> str:
    return _("%(mark)s since move %(ply)d") % {"mark": _(_MARKS[mark]), "ply": ply}


def _mine(clan: str) -> str:
    """The viewer's own clan, which nobody else can have."""
    label = _("%(clan)s: excluded, it is yours") % {"clan": words.name_clan(clan)}
    return f"<td>{_sign('is-excluded is-mine', label)}</td>"


def _sign(kinds: str, label: str) -> str:
    """A mark that cannot be changed."""
    label = escape(label)
    return f'<span class="suspicion {kinds}" role="img" aria-label="{label}" title="{label}"></span>'


# --- The sheets of a game that is over -------------------------------------------------------------


def reveal(game: Game, seen: pov.Pov) -> SafeString:
    """Everybody's sheet beside the truth, once the game is over: a table for each who kept one. One query at most."""
    if not seen.is_over or not any(seat.has_sheet for seat in seen.seats):
        return SafeString()
    return join_html(_revealed(seen.seats, keeper, changes) for keeper, changes in pov.reveal_sheets(game).items())


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
    head = _clan_heads(get_language() or "")
    return (
        f'<table class="ledger suspects suspects-shown"><caption>{escape(words.name_seat(me))}</caption>'
        f"<thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _revealed_mark(seat: pov.SeatPov, clan: str, mark: str) -> str:
    label = _("%(clan)s: %(mark)s") % {"clan": words.name_clan(clan), "mark": _(_MARKS[mark])}
    return f"<td>{_sign(f'is-{mark} is-true' if clan == seat.clan else f'is-{mark}', label)}</td>"


def _say_truth(seat: pov.SeatPov, changes: Sequence[pov.SuspicionPov]) -> str:
    """Which clan the seat had, and when that was first suspected, with the time as an element."""
    truth = (seat.number, seat.clan, SUSPECTED)
    first = next((change for change in changes if (change.about, change.clan, change.mark) == truth), None)
    since = f"{escape(_say_since(SUSPECTED, first.ply))}, {when(first.at)}" if first else escape(_("never suspected"))
    return f"{escape(_('had %(clan)s') % {'clan': words.name_clan(seat.clan)})}; {since}"


@lru_cache(maxsize=64)
def _clan_heads(_language: str) -> SafeString:
    """The head of a sheet: a hut for each clan."""
    huts = (
        f'<th scope="col">{draw_hut(clan)}<span class="visually-hidden">{words.name_clan(clan)}</span></th>'
        for clan in rules.CLANS
    )
    return join_html(("<tr><td></td>", *huts, "</tr>"))
