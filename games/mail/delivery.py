"""One mail on its way: made of what is due to its reader, rendered, handed to the mail server, stamped; and all that
are due."""

from __future__ import annotations

import logging
import random
import time
import traceback
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Final

from games import outbox
from games.mail import batch
from games.mail.compose import NotDrawn, render
from games.mail.envelope import as_message
from games.mail.kinds import kind_of
from games.mail.plan import Verdict
from games.mail.transport.bounces import bounced
from games.mail.transport.connection import Connection, Outcome, explain, outcome_of, refuses_address
from games.models import Mail, Notice

logger = logging.getLogger(__name__)

MAX_ATTEMPTS: Final = 48
"""About a day and a half of a mail server that takes nothing."""
SWEEP_CHUNK: Final = 200
SWEEP_SECONDS: Final = 60
"""A sweep ends well before the first lease that it took could run out."""

State = Mail.State
Report = Callable[[int], None]


def deliver(pk: int, *, at: datetime, connection: Connection | None = None) -> str | None:
    """Send the notice if it is due, with all that is due to the same reader, and say what became of it: its state.

    None if it was not for this caller to send. Raises only what the database raises; the lease then runs out, and a
    sweep sends the mail again. Without a `connection` the mail gets one of its own. Costs about 10 queries.
    """
    due = batch.due_with(pk, at=at)
    if not due:
        mail_pk = Notice.objects.filter(pk=pk, state=State.DUE).values_list("mail", flat=True).first()
        return deliver_again(mail_pk, at=at, connection=connection) if mail_pk else None
    going = batch.sort_out(due, at=at)
    asked = next(notice for notice in due if notice.pk == pk)
    if asked not in going:
        return asked.state
    mail = batch.make(going, at=at)
    return _attempt(mail, going, at=at, connection=connection) if mail else None


def deliver_again(pk: int, *, at: datetime, connection: Connection | None = None, may_draw: bool = False) -> str | None:
    """Send the mail of that key, which was tried before, if it is due; its state, or None as `deliver` says it.

    What may be out goes again as it stands, as long as any of it would go. What surely is not, is rendered again.
    """
    mail = batch.claim(pk, at=at)
    if mail is None:
        return None
    notices = batch.notices_in(mail)
    if outbox.has_crashed(mail):
        return _set_aside_crashed(mail, notices, at=at)
    if mail.is_rendered:
        verdict = batch.whole_verdict(notices, at=at)
        if not verdict.goes:
            return _settle(mail, verdict)
    else:
        notices = batch.sort_out(notices, at=at, mail=mail)
        if not notices:
            batch.drop_empty(mail)
            return State.SUPERSEDED
        if not mail.crashes and not kind_of(notices[0].kind).sending.goes_alone:
            notices += batch.more_for(mail, at=at)
    return _attempt(mail, notices, at=at, connection=connection, may_draw=may_draw)


def _attempt(
    mail: Mail, notices: list[Notice], *, at: datetime, connection: Connection | None, may_draw: bool = False
) -> str | None:
    """Pictures are drawn without a lease: a process that is killed while it draws has not crashed over this mail."""
    was_out = mail.may_be_out
    try:
        if not mail.is_rendered:
            render(mail, notices, at=mail.dated_at or at, may_draw=may_draw)
            if not batch.keep_content(mail):
                return None
        _send(mail, connection)
    except NotDrawn as undrawn:
        batch.hand_back(mail)
        _draw_ahead(undrawn)
        return deliver_again(mail.pk, at=at, connection=connection, may_draw=True)
    except Exception as error:
        return _fail(mail, error, at=at, was_out=was_out)
    return State.SENT if batch.stamp_sent(mail, at=at) else None


def _send(mail: Mail, connection: Connection | None) -> None:
    message = as_message(mail)
    if connection is not None:
        connection.send(message)
        return
    with Connection() as own:
        own.send(message)


def _draw_ahead(undrawn: NotDrawn) -> None:
    try:
        undrawn.draw()
    except Exception:
        logger.exception("a picture cannot be drawn")


# --- What becomes of a mail that is not sent -------------------------------------------------------


