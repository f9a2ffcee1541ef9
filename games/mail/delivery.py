"""One mail on its way, from what is owed to the mail server: claim, decide, render, send, settle.

A mail's row exists, leased, before it is rendered, so that a death of its sender is counted; its content is stored
before it is sent, so that it can be sent again as it stands.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from email.utils import make_msgid
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from games import outbox
from games.caching import prepared
from games.mail import endings
from games.mail.compose import NotDrawn, render
from games.mail.endings import LEASE, Ending
from games.mail.kinds import kinds_that
from games.mail.message import as_message
from games.mail.plan import Verdict, decide
from games.mail.transport.connection import Connection
from games.models import Mail, Notice, Player

logger = logging.getLogger(__name__)

ALONE: Final = kinds_that(lambda kind: kind.sending.goes_alone)

State = Mail.State


def deliver(pk: int, *, at: datetime, connection: Connection | None = None) -> str | None:
    """Send the notice if it is due, with all that is due to the same reader; the state that the mail then has.

    None if it was not for this caller to send. Raises only what the database raises; the lease then runs out, and a
    sweep sends the mail again. Without a `connection` the mail gets one of its own. Costs about 11 queries.
    """
    mail = claim_for(pk, at=at)
    return _attempt(mail, at=at, connection=connection) if mail else None


def deliver_again(pk: int, *, at: datetime, connection: Connection | None = None, may_draw: bool = False) -> str | None:
    """The same for the mail of that key, which was tried before. It `may_draw` pictures while it holds the lease."""
    mail = claim(pk, at=at)
    return _attempt(mail, at=at, connection=connection, may_draw=may_draw) if mail else None


def _attempt(mail: Mail, *, at: datetime, connection: Connection | None, may_draw: bool = False) -> str | None:
    """What may be out goes again as it stands, as long as any of it would go. What surely is not, is rendered, of the
    notices that go now.

    Pictures are drawn without a lease: a process that is killed while it draws has not crashed over this mail.
    """
    notices, was_out = notices_in(mail.pk), mail.may_be_out
    if mail.has_crashed:
        return split(mail, notices, at=at) if len(notices) > 1 else settle(mail, endings.crashed(mail, at=at))
    verdicts = [decide(notice, at=at) for notice in notices]
    if not mail.is_rendered:
        notices = sort_out(mail, notices, verdicts)
        if not notices:
            return drop_empty(mail)
    elif not any(verdict.goes for verdict in verdicts):
        return settle(mail, endings.not_wanted(verdicts))
    try:
        if not mail.is_rendered:
            render(mail, notices, at=mail.dated_at or at, may_draw=may_draw)
            if not outbox.update(mail, **mail.content()):
                return None
        (connection or Connection(most=1)).send(as_message(mail))
    except NotDrawn as undrawn:
        settle(mail, endings.UNDRAWN)
        _draw_ahead(undrawn)
        return deliver_again(mail.pk, at=at, connection=connection, may_draw=True)
    except Exception as error:
        return settle(mail, endings.failed(mail, error, address=mail.player.email, at=at, may_have_been_out=was_out))
    return settle(mail, endings.sent(at=at))


def _draw_ahead(undrawn: NotDrawn) -> None:
    try:
        undrawn.draw()
    except Exception:
        logger.exception("a picture cannot be drawn")


# --- Claim ----------------------------------------------------------------------------------------


def claim_for(pk: int, *, at: datetime) -> Mail | None:
    """The mail of the notice of that key, leased to the caller: a new one, or the one that the notice is in. None if it
    is not due, or another sender has it."""
    notice = next(iter(_due_notice(pk)), None)
    if notice is None:
        return None
    if notice.mail_id:
        return claim(notice.mail_id, at=at)
    return make(notice, at=at) if notice.due_at <= at else None


@prepared
def _due_notice(pk: int) -> QuerySet[Notice]:
    return Notice.objects.loaded().filter(pk=pk, state=Notice.State.DUE)


def make(notice: Notice, *, at: datetime) -> Mail | None:
    """A mail of the notice and all that is due to its reader and in no mail yet. Some kinds go alone, such as a test.
    None if another sender has taken them."""
    mail = _new_mail(notice.reader, at=at, **outbox.new_claim(at=at, lease=LEASE))
    due = Notice.objects.waiting(at).filter(pk=notice.pk) if notice.kind in ALONE else _due_to(mail.player, at=at)
    with transaction.atomic():
        mail.save(force_insert=True)
        if due.update(mail=mail):
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
            _due_to(mail.player, at=at).update(mail=mail)
    return mail


def _due_to(player: Player, *, at: datetime) -> QuerySet[Notice]:
    return Notice.objects.waiting(at).filter(player=player).exclude(kind__in=ALONE)


def _new_mail(player: Player, *, at: datetime, **fields: Any) -> Mail:
    message_id = make_msgid(domain=settings.MAIL_DOMAIN)
    return Mail(player=player, created_at=at, due_at=at, message_id=message_id, **fields)


@prepared
def notices_in(mail: int) -> QuerySet[Notice]:
    """The notices that the mail of that key tells, as they are now, longest due first."""
    return Notice.objects.loaded().filter(mail=mail, state=Notice.State.DUE).order_by("due_at", "pk")


def _due_in(mail: Mail) -> QuerySet[Notice]:
    return Notice.objects.filter(mail=mail, state=Notice.State.DUE)


# --- Decide ---------------------------------------------------------------------------------------


def sort_out(mail: Mail, notices: Sequence[Notice], verdicts: Sequence[Verdict]) -> list[Notice]:
    """Of the notices in `mail` those that go; each of the others leaves it, to wait or to be dropped."""
    going = []
    for notice, verdict in zip(notices, verdicts, strict=True):
        if verdict.goes:
            going.append(notice)
        else:
            _take_out(mail, notice, verdict)
    return going


def _take_out(mail: Mail, notice: Notice, verdict: Verdict) -> None:
    state = Notice.State.SUPERSEDED if verdict.is_dropped else Notice.State.DUE
    held = _due_in(mail).filter(pk=notice.pk, mail__claim=mail.claim)
    held.update(mail=None, state=state, reason=verdict.reason, due_at=verdict.until or notice.due_at)


# --- Settle ---------------------------------------------------------------------------------------


def settle(mail: Mail, ending: Ending) -> str | None:
    """Let go of the mail and of what it tells; the state that both have now. None, and nothing changed, when the claim
    has been lost."""
    with transaction.atomic():
        if not outbox.release(mail, ending.state, **ending.row, **ending.mail):
            return None
        _due_in(mail).update(state=ending.state, **ending.notices)
    return ending.state


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
            _due_in(mail).filter(pk=notice.pk).update(mail=alone, due_at=at)
    return State.SUPERSEDED
