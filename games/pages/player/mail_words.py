"""What became of the mails owed to a player, and when the next may come, in plain words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _

from games import mail
from games.clocks import zone_named
from games.models import Mail, MailMode, Notice, Player
from games.words.times import Moment, Sentence, moment_by_day

State, Reason, Error = Notice.State, Notice.Reason, Mail.Error

BEHIND: Final = timedelta(minutes=5)
"""If a mail is later than this, the page says so."""
_QUOTED: Final = 160
NEVER: Final = datetime.max.replace(tzinfo=UTC)


class Owed(NamedTuple):
    """A notice as the log shows it; the fields are the columns of its query."""

    kind: str
    ply: int
    reason: str
    created_at: datetime
    due_at: datetime
    sent_at: datetime | None
    state: str
    """That of the notice, or that its mail is on its way."""
    error: str
    """Why its mail was not taken, as a code, and what the mail server said."""
    detail: str
    slug: str
    table: str
    about: str
    """The name of the fellow player whom it is about."""
    results: Sequence[Mapping[str, Any]] | None
    """Of a receipt what came of the mail that it answers."""
    mail_kind: str
    """If its mail began with another notice: the kind of that notice and the name of its table."""
    mail_table: str


NO_NOTICE: Final = Owed("", 0, "", NEVER, NEVER, None, "", "", "", "", "", "", None, "", "")
"""What the log shows of a mail that no notice owes, but for what it replaces."""


class OwedNotification(NamedTuple):
    """A call of a browser as the log tells of it, by the names that its query gives to the columns."""

    kind: str
    ply: int | None
    state: str
    error: str
    created_at: datetime
    due_at: datetime
    browser: str
    slug: str
    table: str
    """The name of the table, or of the season."""
    fellow: str
    season: str
    """If it is about a season, its slug."""
    is_end: bool
    """Whether it tells that this season is over or closed, and when that began."""
    season_began: datetime | None
    is_release: bool | None
    """Of an invitation whether it is none, but tells that its reader was released from the table."""


class StateText(NamedTuple):
    """What became of a mail: a drawn sign, and a sentence or two."""

    mark: str
    sentence: Sentence
    more: Sentence | None = None


Say = Callable[[datetime], Moment]


def say_state(owed: Owed, *, say: Say, at: datetime) -> StateText:
    """What became of a notice by `at`; `say` words moments."""
    match owed.state:
        case State.SENT if owed.reason == Reason.BOUNCED:
            why = Sentence(_("Came back. %(why)s"), {"why": say_failure(owed.error, owed.detail)})
            return StateText("wrong", why, _sent(owed, say))
        case State.SENT:
            return StateText("done", _sent(owed, say))
        case State.SUPERSEDED:
            reason = str(Reason(owed.reason).label) if owed.reason else ""
            return StateText("", Sentence(_("Not sent: %(reason)s") if reason else _("Not sent"), {"reason": reason}))
        case State.QUARANTINED if owed.reason == Reason.BOUNCED:
            text = _("Bounced: your address did not take it. %(why)s")
            return StateText("wrong", Sentence(text, {"why": say_failure(owed.error, owed.detail)}))
        case State.QUARANTINED if owed.due_at > at:
            text = _("Set aside: the process that sends mails ended each time. It is tried again %(moment)s")
            return StateText("wrong", Sentence(text, {"moment": say(owed.due_at)}))
        case State.QUARANTINED:
            text = _("Set aside, and not tried again. %(why)s")
            return StateText("wrong", Sentence(text, {"why": say_failure(owed.error, owed.detail)}))
        case Mail.State.CLAIMED:
            return StateText("wait", Sentence(_("On its way to the mail server")))
        case _:
            return StateText("wait", _waiting(owed, say=say, at=at))


def _sent(owed: Owed, say: Say) -> Sentence:
    text = _("Sent %(moment)s, in one mail with %(mail)s") if owed.mail_kind else _("Sent %(moment)s")
    return Sentence(text, {"moment": say(owed.sent_at or owed.due_at), "mail": _first_of_mail(owed)})


def _first_of_mail(owed: Owed) -> str:
    if not owed.mail_kind:
        return ""
    return _("“%(what)s: %(table)s”") % {
        "what": mail.kind_of(owed.mail_kind).log(mail.Logged()),
        "table": owed.mail_table,
    }


def _waiting(owed: Owed, *, say: Say, at: datetime) -> Sentence:
    why = say_failure(owed.error, owed.detail)
    match owed.reason:
        case Reason.RETRY if owed.mail_kind:
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
    return Sentence(text, {"moment": say(owed.due_at), "why": why, "mail": _first_of_mail(owed)})


def say_failure(error: str, detail: str) -> str:
    """Why a mail was not taken: `error` is one of Mail.Error, `detail` what the mail server said."""
    answer = {"answer": _shortened(detail)}
    match error:
        case Error.REFUSED | Error.RETURNED:
            return _("The mail server refused it: “%(answer)s”.") % answer
        case Error.BUSY:
            return _("The mail server asked for patience: “%(answer)s”.") % answer
        case Error.NO_ENTRY:
            return _("The mail server does not let this site in, which its operator has to mend.")
        case Error.NO_ANSWER:
            return _(
                "It went out, but the mail server did not say whether it has it; if you get it twice, this is why."
            )
        case Error.AWAY:
            return _("The mail server could not be reached.")
        case Error.PROVIDER:
            return _("It was not taken: “%(answer)s”.") % answer
        case Error.FAULT:
            return _("It failed by a fault of this site; its operator finds the reason in the log.")
        case Error.CRASHED:
            return _("The process that sends mails ended each time.")
    return ""


def _shortened(text: str) -> str:
    quoted = text.strip().rstrip(".")
    return quoted if len(quoted) <= _QUOTED else quoted[: _QUOTED - 1] + "…"


def say_outlook(player: Player, *, at: datetime) -> Sentence:
    """When the next mail may come, as the wishes of `player` stand; one sentence."""
    text, moment = _outlook(player, at=at)
    return Sentence(text, {"moment": moment_by_day(moment, now=at, zone=zone_named(player.time_zone))})


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