def _settle(mail: Mail, verdict: Verdict) -> str | None:
    if verdict.is_dropped:
        return State.SUPERSEDED if batch.supersede(mail, verdict) else None
    return State.DUE if batch.put_off(mail, verdict) else None


def _fail(mail: Mail, error: Exception, *, at: datetime, was_out: bool) -> str | None:
    """Put the mail off, or set it aside when it will never be taken."""
    outcome, (code, detail) = outcome_of(error), explain(error)
    if refuses_address(error):
        bounced(mail.player.email, why=detail, at=at)
        return _set_aside(mail, code, detail, at=at, reason=Notice.Reason.BOUNCED)
    if outcome is Outcome.REFUSED or mail.attempts + 1 >= MAX_ATTEMPTS:
        return _set_aside(mail, code, detail, at=at)
    _log(mail, error, detail)
    until = at + outbox.backoff(mail.attempts + 1)
    is_out = was_out or outcome is Outcome.UNKNOWN
    return State.DUE if batch.retry(mail, until=until, error=code, detail=detail, is_out=is_out) else None


def _log(mail: Mail, error: Exception, detail: str) -> None:
    """That the mail is put off; where nobody foresaw the error also where it was raised, but never its own text, which
    may name a reader."""
    foreseen = isinstance(error, OSError)
    trace = "" if foreseen else "\n" + "".join(traceback.format_tb(error.__traceback__))
    level = logging.WARNING if foreseen else logging.ERROR
    logger.log(level, "mail %d is put off: %s%s", mail.pk, detail, trace)


def _set_aside_crashed(mail: Mail, notices: list[Notice], *, at: datetime) -> str | None:
    if len(notices) > 1:
        logger.error("mail %d is split: its sender died at every attempt", mail.pk)
        return State.SUPERSEDED if batch.split(mail, notices, at=at) else None
    return _set_aside(mail, Mail.Error.CRASHED, "", at=at)


def _set_aside(mail: Mail, code: str, detail: str, *, at: datetime, reason: str = "") -> str | None:
    logger.error("mail %d is quarantined: %s", mail.pk, detail or Mail.Error(code).label)
    is_aside = batch.quarantine(mail, at=at, error=code, detail=detail, reason=reason)
    return State.QUARANTINED if is_aside else None


# --- All that are due ------------------------------------------------------------------------------


def sweep(*, at: datetime, report: Report = lambda handled: None) -> int:
    """Send what is due, longest due first, over one connection; the number of mails dealt with, told to `report` too.

    Stops after SWEEP_SECONDS, and before touching anything when the mail server is away. A mail that fails is put off
    or set aside, and the next has its turn. Memory does not grow with what is due.
    """
    batch.retry_quarantined(at=at)
    waiting = outbox.workable(Mail.objects.all(), at).count() + Notice.objects.waiting(at).count()
    if not waiting:
        return 0
    with Connection() as connection:
        try:
            connection.open()
        except OSError as error:
            logger.warning("mail server unreachable, %d mails wait: %s", waiting, explain(error)[1])
            return 0
        return _deliver_all(connection, at=at, report=report)


def _deliver_all(connection: Connection, *, at: datetime, report: Report) -> int:
    handled = 0
    stop = time.monotonic() + SWEEP_SECONDS
    for send, pk in _due(at):
        if time.monotonic() > stop:
            break
        try:
            handled += send(pk, at=at, connection=connection) is not None
        except Exception:
            logger.exception("mail or notice %d is left to its lease", pk)
        report(handled)
    return handled


def _due(at: datetime) -> Iterator[tuple[Callable[..., str | None], int]]:
    """What is due at `at`, each once: mails to be sent again, then notices a chunk at a time, shuffled, so that several
    sweeps share the work."""
    again = list(outbox.workable(Mail.objects.all(), at).values_list("pk", flat=True))
    yield from ((deliver_again, pk) for pk in random.sample(again, len(again)))
    done: tuple[datetime, int] | None = None
    while True:
        chunk = list(Notice.objects.waiting(at, after=done).values_list("due_at", "pk")[:SWEEP_CHUNK])
        if not chunk:
            return
        done = chunk[-1]
        yield from ((deliver, pk) for _due_at, pk in random.sample(chunk, len(chunk)))
