"""What stands beside the board: seats, epochs, scores and history, as values for templates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from operator import itemgetter
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, pgettext

from games import rules, words
from games.drawing import ChartNames, draw_chart, draw_hut, draw_seal, draw_track, leaders
from games.pages.access import link_seat, table_url
from games.pages.table.clock import seat_notes
from games.pages.table.long_lists import list_history
from games.pages.table.sentences import tell_event, tell_moves
from games.pov import Pov, SeatPov
from games.words.summary import tell_seat

HistoryNote = tuple[int, datetime, SafeString]
"""What was done or said besides moving: after how many moves, when, and in words with links."""


def about_position(
    pov: Pov,
    position: rules.Position,
    *,
    to_move: int | None,
    notes: tuple[HistoryNote, ...] = (),
    viewpoint: str = "",
    commented: frozenset[int] = frozenset(),
) -> dict[str, object]:
    """Everything beside the board, at the ply that the Pov shows. The history includes the `notes`, its links to plies
    end in the `viewpoint`, and the `commented` moves say so."""
    plies = f"{table_url(pov.slug)}ply/"
    hrefs = [f"{plies}{ply}/{viewpoint}" for ply in range(1, len(pov.moves) + 1)]
    events = ((event.ply, event.at, tell_event(event, pov.seats)) for event in pov.events)
    beside = [(ply, text) for ply, _at, text in sorted((*events, *notes), key=itemgetter(0, 1))]
    sentences = tell_moves(pov.moves, pov.seats)
    if commented:
        sentences = [
            format_html('{} <a href="{}#comments">{}</a>', text, href, _("Comments")) if ply in commented else text
            for ply, (text, href) in enumerate(zip(sentences, hrefs, strict=True), 1)
        ]
    recent, earlier = list_history(sentences, hrefs, beside)
    return {
        "seats": seat_rows(pov.seats, to_move=to_move, notes=seat_notes(pov)),
        "rules_version": position.ruleset.version,
        "chips_left": position.chips_left,
        **about_scores(position),
        "recent": recent,
        "earlier": earlier,
    }


# --- Seats ---------------------------------------------------------------------------------------


def seat_rows(
    seats: Iterable[SeatPov], *, to_move: int | None, notes: tuple[SafeString, ...] = ()
) -> list[dict[str, object]]:
    """The seats in order, each with what the page says about it, including the `notes` of its clock; `to_move` is
    marked."""
    return [
        _seat(seat, is_to_move=seat.number == to_move, of_clock=notes[place] if notes else SafeString())
        for place, seat in enumerate(seats)
    ]


def _seat(seat: SeatPov, *, is_to_move: bool, of_clock: SafeString) -> dict[str, object]:
    """A seat with its seal, its chips (to draw and in words), and what the page says about it."""
    # Its cards are open once a game is over, which alone has scores; before, one's own stays where it can be covered.
    clan = (clan_drawn(seat.clan),) if seat.score is not None else ()
    notes = filter(None, (*clan, *tell_seat(seat, is_to_move=is_to_move), of_clock))
    return {
        "seal": draw_seal(seat.number),
        "name": link_seat(seat),
        "is_mine": seat.is_mine,
        "is_to_move": is_to_move,
        "chips": range(seat.chips),
        "counted": words.count_chips(seat.chips) if seat.chips else _("no chips"),
        "notes": format_html_join(", ", "{}", ((note,) for note in notes)),
    }


def about_end(pov: Pov, *, at: str = "") -> dict[str, object]:
    """The result of a game that is over: who won, each seat with its clan, best first (by seat when nobody won), and
    how the points grew. The chart marks the ply `at` which its reader was."""
    return {
        "result": words.say_result(pov),
        "standings": standings(pov),
        **_about_growth(pov, at),
    }


def standings(pov: Pov) -> list[tuple[SeatPov, str, SafeString, SafeString]]:
    """Each seat of a game that is over, best first, with its rank in words, its seal and its clan."""
    in_order = sorted(pov.seats, key=lambda seat: (seat.rank or 0, seat.number))
    return [_standing(pov, seat) for seat in in_order]


def _standing(pov: Pov, seat: SeatPov) -> tuple[SeatPov, str, SafeString, SafeString]:
    """A seat with its rank in words, which is empty when nobody won, its seal and its clan."""
    rank = words.name_rank(seat.rank) if pov.winners and seat.rank else ""
    clan = format_html("{} <span>{}</span>", draw_hut(seat.clan), words.name_clan(seat.clan))
    return seat, rank, draw_seal(seat.number), clan


def _about_growth(pov: Pov, at: str) -> dict[str, object]:
    """How the points of the clans grew, drawn and as rows; nothing where no village was founded."""
    steps = [move.step for move in pov.moves]
    if pov.opening is None or not any(step.villages for step in steps):
        return {}
    names = {epoch.number: words.name_epoch(epoch.number) for epoch in pov.ruleset.version.epochs}
    return {
        "chart": draw_chart(
            rules.set_up(pov.opening),
            steps,
            epochs=names,
            names=ChartNames(points=_("points"), moves=_("moves"), led=pgettext("which clan", "ahead")),
            at=int(at) if at in map(str, range(len(steps) + 1)) else None,
        ),
        "growth": [_scoring_move(step, names) for step in steps if step.villages],
    }


def _scoring_move(step: rules.Step, names: Mapping[int, str]) -> dict[str, object]:
    """A move that brought points, the points of each clan after it, the clans that have most by then, which are marked
    and named, and the chips that are left."""
    scores, led = step.position.scores, leaders(step.position.scores)
    return {
        "ply": step.ply + 1,
        "epochs": words.join_words(dict.fromkeys(names[village.epoch] for village in step.villages)),
        "scores": [(score, clan in led) for clan, score in zip(rules.CLANS, scores, strict=True)],
        "led": words.join_clans(led) if led else _("none"),
        "chips_left": step.position.chips_left,
    }


def clan_drawn(clan: str) -> SafeString:
    """A clan as its hut and its name."""
    return format_html("{} {}", draw_hut(clan), words.name_clan(clan))


# --- Epochs and scores ---------------------------------------------------------------------------


def epoch_rows(version: rules.Version, chips_left: int, *, is_played: bool = True) -> list[dict[str, Any]]:
    """The epoch chart (rules 1.5) when so many chips are left; in a game the present epoch is marked."""
    rows: list[dict[str, Any]] = []
    for epoch in version.epochs:
        later = sum(after.chips for after in version.epochs[epoch.number :])
        left = min(epoch.chips, max(0, chips_left - later))
        is_now = is_played and left > 0 and not any(row["chips"] for row in rows)
        rows.append(_epoch(epoch, left=left, is_now=is_now))
    return rows


def _epoch(epoch: rules.Epoch, *, left: int, is_now: bool) -> dict[str, Any]:
    """An epoch with its terrains and their names (all four are favorable in the first one), and the chips left on it,
    to draw and in words."""
    return {
        "number": words.name_epoch(epoch.number),
        "favorable": tuple((terrain, words.name_terrain(terrain)) for terrain in epoch.favorable),
        "unfavorable": tuple((terrain, words.name_terrain(terrain)) for terrain in epoch.unfavorable),
        "bonus": epoch.bonus,
        "chips": range(left),
        "gone": range(epoch.chips - left),
        "counted": words.count_chips(left),
        "is_now": is_now,
    }


def about_scores(position: rules.Position) -> dict[str, object]:
    """The scoring track, and its numbers by clan for readers who do not see it."""
    scores: dict[str, int] = dict(zip(rules.CLANS, position.scores, strict=True))
    return {
        "track": draw_track(scores),
        "scores": {clan: str(score) for clan, score in scores.items()},
    }
