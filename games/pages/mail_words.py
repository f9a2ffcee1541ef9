"""What became of the mails owed to a player, and when the next may come, in plain words."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from html import escape
from typing import Final, NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext as _

from games.clocks import zone_named
from games.models import MailMode, Notice, Player
from games.pages.times import say_moment

Kind, State, Reason = Notice.Kind, Notice.State, Notice.Reason

BEHIND: Final = timedelta(minutes=5)
"""So late may a mail be before the page says that it is."""
_ANSWER: Final = re.compile(r"([245]\d\d) (.*)")
_OURS_TO_MEND: Final = frozenset({"503", "530", "534", "535", "538"})
_PROGRAM: Final = re.compile(r"([A-Za-z_]+): ")
_AWAY: Final = re.compile(r"gaierror|herror|timeout|SSL\w*|SMTP\w*|OSError|\w*(Connection|Timeout|Connect)\w*")
_QUOTED: Final = 160


class Owed(NamedTuple):
    """A notice as the log tells of it, by the names that its query gives to the columns."""

    kind: str
    state: str
    reason: str
    created_at: datetime
    due_at: datetime
    sent_at: datetime | None
    attempts: int
    error: str
    slug: str
    table: str
    about: str
    """The name of the fellow player whom it is about."""
    carrier: str
    """The kind of the notice whose mail carries it too, and the name of that one's table."""
    carrier_table: str


class Told(NamedTuple):
    """What became of a mail: a drawn sign, and the words with the moments in them."""

    mark: str
    words: str


Say = Callable[[datetime], SafeString]


def say_kind(kind: str, *, about: str = "") -> str:
    """What a mail is about: `Your turn`, `bob nudges you`."""
    name = {"name": about or _("a fellow player")}
    match kind:
        case Kind.TURN:
            return _("Your turn")
        case Kind.STARTED:
            return _("The game has started")
        case Kind.FINISHED:
            return _("The game is over")
        case Kind.REMINDER:
            return _("Reminder of your turn")
        case Kind.NUDGE:
            return _("%(name)s nudges you") % name
        case Kind.AUTOPILOT:
            return _("The autopilot moved for you")
        case Kind.EXPIRED if about:
            return _("%(name)s closed the table") % name
        case Kind.EXPIRED:
            return _("Closed without a game")
        case Kind.BOUNCED:
            return _("Mails to %(name)s do not arrive") % name
        case _:
            return _("Test mail")


def say_state(owed: Owed, *, say: Say, at: datetime) -> Told:
    """What became of a notice by `at`; `say` tells moments."""
    match owed.state:
        case State.SENT if owed.reason == Reason.BOUNCED:
            why = escape(say_failure(owed.error))
            return Told("wrong", escape(_("Came back. %(why)s")) % {"why": why} + f" {_sent(owed, say)}")
        case State.SENT:
            return Told("done", _sent(owed, say))
        case State.SUPERSEDED:
            reason = Reason(owed.reason).label if owed.reason else ""
            return Told("", escape(_("Not sent: %(reason)s") % {"reason": reason} if reason else _("Not sent")))
        case State.QUARANTINED if owed.reason == Reason.BOUNCED:
            why = say_failure(owed.error)
            return Told("wrong", escape(_("Bounced: your address did not take it. %(why)s") % {"why": why}))
        case State.QUARANTINED if owed.due_at > at:
            text = escape(
                _("Set aside: whoever would send it was ended, again and again. It is tried again %(moment)s")
            )
            return Told("wrong", text % {"moment": say(owed.due_at)})
        case State.QUARANTINED:
            why = say_failure(owed.error)
            return Told("wrong", escape(_("Set aside, and not tried again. %(why)s") % {"why": why}))
        case State.CLAIMED:
            return Told("wait", escape(_("On its way to the mail server")))
        case _:
            return _waiting(owed, say=say, at=at)


def _sent(owed: Owed, say: Say) -> str:
    places = {"moment": say(owed.sent_at or owed.due_at), "mail": _carrier(owed)}
    if owed.carrier:
        return escape(_("Sent %(moment)s, in one mail with %(mail)s")) % places
    return escape(_("Sent %(moment)s")) % places


