"""The clock of a turn in sentences: until when it lasts, what comes then, and what is said while others wait."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Final

from django.utils.translation import gettext as _, gettext_noop

from games.models import Game
from games.pov import Pov, SeatPov
from games.words.spans import say_span
from games.words.times import (
    NO_SENTENCE,
    Moment,
    Sentence,
    moment_by_day,
    moment_from_now,
    moment_in_one_line,
    name_moment,
    name_moment_and_zone,
    say_distance,
)
from games.words.zone import zone_here

# --- Until when, on the page of a table ----------------------------------------------------------


def say_clock(pov: Pov, *, now: datetime) -> Sentence:
    """Until when the move of a running game may take and what comes then; empty while a computer player is to move."""
    mover = pov.mover
    if mover is None or pov.due_at is None or pov.free_until is None or pov.terms is None:
        return NO_SENTENCE
    is_free = now < pov.free_until
    ends = pov.free_until if is_free else pov.due_at
    places: dict[str, str | Moment] = {
        "until": _by_day(ends, now=now),
        "span": say_distance(ends, now=now),
        "name": mover.name,
    }
    if now >= pov.due_at:
        return Sentence(_overdue(pov.terms.overdue), places)
    reserve = mover.reserve_left
    then = _then(pov.terms.overdue, is_mine=mover.is_mine)
    if not is_free:
        return Sentence(f"{_drawing(is_mine=mover.is_mine)} {then}", places)
    if reserve and pov.due_at > pov.free_until:
        places |= {"reserve": say_span(reserve), "last": _by_day(pov.due_at, now=now)}
        return Sentence(_then_reserve(is_mine=mover.is_mine), places)
    return Sentence(_("Until %(until)s (%(span)s).") + f" {then}", places)


def say_turn_line(pov: Pov, *, now: datetime) -> Sentence:
    """Whose move it is and until when, in one line of a phone; empty when nobody is to move."""
    mover = pov.mover
    if mover is None:
        return NO_SENTENCE
    places: dict[str, str | Moment] = {"name": mover.name}
    if mover.is_mine and mover.is_bot:
        return Sentence(_("A computer player moves for you"), places)
    if pov.due_at is None or pov.free_until is None:
        return Sentence(_("Your move") if mover.is_mine else _("%(name)s’s move"), places)
    if now >= pov.due_at:
        return Sentence(_("Your move, time is up") if mover.is_mine else _("%(name)s’s move, time is up"), places)
    ends = pov.free_until if now < pov.free_until else pov.due_at
    places["until"] = moment_in_one_line(ends, now=now, zone=zone_here())
    return Sentence(_("Your move, until %(until)s") if mover.is_mine else _("%(name)s’s move, until %(until)s"), places)


def _then_reserve(*, is_mine: bool) -> str:
    if is_mine:
        return _(
            "Until %(until)s (%(span)s). Then your reserve of %(reserve)s is drawn on, until %(last)s at the latest."
        )
    return _(
        "Until %(until)s (%(span)s). Then %(name)s’s reserve of %(reserve)s is drawn on, until %(last)s at the latest."
    )


def _drawing(*, is_mine: bool) -> str:
    if is_mine:
        return _("Your reserve is being drawn on now, until %(until)s (%(span)s).")
    return _("%(name)s’s reserve is being drawn on now, until %(until)s (%(span)s).")


def _then(overdue: str, *, is_mine: bool) -> str:
    """What comes when there is no more time."""
    if overdue == Game.Overdue.ABANDON:
        return _("Then the game is abandoned.")
    return _("Then the autopilot moves for you.") if is_mine else _("Then the autopilot moves for %(name)s.")


def _overdue(overdue: str) -> str:
    if overdue == Game.Overdue.ABANDON:
        return _("Time ran out %(span)s: the game is about to be abandoned.")
    return _("Time ran out %(span)s: the autopilot is about to move for %(name)s.")


def _by_day(moment: datetime, *, now: datetime) -> Moment:
    return moment_by_day(moment, now=now, zone=zone_here())


# --- Until when, in lists ------------------------------------------------------------------------


def say_due(*, free_until: datetime, due_at: datetime, now: datetime, zone: tzinfo) -> Sentence:
    """Until when the move of a table in a list may take."""
    if due_at <= now:
        return Sentence(_(_UP))
    if free_until <= now:
        text, ends = _ON_RESERVE, due_at
    else:
        text, ends = _DUE if due_at == free_until else _THEN_RESERVE, free_until
    return Sentence(_(text), {"when": moment_from_now(ends, now=now, zone=zone)})


_UP: Final = gettext_noop("time is up")
_ON_RESERVE: Final = gettext_noop("on reserve, due %(when)s")
_DUE: Final = gettext_noop("due %(when)s")
_THEN_RESERVE: Final = gettext_noop("%(when)s, then reserve")


# --- Until when, in mails ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Deadline:
    """How long the reader's turn lasts: `until` when it is free, and what comes `then`; both are sentences."""

    until: str
    then: str


