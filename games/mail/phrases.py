"""What a mail of each kind says of itself: what is new, what is asked, and what time is left."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

from django.utils import dateformat, timezone
from django.utils.translation import get_language, gettext as _, gettext_noop, ngettext

from games import words
from games.clocks import Clock
from games.models import Game, Notice
from games.pov import Pov, SeatPov

Kind = Notice.Kind

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
IN_DAYS: Final = 3 * DAY
"""Spans from here on are told in days, as pages do, and so are whole days; others from 2 hours on in hours."""

MOVED: Final = gettext_noop("D j M, H:i")
DEADLINE: Final = gettext_noop("l j F, H:i")
"""How times are written, by Django's letters."""

# --- Times ---------------------------------------------------------------------------------------


def say_moment(moment: datetime) -> str:
    """When a move was made, on the reader's clock: `Mo 2 Mar, 23:00`."""
    return _told(_on_the_wall(moment), MOVED, get_language() or "")


def say_deadline(moment: datetime) -> str:
    """Until when, on the reader's clock: `Tuesday 24 November, 09:00`."""
    return _told(_on_the_wall(moment), DEADLINE, get_language() or "")


def _say_deadline_here(moment: datetime) -> str:
    """`say_deadline` and by whose clock: `Tuesday 24 November, 09:00, Vienna time`, or `... 09:00 UTC`."""
    region, _slash, place = timezone.get_current_timezone_name().rpartition("/")
    form = _("%(moment)s, %(place)s time") if region else _("%(moment)s %(place)s")
    return form % {"moment": say_deadline(moment), "place": place.replace("_", " ")}


def _on_the_wall(moment: datetime) -> datetime:
    """What the reader's clock shows, to the minute and without its zone."""
    return timezone.localtime(moment).replace(second=0, microsecond=0, tzinfo=None)


@lru_cache(maxsize=4096)
def _told(shown: datetime, form: str, _language: str) -> str:
    return dateformat.format(shown, _(form))


