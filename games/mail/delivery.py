"""One mail on its way, from what is owed to the mail server: claim, decide, render, send, settle.

How an attempt ends is one rule for mails of notices and for those to people without a seat (`without_seat.py`).

A mail's row exists, leased, before it is rendered, so that a death of its sender is counted; its content is stored
before it is sent, so that it can be sent again as it stands.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import make_msgid
from functools import partial
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from games import outbox
from games.caching import prepared, prepared_update
from games.mail.compose import render
from games.mail.illustrate import NotDrawn
from games.mail.kinds import kinds_that
from games.mail.message import as_message
from games.mail.plan import Verdict, decide
from games.mail.transport.bounces import bounced
from games.mail.transport.connection import DETAIL_LENGTH, Connection, Outcome, explain, outcome_of, refuses_address
from games.models import NO_CONTENT, Mail, Notice, OutgoingMail, Player

logger = logging.getLogger(__name__)

LEASE: Final = timedelta(seconds=settings.MAIL_LEASE_SECONDS)
"""Longer than a mail can take: about ten answers of the server, each within EMAIL_TIMEOUT."""
MAX_ATTEMPTS: Final = 48
"""About a day and a half of a mail server that takes nothing."""

ALONE: Final = kinds_that(lambda kind: kind.sending.is_requested)

State, Reason = Mail.State, Notice.Reason


def deliver(pk: int, *, at: datetime, connection: Connection | None = None) -> str | None:
    """Send the notice if it is due, with all that is due to the same reader; the state that the mail then has.

    None if it was not for this caller to send. Raises only what the database raises; the lease then runs out, and a
    sweep sends the mail again. Without a `connection` the mail gets one of its own. Costs about 11 queries.
    """
    notice = next(iter(_due_notice(pk)), None)
    mail = claim_for(notice, at=at) if notice else None
    return _attempt(mail, at=at, connection=connection) if mail else None


def deliver_again(pk: int, *, at: datetime, connection: Connection | None = None, may_draw: bool = False) -> str | None:
    """The same for the mail of that key, which was tried before. It `may_draw` pictures while it holds the lease."""
    mail = claim(pk, at=at)
    return _attempt(mail, at=at, connection=connection, may_draw=may_draw) if mail else None


def _attempt(mail: Mail, *, at: datetime, connection: Connection | None, may_draw: bool = False) -> str | None:
    """What may be out goes again as it stands, as long as any of it would go. What surely is not, is rendered, of the
    notices that go now."""
    notices = notices_in(mail.pk)
    if mail.has_crashed and len(notices) > 1:
        return split(mail, notices, at=at)
    if mail.has_crashed:
        return settle(mail, quarantined(mail, Mail.Error.CRASHED, at=at))
    verdicts = [decide(notice, at=at) for notice in notices]
    if not mail.is_rendered:
        notices = sort_out(mail, notices, verdicts)
        if not notices:
            return drop_empty(mail)
    elif not any(verdict.goes for verdict in verdicts):
        return settle(mail, not_wanted(verdicts))
    return _render_and_send(mail, notices, at=at, connection=connection, may_draw=may_draw)


def _render_and_send(
    mail: Mail, notices: Sequence[Notice], *, at: datetime, connection: Connection | None, may_draw: bool
) -> str | None:
    """Pictures are drawn without a lease: a process that is killed while it draws has not crashed over this mail."""
    render_it = partial(render, mail, notices, at=mail.dated_at or at, may_draw=may_draw)
    try:
        ending = try_to_send(mail, render_it, at=at, connection=connection)
    except NotDrawn as undrawn:
        settle(mail, UNDRAWN)
        undrawn.draw()
        return deliver_again(mail.pk, at=at, connection=connection, may_draw=True)
    return settle(mail, ending) if ending else None


def try_to_send(
    row: OutgoingMail, render_it: Callable[[], None], *, at: datetime, connection: Connection | None
) -> Ending | None:
    """Let `render_it` render what has no content, store that, and send the row. How that ends; None when the claim has
    been lost. Raises NotDrawn."""
    was_out = row.may_be_out
    try:
        if not row.is_rendered:
            render_it()
            if not outbox.change(row, **row.content()):
                return None
        (connection or Connection(most=1)).send(as_message(row))
    except NotDrawn:
        raise
    except Exception as error:
        return failed(row, error, at=at, may_have_been_out=was_out)
    return sent(at=at)


# --- Claim ----------------------------------------------------------------------------------------


@prepared
def _due_notice(pk: int) -> QuerySet[Notice]:
    return Notice.objects.loaded().filter(pk=pk, state=Notice.State.DUE)


def claim_for(notice: Notice, *, at: datetime) -> Mail | None:
    """The mail of the notice, leased to the caller: the one that it is in, or a new one of it and all that is due to
    its reader and in no mail yet. Some kinds go alone, such as a test. None if it is not due, or another sender has
    it."""
    if notice.mail_id:
        return claim(notice.mail_id, at=at)
    if notice.due_at > at:
        return None
    mail = _new_mail(notice.reader, at=at, **outbox.new_claim(at=at, lease=LEASE))
    with transaction.atomic():
        mail.save(force_insert=True)
        if notice.kind in ALONE:
            told = Notice.objects.waiting(at).filter(pk=notice.pk).update(mail=mail)
        else:
            told = _update_all_due(mail.player_id, at, mail=mail.pk)
        if told:
            return mail
        transaction.set_rollback(True)
    return None


def claim(pk: int, *, at: datetime) -> Mail | None:
    """The mail of that key, leased to the caller; None if it is not due or another sender has it. What has become due
    to its reader since it was made goes along, unless it may be out, a sender has died of it, or it goes alone."""
    rows = Mail.objects.select_related("player").defer("player__password")
    # At once: what goes along must be there before another sender can take over and read what the mail tells.
    with transaction.atomic():
        mail = outbox.claim(rows, pk, at=at, lease=LEASE)
        if mail and not (mail.is_rendered or mail.crashes or mail.notices.filter(kind__in=ALONE).exists()):
            _update_all_due(mail.player_id, at, mail=mail.pk)
    return mail


@prepared_update
def _update_all_due(player: int, at: datetime) -> QuerySet[Notice]:
    """Of what is in no mail yet all that is due to the player and need not go alone."""
    return Notice.objects.waiting(at).filter(player=player).exclude(kind__in=ALONE)


def _new_mail(player: Player, *, at: datetime, **fields: Any) -> Mail:
    message_id = make_msgid(domain=settings.MAIL_DOMAIN)
    return Mail(player=player, created_at=at, due_at=at, message_id=message_id, **fields)


@prepared
def notices_in(mail: int) -> QuerySet[Notice]:
    """The notices that the mail of that key tells, as they are now, longest due first."""
    return Notice.objects.loaded().filter(mail=mail, state=Notice.State.DUE).order_by("due_at", "pk")


# --- Decide ---------------------------------------------------------------------------------------


def sort_out(mail: Mail, notices: Sequence[Notice], verdicts: Sequence[Verdict]) -> list[Notice]:
    """Of the notices in `mail` those that go; each of the others leaves it, to wait or to be dropped."""
    going = []
    for notice, verdict in zip(notices, verdicts, strict=True):
        if verdict.goes:
            going.append(notice)
            continue
        state = Notice.State.SUPERSEDED if verdict.is_dropped else Notice.State.DUE
        held = mail.notices.filter(pk=notice.pk, state=Notice.State.DUE, mail__claim=mail.claim)
        held.update(mail=None, state=state, reason=verdict.reason, due_at=verdict.until or notice.due_at)
    return going


# --- Settle ---------------------------------------------------------------------------------------


def settle(mail: Mail, ending: Ending) -> str | None:
    """Let go of the mail and of what it tells; the state that both have now. None, and nothing changed, when the claim
    has been lost."""
    with transaction.atomic():
        if not outbox.release(mail, ending.state, **ending.row, **ending.mail):
            return None
        _update_told(mail.pk, state=ending.state, **ending.notices)
    return ending.state


@prepared_update
def _update_told(mail: int) -> QuerySet[Notice]:
    """What the mail tells and nothing has become of yet."""
    return Notice.objects.filter(mail=mail, state=Notice.State.DUE)


def drop_empty(mail: Mail) -> str | None:
    """Remove a mail of which nothing is left to tell; one that may be out stays, in case that it comes back."""
    if mail.may_be_out:
        return settle(mail, Ending(State.SUPERSEDED))
    gone, _rows = Mail.objects.filter(pk=mail.pk, claim=mail.claim, state=State.CLAIMED).delete()
    return State.SUPERSEDED if gone else None


def split(mail: Mail, notices: Sequence[Notice], *, at: datetime) -> str | None:
    """Let each of the notices have a mail of its own, instead of one whose senders died: that way the others go. One
    more death sets such a mail aside. None when the claim has been lost."""
    logger.error("mail %d is split: its sender died at every attempt", mail.pk)
    died: dict[str, Any] = {"error": Mail.Error.CRASHED}
    with transaction.atomic():
        if not outbox.release(mail, State.SUPERSEDED, **died):
            return None
        for notice in notices:
            alone = _new_mail(mail.player, at=at, crashes=outbox.MAX_CRASHES - 1, **died)
            alone.save(force_insert=True)
            mail.notices.filter(pk=notice.pk, state=Notice.State.DUE).update(mail=alone, due_at=at)
    return State.SUPERSEDED


# --- How it ends ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ending:
    """The state that a mail has after an attempt, and so have the notices in it, and what else changes, by column."""

    state: outbox.Leased.State
    row: Mapping[str, Any] = field(default_factory=dict)
    """In any row of a mail, also in one to somebody without a seat."""
    mail: Mapping[str, Any] = field(default_factory=dict)
    """Besides in a mail of notices."""
    notices: Mapping[str, Any] = field(default_factory=dict)
    """In these notices."""


UNDRAWN: Final = Ending(State.DUE)
"""Its pictures are drawn first; it stays due as it was."""


def sent(*, at: datetime) -> Ending:
    """The server has taken it on."""
    return Ending(
        State.SENT,
        row={"sent_at": at, "error": "", **NO_CONTENT},
        mail={"detail": "", "address": ""},
        notices={"sent_at": at, "reason": ""},
    )


def not_wanted(verdicts: Sequence[Verdict]) -> Ending:
    """None of what it tells goes now: it waits as it stands if any of it waits, else it is dropped."""
    verdict = min(verdicts, key=lambda one: one.is_dropped, default=Verdict(Reason.PAST))
    if verdict.is_dropped:
        return Ending(State.SUPERSEDED, row=NO_CONTENT, mail={"address": ""}, notices={"reason": verdict.reason})
    wait = {"due_at": verdict.until}
    return Ending(State.DUE, row=wait, notices={"reason": verdict.reason, **wait})


def failed(row: OutgoingMail, error: Exception, *, at: datetime, may_have_been_out: bool = False) -> Ending:
    """It was not taken: it is sent again later, or quarantined where it will never be taken. What may be out, now or
    from an attempt before, keeps its content. Notes it where the address takes no mail at all."""
    outcome, (code, detail) = outcome_of(error), explain(error)
    if refuses_address(error):
        bounced(row.mailed_to, why=detail, at=at)
        return quarantined(row, code, detail, at=at, reason=Reason.BOUNCED)
    if outcome is Outcome.REFUSED or row.attempts + 1 >= MAX_ATTEMPTS:
        return quarantined(row, code, detail, at=at)
    _log_retry(row, error, detail)
    is_out = may_have_been_out or outcome is Outcome.UNKNOWN
    content, envelope = ({}, {}) if is_out else (NO_CONTENT, {"dated_at": None, "address": ""})
    again = {"due_at": at + outbox.backoff(row.attempts + 1)}
    return Ending(
        State.DUE,
        row={"attempts": row.attempts + 1, "error": code, **again, **content},
        mail={"detail": detail[:DETAIL_LENGTH], **envelope},
        notices={"reason": Reason.RETRY, **again},
    )


def quarantined(row: outbox.Leased, code: Mail.Error, detail: str = "", *, at: datetime, reason: str = "") -> Ending:
    """It is set aside; one whose senders died at every attempt until its next chance."""
    logger.error("%s is quarantined: %s", _name(row), detail or code.label)
    chance = {"due_at": outbox.next_chance(row, at=at, lease=LEASE)}
    return Ending(
        State.QUARANTINED,
        row={"attempts": row.attempts + 1, "error": code, **chance},
        mail={"detail": detail[:DETAIL_LENGTH]},
        notices={"reason": reason, **chance},
    )


def _log_retry(row: outbox.Leased, error: Exception, detail: str) -> None:
    """Where nobody foresaw the error also where it was raised, but never its own text, which may name a reader."""
    foreseen = isinstance(error, OSError)
    trace = "" if foreseen else "\n" + "".join(traceback.format_tb(error.__traceback__))
    level = logging.WARNING if foreseen else logging.ERROR
    logger.log(level, "%s is put off: %s%s", _name(row), detail, trace)


def _name(row: outbox.Leased) -> str:
    return f"{type(row).__name__.lower()} {row.pk}"