def say_time_left(pov: Pov, mine: SeatPov, *, at: datetime) -> Deadline:
    """The deadline of the turn that runs, as it is at `at`; empty sentences when there is none."""
    if pov.due_at is None or pov.free_until is None:
        return Deadline("", "")
    reserve = mine.reserve_left
    if at < pov.free_until:
        places = {"moment": name_moment_and_zone(pov.free_until), "left": _on_one_line(say_span(pov.free_until - at))}
        until = _("Until %(moment)s (%(left)s left)") % places
        if reserve and pov.due_at > pov.free_until:
            drawn = {"reserve": say_span(reserve), "moment": name_moment(pov.due_at)}
            then = _("Then your reserve of %(reserve)s is drawn on, until %(moment)s at the latest.") % drawn
            return Deadline(until + ".", f"{then} {_say_end_of_time(pov)}")
        return Deadline(until + ".", _say_end_of_time(pov))
    if at < pov.due_at:
        places = {"moment": name_moment_and_zone(pov.due_at), "left": _on_one_line(say_span(pov.due_at - at))}
        return Deadline(
            _("Your reserve is being drawn on, until %(moment)s (%(left)s left).") % places, _say_end_of_time(pov)
        )
    return Deadline(_("Your time was up on %(moment)s.") % {"moment": name_moment(pov.due_at)}, _say_end_of_time(pov))


def _on_one_line(span: str) -> str:
    return span.replace(" ", "\N{NO-BREAK SPACE}")


def _say_end_of_time(pov: Pov) -> str:
    """What becomes of a player who is late."""
    if pov.terms and pov.terms.overdue == Game.Overdue.ABANDON:
        return _("If your time runs out, the game is abandoned.")
    return _("If your time runs out, the autopilot makes this move for you.")


# --- What the others hear meanwhile --------------------------------------------------------------

_SAYS: Final = {
    "tonight": gettext_noop("%(name)s will play tonight (said %(when)s)."),
    "thinking": gettext_noop("%(name)s is thinking it over (said %(when)s)."),
}
_I_SAY: Final = {
    "tonight": gettext_noop("You have said that you will play tonight (%(when)s)."),
    "thinking": gettext_noop("You have told the others that you are thinking it over (%(when)s)."),
}


def say_meanwhile(pov: Pov, *, now: datetime) -> Sentence:
    """Why the player to move takes so long: they are away, have said when they play, or play again; empty when there
    is nothing to say."""
    mover = pov.mover
    if mover is None:
        return NO_SENTENCE
    away = next((end for begin, end in mover.vacations if begin <= now), None)
    if away is not None:
        mine, other = (
            _("You are on vacation; until %(until)s the clock stands still."),
            _("%(name)s is on vacation; until %(until)s the clock stands still."),
        )
        places: dict[str, str | Moment] = {"name": mover.name, "until": _by_day(away, now=now)}
        return Sentence(mine if mover.is_mine else other, places)
    if mover.says_at is None:
        return _say_withdrawn(pov, now=now)
    said = _(_I_SAY[mover.says] if mover.is_mine else _SAYS[mover.says])
    return Sentence(said, {"name": mover.name, "when": _from_now(mover.says_at, now=now)})


def _say_withdrawn(pov: Pov, *, now: datetime) -> Sentence:
    """That the turn began again because what the autopilot had played was withdrawn; empty when it did not."""
    mover = pov.withdrew
    if mover is None or pov.turn_since is None:
        return NO_SENTENCE
    mine, other = (
        _("You withdrew the autopilot’s move %(when)s and play again."),
        _("%(name)s withdrew the autopilot’s move %(when)s and plays again."),
    )
    places: dict[str, str | Moment] = {"name": mover.name, "when": _from_now(pov.turn_since, now=now)}
    return Sentence(mine if mover.is_mine else other, places)


def _from_now(moment: datetime, *, now: datetime) -> Moment:
    return moment_from_now(moment, now=now, zone=zone_here())


# --- Beside the seats ----------------------------------------------------------------------------


def say_of_seat(seat: SeatPov, *, has_reserve: bool, now: datetime) -> Iterator[Sentence]:
    """What is to be known of the clock of a seat of a running game; nothing of a computer player's."""
    if seat.is_bot:
        return
    if seat.is_on_autopilot:
        yield Sentence(_("the autopilot has the seat"))
    if has_reserve:
        left = seat.reserve_left
        yield Sentence(_("%(time)s in reserve") % {"time": say_span(left)} if left else _("no reserve left"))
    if seat.vacations:
        begin, end = seat.vacations[0]
        away = _("on vacation until %(until)s") if begin <= now else _("on vacation from %(since)s until %(until)s")
        yield Sentence(away, {"since": _by_day(begin, now=now), "until": _by_day(end, now=now)})
    if seat.mail_bounces:
        yield Sentence(_("mails do not arrive"))


# --- In calendars and feeds ----------------------------------------------------------------------


def say_in_calendar(game: Game, *, is_free: bool) -> str:
    """What comes at the moment that a calendar shows: the reserve, where the turn `is_free` until then, or the end."""
    if is_free and game.due_at:
        drawn = _(
            "Until then your move costs nothing. Afterwards your reserve is drawn on, until %(moment)s at the latest."
        )
        return drawn % {"moment": name_moment(game.due_at)}
    if game.overdue == Game.Overdue.ABANDON:
        return _("If you have not moved by then, the game is abandoned.")
    return _("If you have not moved by then, the autopilot moves for you.")


def say_free_until(game: Game) -> str:
    """When the turn stops being free; empty where no clock runs."""
    return _("Until %(moment)s.") % {"moment": name_moment(game.free_until)} if game.free_until else ""