def _carrier(owed: Owed) -> str:
    what = {"what": say_kind(owed.carrier or ""), "table": owed.carrier_table}
    return escape(_("“%(what)s: %(table)s”") % what)


def _waiting(owed: Owed, *, say: Say, at: datetime) -> Told:
    places = {"moment": say(owed.due_at), "why": escape(say_failure(owed.error)), "mail": _carrier(owed)}
    match owed.reason:
        case Reason.RETRY if owed.carrier:
            text = _("In one mail with %(mail)s. %(why)s It is tried again %(moment)s")
        case Reason.RETRY:
            text = _("%(why)s It is tried again %(moment)s")
        case Reason.PRESENCE:
            text = _("Waits in case you are at the table; goes %(moment)s")
        case Reason.QUIET:
            text = _("Held for your quiet hours until %(moment)s")
        case Reason.DIGEST:
            text = _("Waits for your digest; goes %(moment)s")
        case _:
            text = _("Goes out now") if owed.due_at <= at else _("Goes %(moment)s")
    if owed.due_at < at - BEHIND:
        text = _("Late: it should have gone %(moment)s, and goes as soon as the site’s sender is back")
    return Told("wait", escape(text) % places)


def say_failure(error: str) -> str:
    """Why a mail was not taken, by what its notice keeps."""
    if answer := _ANSWER.match(error):
        return _answered(answer[1], _shortened(answer[2]))
    program = _PROGRAM.match(error)
    if not program:
        # A provider's own words, or ours.
        return _("It was not taken: “%(answer)s”.") % {"answer": _shortened(error)} if error else ""
    if program[1] == "NoAnswer":
        return _("It went out, but the mail server did not say whether it has it; if you get it twice, this is why.")
    if program[1] == "SMTPAuthenticationError":
        return _no_entry()
    if _AWAY.fullmatch(program[1]):
        return _("The mail server could not be reached.")
    return _("The site stumbled over it; its operator finds the reason in the log.")


def _answered(code: str, answer: str) -> str:
    if code in _OURS_TO_MEND:
        return _no_entry()
    said = {"code": code, "answer": answer}
    if code.startswith("5"):
        return _("The mail server refused it: “%(answer)s” (%(code)s).") % said
    return _("The mail server asked for patience: “%(answer)s” (%(code)s).") % said


def _no_entry() -> str:
    return _("The mail server does not let this site in, which its operator has to mend.")


def _shortened(text: str) -> str:
    told = text.strip().rstrip(".")
    return told if len(told) <= _QUOTED else told[: _QUOTED - 1] + "…"


def say_outlook(player: Player, *, at: datetime) -> SafeString:
    """When the next mail may come, as the wishes of `player` stand; one sentence."""
    text, moment = _outlook(player, at=at)
    say = partial(say_moment, now=at, zone=zone_named(player.time_zone), language=get_language() or "")
    return mark_safe(escape(text) % {"moment": say(moment)})  # noqa: S308


def _outlook(player: Player, *, at: datetime) -> tuple[str, datetime]:
    calendar = player.calendar()
    opens = calendar.next_open(at)
    if player.mail_bounced_at is not None:
        return _("No mail goes out to you, because our mails have not arrived."), opens
    match player.mail_mode:
        case MailMode.NOTHING:
            text = _("No mail goes out to you, not even when your time runs out.")
        case MailMode.DIGEST:
            opens = calendar.next_hour(at, player.hours)
            text = _("The next digest goes %(moment)s, if there is anything to tell. Reminders do not wait for it.")
        case MailMode.REMINDERS if opens <= at:
            text = _("A reminder could go at any time; nothing else does.")
        case MailMode.REMINDERS:
            text = _("The next reminder could go %(moment)s; nothing else does.")
        case _ if opens <= at:
            text = _("The next mail could go at any time.")
        case _:
            text = _("Your quiet time: nothing goes before %(moment)s")
    return text, opens
