"""How an attempt to send a mail ends: one rule for mails of notices and for those of invitations."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings

from games import outbox
from games.mail.plan import Verdict
from games.mail.transport.bounces import bounced
from games.mail.transport.connection import DETAIL_LENGTH, Outcome, explain, outcome_of, refuses_address
from games.models import Mail, Notice, empty_content

logger = logging.getLogger(__name__)

LEASE: Final = timedelta(seconds=settings.MAIL_LEASE_SECONDS)
"""Longer than a mail can take: about ten answers of the server, each within EMAIL_TIMEOUT."""
MAX_ATTEMPTS: Final = 48
"""About a day and a half of a mail server that takes nothing."""

State, Reason = outbox.Leased.State, Notice.Reason


@dataclass(frozen=True, slots=True)
class Ending:
    """The state that a mail has after an attempt, and so have the notices in it, and what else changes, by column."""

    state: outbox.Leased.State
    row: dict[str, Any] = field(default_factory=dict)
    """In any row of a mail, also in that of an invitation."""
    mail: dict[str, Any] = field(default_factory=dict)
    """Besides in a mail of notices."""
    notices: dict[str, Any] = field(default_factory=dict)
    """In these notices."""


UNDRAWN: Final = Ending(State.DUE)
"""Its pictures are drawn first; it stays due as it was."""


def sent(*, at: datetime) -> Ending:
    """The server has taken it on."""
    return Ending(
        State.SENT,
        row={"sent_at": at, "error": "", **empty_content()},
        mail={"detail": "", "address": ""},
        notices={"sent_at": at, "reason": ""},
    )


def not_wanted(verdicts: Sequence[Verdict]) -> Ending:
    """None of what it tells goes now: it waits as it stands if any of it waits, else it is dropped."""
    verdict = min(verdicts, key=lambda one: one.is_dropped, default=Verdict(Reason.PAST))
    if verdict.is_dropped:
        return Ending(State.SUPERSEDED, row=empty_content(), mail={"address": ""}, notices={"reason": verdict.reason})
    wait = {"due_at": verdict.until}
    return Ending(State.DUE, row=wait, notices={"reason": verdict.reason, **wait})


def crashed(row: outbox.Leased, *, at: datetime) -> Ending:
    """Its senders died at every attempt."""
    return _quarantined(row, Mail.Error.CRASHED, "", at=at)


def failed(
    row: outbox.Leased, error: Exception, *, address: str, at: datetime, may_have_been_out: bool = False
) -> Ending:
    """It was not taken: it is sent again later, or quarantined where it will never be taken. What may be out, now or
    from an attempt before, keeps its content. Notes it where `address` takes no mail at all."""
    outcome, (code, detail) = outcome_of(error), explain(error)
    if refuses_address(error):
        bounced(address, why=detail, at=at)
        return _quarantined(row, code, detail, at=at, reason=Reason.BOUNCED)
    if outcome is Outcome.REFUSED or row.attempts + 1 >= MAX_ATTEMPTS:
        return _quarantined(row, code, detail, at=at)
    _log_retry(row, error, detail)
    is_out = may_have_been_out or outcome is Outcome.UNKNOWN
    content, envelope = ({}, {}) if is_out else (empty_content(), {"dated_at": None, "address": ""})
    again = {"due_at": at + outbox.backoff(row.attempts + 1)}
    return Ending(
        State.DUE,
        row={"attempts": row.attempts + 1, "error": code, **again, **content},
        mail={"detail": detail[:DETAIL_LENGTH], **envelope},
        notices={"reason": Reason.RETRY, **again},
    )


def _quarantined(row: outbox.Leased, code: Mail.Error, detail: str, *, at: datetime, reason: str = "") -> Ending:
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