def say_span(span: timedelta) -> str:
    """How long, in its largest unit and rounded down: `7 days`, `5 hours`, `40 minutes`."""
    if span >= IN_DAYS or (span >= DAY and not span % DAY):
        return ngettext("%(count)d day", "%(count)d days", span // DAY) % {"count": span // DAY}
    if span >= 2 * HOUR:
        return ngettext("%(count)d hour", "%(count)d hours", span // HOUR) % {"count": span // HOUR}
    minutes = max(span, timedelta()) // timedelta(minutes=1)
    return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}


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
        places = {"moment": _say_deadline_here(pov.free_until), "left": say_span(pov.free_until - at)}
        until = _("Until %(moment)s (%(left)s left)") % places
        if reserve and pov.due_at > pov.free_until:
            drawn = {"reserve": say_span(reserve), "moment": say_deadline(pov.due_at)}
            then = _("Then your reserve of %(reserve)s is drawn on, until %(moment)s at the latest.") % drawn
            return Deadline(until + ".", f"{then} {_say_end_of_time(pov)}")
        return Deadline(until + ".", _say_end_of_time(pov))
    if at < pov.due_at:
        places = {"moment": _say_deadline_here(pov.due_at), "left": say_span(pov.due_at - at)}
        return Deadline(
            _("Your reserve is being drawn on, until %(moment)s (%(left)s left).") % places, _say_end_of_time(pov)
        )
    return Deadline(_("Your time was up on %(moment)s.") % {"moment": say_deadline(pov.due_at)}, _say_end_of_time(pov))


def _say_end_of_time(pov: Pov) -> str:
    """What becomes of who is late."""
    if pov.terms and pov.terms.overdue == Game.Overdue.ABANDON:
        return _("If your time runs out, the game is abandoned.")
    return _("If your time runs out, the autopilot makes this move for you.")


def say_part_left(clock: Clock, *, at: datetime) -> str:
    """How much of the turn is left, for a reminder; of what is told exactly a mail may come a little early or late."""
    part = clock.part_left(at)
    if part <= 0.11:
        return _("Less than a tenth of your time is left.")
    if part < 0.24:
        return _("Less than a quarter of your time is left.")
    if part <= 0.26:
        return _("A quarter of your time is left.")
    if part < 0.49:
        return _("More than half of your time is over.")
    return _("Half of your time is over.") if part <= 0.51 else ""


# --- What is new ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Phrases:
    """A mail in a few words: its subject, what is new in one sentence, what else is to be said, and its button.

    `glance` is what lists of mails show beside the subject; where it is empty, until when the turn lasts.
    """

    subject: str
    lead: str
    notes: tuple[str, ...]
    ask: str
    glance: str


def phrase(
    kind: str,
    pov: Pov,
    *,
    about: SeatPov | None,
    mine: SeatPov,
    at: datetime,
    withdrew: SeatPov | None = None,
    clock: Clock | None = None,
) -> Phrases:
    """What the mail of a notice of `kind` says; `about` is the fellow player whom it is about, a turn that comes a
    second time tells who `withdrew` a move of the autopilot, and a reminder what is left by the `clock` of the turn."""
    return _PHRASES[Kind(kind)](_Case(pov, mine, about, at, withdrew, clock))


@dataclass(frozen=True, slots=True)
class _Case:
    pov: Pov
    mine: SeatPov
    about: SeatPov | None
    at: datetime
    withdrew: SeatPov | None
    clock: Clock | None

    @property
    def table(self) -> str:
        return self.pov.name

    @property
    def number(self) -> int:
        """Of the move that is asked for."""
        return self.pov.ply + 1


def _turn(case: _Case) -> Phrases:
    lead = _("It is your turn, %(name)s.") % {"name": case.mine.name}
    begun = _("The game has begun, and you make the first move.")
    card = _("Your clan card lies on the table’s page, for your eyes only.")
    return Phrases(
        subject=_("Your turn: %(table)s (move %(number)d)") % {"table": case.table, "number": case.number},
        lead=lead if case.pov.ply else f"{lead} {begun}",
        notes=(_say_withdrawn(case.withdrew),) if case.withdrew else () if case.pov.ply else (card,),
        ask=_("Make your move"),
        glance=_last_words(case.pov) or begun,
    )


def _say_withdrawn(seat: SeatPov) -> str:
    """Why a turn comes a second time."""
    if seat.is_mine:
        return _("You have withdrawn the autopilot’s move, and your turn began anew.")
    return _("%(name)s withdrew the autopilot’s move and played again.") % {"name": seat.name}


def _started(case: _Case) -> Phrases:
    first = _("%(first)s makes the first move; a mail calls you when it is your turn.") % {"first": _first(case.pov)}
    return Phrases(
        subject=_("The game has begun: %(table)s") % {"table": case.table},
        lead=_("All are seated, and the game has begun."),
        notes=(first, _("Your clan card lies on the table’s page, for your eyes only.")),
        ask=_("See your card and the board"),
        glance=first,
    )


def _finished(case: _Case) -> Phrases:
    pov = case.pov
    end, result = words.say_end(pov), words.say_result(pov)
    places = {"table": case.table, "names": words.join_words([seat.name for seat in pov.winners] or [""])}
    if not pov.winners:
        subject = _("Nobody won: %(table)s") % places
    elif case.mine.has_won and not case.mine.has_resigned:
        subject = _("You won: %(table)s") % places
    else:
        subject = _("Won by %(names)s: %(table)s") % places
    return Phrases(
        subject,
        lead=f"{result} {end}",
        notes=(),
        ask=_("See every move again"),
        glance=f"{end} {result}",
    )


def _reminder(case: _Case) -> Phrases:
    left = say_part_left(case.clock, at=case.at) if case.clock else ""
    lead = _("Your move is still awaited, %(name)s.") % {"name": case.mine.name}
    return Phrases(
        subject=_("Reminder: %(table)s waits for your move %(number)d") % {"table": case.table, "number": case.number},
        lead=f"{lead} {left}".strip(),
        notes=(),
        ask=_("Make your move"),
        glance="",
    )


def _nudge(case: _Case) -> Phrases:
    places = {"table": case.table, "name": case.about.name if case.about else ""}
    return Phrases(
        subject=(_("%(name)s nudges you: %(table)s") if case.about else _("A nudge: %(table)s")) % places,
        lead=(_("%(name)s asks you to move.") if case.about else _("The others ask you to move.")) % places,
        notes=(_("A nudge changes nothing about your time. The others can send one in 24 hours."),),
        ask=_("Make your move"),
        glance="",
    )


def _autopilot(case: _Case) -> Phrases:
    own = [move.step.move for move in case.pov.moves if move.step.seat == case.mine.number]
    places = {"table": case.table, "move": own[-1] if own else ""}
    back = _(
        "As long as nobody has moved since, you can withdraw this move at the table and play another, once a game."
    )
    notes = [back] if case.mine.can_withdraw else []
    if case.mine.is_on_autopilot:
        notes.append(
            _("It has moved for you so often that it keeps the seat until you open the table; then it is yours again.")
        )
    else:
        notes.append(_("The seat is yours as before, and the next move is again for you to make."))
    lead = _("Your time was up, so the autopilot has played %(move)s for you.") % places
    return Phrases(
        subject=_("The autopilot has moved for you: %(table)s") % places,
        lead=lead,
        notes=tuple(notes),
        ask=_("Go to the table"),
        glance=lead,
    )


def _expired(case: _Case) -> Phrases:
    lead = _say_closed(case)
    return Phrases(
        subject=_("Closed without a game: %(table)s") % {"table": case.table},
        lead=lead,
        notes=(_("Nothing was played. You can open another table, for fewer players or by a link for friends."),),
        ask=_("Open another table"),
        glance=lead,
    )


def _say_closed(case: _Case) -> str:
    """Why there was no game: its opener closed the table, or nobody came."""
    if case.about:
        return _("%(name)s closed this table before its game began.") % {"name": case.about.name}
    missing = case.pov.size - len(case.pov.seats)
    return ngettext(
        "One seat stayed empty, so this open table was closed.",
        "%(count)d seats stayed empty, so this open table was closed.",
        missing,
    ) % {"count": missing}


def _bounced(case: _Case) -> Phrases:
    name = case.about.name if case.about else _("a fellow player")
    places = {"table": case.table, "name": name}
    notes = [
        _("So nothing calls %(name)s to this table. If you know each other, say so before time runs out.") % places
    ]
    if case.about and case.about.is_to_move and case.pov.due_at:
        until = _("It is %(name)s’s turn, until %(moment)s at the latest.")
        notes.append(until % (places | {"moment": say_deadline(case.pov.due_at)}))
    lead = _("Mails to %(name)s do not arrive.") % places
    return Phrases(
        subject=_("%(name)s gets no mail: %(table)s") % places,
        lead=lead,
        notes=tuple(notes),
        ask=_("Go to the table"),
        glance=lead,
    )


def _test(case: _Case) -> Phrases:
    return Phrases(
        subject=_("A test: mail from Clans reaches you"),
        lead=_("This is how mails from here look, %(name)s.") % {"name": case.mine.name},
        notes=(
            _("You have asked for it. Where the picture is missing, your mail program hides it until you allow it."),
        ),
        ask=_("Go to the table"),
        glance=_("Nothing is asked of you."),
    )


_PHRASES: Final = {
    Kind.TURN: _turn,
    Kind.STARTED: _started,
    Kind.FINISHED: _finished,
    Kind.REMINDER: _reminder,
    Kind.NUDGE: _nudge,
    Kind.AUTOPILOT: _autopilot,
    Kind.EXPIRED: _expired,
    Kind.BOUNCED: _bounced,
    Kind.TEST: _test,
}


def _first(pov: Pov) -> str:
    """Who makes the first move."""
    return pov.seats[pov.opening.first].name if pov.opening else ""


def _last_words(pov: Pov) -> str:
    return words.describe_moves(pov.moves[-1:], pov.seats)[0] if pov.moves else ""
