"""What stands beside the board, as HTML: joined as strings, because template loops cost ten times as much."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext as _, pgettext

from games import rules, words
from games.drawing import draw_hut
from games.pages.clock import seat_notes
from games.pages.lists import table_url
from games.pages.track import score_track
from games.pov import Pov, SeatPov

CHIP = '<span class="chip"></span>'
CHIP_GONE = '<span class="chip chip-gone"></span>'
RECENT = 8
"""Moves of the history that are not folded away."""

MOST_HISTORIES = 512
"""Histories that are kept as HTML, of some kilobytes each."""


def join_html(parts: Iterable[str]) -> SafeString:
    """Markup of this module in one piece. Names of players are the only text in it from outside, escaped where used."""
    return mark_safe("".join(parts))  # noqa: S308


def about_position(seen: Pov, position: rules.Position, *, to_move: int | None) -> dict[str, object]:
    """All that stands beside the board, as it is at the ply that the Pov shows."""
    recent, earlier = _history(seen)
    return {
        "seats": seats_list(seen.seats, to_move=to_move, notes=seat_notes(seen)),
        "epochs": epoch_rows(position),
        "scores": score_track(position),
        "recent": recent,
        "earlier": earlier,
    }


# --- Seats ---------------------------------------------------------------------------------------


def seats_list(seats: Iterable[SeatPov], *, to_move: int | None, notes: tuple[str, ...] = ()) -> SafeString:
    """The seats in order with their chips and what is to be known of each, `notes` of their clocks (markup) among it;
    `to_move` is marked."""
    return _seats_list(get_language() or "", tuple(seats), to_move, notes)


@lru_cache(maxsize=1024)
def _seats_list(_language: str, seats: tuple[SeatPov, ...], to_move: int | None, notes: tuple[str, ...]) -> SafeString:
    return join_html(
        _seat(seat, is_to_move=seat.number == to_move, of_clock=notes[place] if notes else "")
        for place, seat in enumerate(seats)
    )


def _seat(seat: SeatPov, *, is_to_move: bool, of_clock: str) -> str:
    marks = (" is-to-move" if is_to_move else "") + (" is-me" if seat.is_mine else "")
    notes = ", ".join(filter(None, (*_seat_notes(seat, is_to_move=is_to_move), of_clock)))
    note = f'<span class="seat-note">{notes}</span>' if notes else ""
    return (
        f'<li class="seat{marks}"><span class="seat-name">{escape(seat.name)}</span>'
        f'<span class="seat-chips">{chips_drawn(seat.chips)}</span>{note}</li>'
    )


def _seat_notes(seat: SeatPov, *, is_to_move: bool) -> Iterable[str]:
    if seat.is_mine:
        yield _("you")
    if seat.has_resigned:
        yield _("resigned, a computer player moves")
    elif seat.is_bot:
        yield _("computer player")
    if is_to_move:
        yield _("to move")
    if seat.agrees_to_abandon:
        yield _("agrees to abandon the game")


def chips_drawn(chips: int) -> str:
    """Village chips as drawn, and their number in words for those who cannot see them."""
    return _chips_drawn(get_language() or "", chips)


@lru_cache(maxsize=128)
def _chips_drawn(_language: str, chips: int) -> str:
    drawn = f'<span class="chips">{CHIP * chips}</span>' if chips else "–"
    count = words.count_chips(chips) if chips else _("no chips")
    return f'<span aria-hidden="true">{drawn}</span><span class="visually-hidden">{count}</span>'


def about_end(seen: Pov) -> dict[str, object]:
    """The result of a game that is over: who won, and each seat with its clan, best first; by seat when nobody won."""
    in_order = sorted(seen.seats, key=lambda seat: (seat.rank or 0, seat.number))
    return {"result": words.say_result(seen), "standings": [(seat, clan_drawn(seat.clan)) for seat in in_order]}


# --- Epoch chart ----------------------------------------------------------------------------------


def epoch_rows(position: rules.Position, *, is_played: bool = True) -> SafeString:
    """The rows of the epoch chart (rules 1.5) with the chips left on each; in a game the present epoch is marked."""
    return _epoch_rows(get_language() or "", position.chips_left, is_played)


@lru_cache(maxsize=128)
def _epoch_rows(_language: str, chips_left: int, is_played: bool) -> SafeString:
    rows = []
    for epoch in rules.EPOCHS:
        later = sum(after.chips for after in rules.EPOCHS[epoch.number :])
        rows.append(_epoch_row(epoch, left=min(epoch.chips, max(0, chips_left - later))))
    drawn = [f'<tr class="{"" if left else "is-spent"}">{row}</tr>' for left, row in rows]
    now = next((number for number, (left, _row) in enumerate(rows) if left), None) if is_played else None
    if now is not None:
        drawn[now] = drawn[now].replace('class=""><th', 'class="is-now"><th aria-current="true"', 1)
    return join_html(drawn)


def _epoch_row(epoch: rules.Epoch, *, left: int) -> tuple[int, str]:
    good = _("all") if len(epoch.favorable) > 1 else _terrain(epoch.favorable[0])
    bad = _terrain(epoch.unfavorable[0]) if epoch.unfavorable else f'<span class="terrain">{_("none")}</span>'
    drawn = CHIP * left + CHIP_GONE * (epoch.chips - left)
    return left, (
        f'<th scope="row" class="epoch-no">{words.name_epoch(epoch.number)}</th><td>{good}</td><td>{bad}</td>'
        f'<td class="num">{epoch.bonus}</td><td class="num"><span class="chips" aria-hidden="true">{drawn}</span>'
        f'<span class="visually-hidden">{words.count_chips(left)}</span></td>'
    )


def _terrain(terrain: str) -> str:
    name = words.name_terrain(terrain)
    picture = f'<span class="tile tile-{terrain}" aria-hidden="true"><span class="mark mark-{terrain}"></span></span>'
    return f'<span class="terrain">{picture}{name}</span>'


def clan_drawn(clan: str) -> SafeString:
    """A clan as its hut and its name."""
    return join_html((draw_hut(clan), " ", words.name_clan(clan)))


# --- History and territories ---------------------------------------------------------------------


_histories: dict[tuple[object, ...], tuple[SafeString, SafeString]] = {}


def _history(seen: Pov) -> tuple[SafeString, SafeString]:
    """The last moves and those before, kept by the ply they led to: a log only grows (design 2.1)."""
    key = (get_language(), seen.slug, seen.edition, seen.ply, seen.seats)
    found = _histories.get(key)
    if found is None:
        if len(_histories) >= MOST_HISTORIES:
            _histories.clear()
        steps = history(seen)
        found = _histories[key] = join_html(steps[:RECENT]), join_html(steps[RECENT:])
    return found


def history(seen: Pov) -> list[str]:
    """One list item for each move until the ply shown, newest first, each leading to its ply."""
    table = table_url(seen.slug)
    texts = words.describe_moves(seen.moves, seen.seats)
    items = [history_line(ply, text, f"{table}ply/{ply}/") for ply, text in enumerate(texts, start=1)]
    if items:
        items[-1] = items[-1].replace('class="step"', 'class="step is-last"', 1)
    return items[::-1]


def history_line(ply: int, text: str, href: str = "") -> str:
    """What a move did, with its number: a link of some name where it leads anywhere."""
    number = f"<span>{ply}</span>"
    if href:
        number = f'<a href="{href}" aria-label="{pgettext("in a list", "Move %(ply)d") % {"ply": ply}}">{ply}</a>'
    return f'<li class="step">{number}<p>{escape(text)}</p></li>'


CHOOSE = "?from="


def territory_lists(
    contents: tuple[str, ...], *, origins: frozenset[str] = frozenset(), link: str = CHOOSE
) -> SafeString:
    """The board as a list by region, from what there is in each territory; `origins` are links that choose them, to
    `link` and their name. Kept for the next reader, but for other links than those of a table."""
    language = get_language() or ""
    if link != CHOOSE:
        return _list_territories(language, contents, origins, link)
    return _territory_lists(language, contents, origins)


@lru_cache(maxsize=256)
def _territory_lists(language: str, contents: tuple[str, ...], origins: frozenset[str]) -> SafeString:
    return _list_territories(language, contents, origins, CHOOSE)


def _list_territories(language: str, contents: tuple[str, ...], origins: frozenset[str], link: str) -> SafeString:
    lines = [
        _territory(language, name, escape(text), link=f"{escape(link)}{name}" if name in origins else "")
        for name, text in zip(rules.BOARD.names, contents, strict=True)
    ]
    return join_html(_region(lines[start : start + 5], start) for start in range(0, len(lines), 5))


def _territory(language: str, name: str, text: str, *, link: str) -> str:
    contents = f'<a href="{link}">{text}</a>' if link else text
    return f"<li>{contents} <small>{_neighbors(language, name)}</small></li>"


def _region(lines: Sequence[str], start: int) -> str:
    title = _("Region %(letter)s") % {"letter": rules.BOARD.regions[start]}
    return f"<h3>{title}</h3><ul>{''.join(lines)}</ul>"


@lru_cache(maxsize=1024)
def _neighbors(_language: str, territory: str) -> str:
    around = rules.BOARD.neighbors[rules.BOARD.index[territory]]
    return _("beside %(names)s") % {"names": ", ".join(rules.BOARD.names[number] for number in around)}
