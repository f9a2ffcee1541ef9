"""One notice on its way: claimed, checked, composed, handed to the mail server, stamped; and all that are due."""

from __future__ import annotations

import logging
import random
import time
from datetime import datetime, timedelta
from typing import Final

from games.mail import outbox
from games.mail.compose import compose
from games.mail.postman import Postman, explain, is_refused_for_ever
from games.mail.truth import still_true
from games.models import Notice

logger = logging.getLogger(__name__)

FIRST_WAIT: Final = timedelta(seconds=30)
LONGEST_WAIT: Final = timedelta(hours=1)
MAX_ATTEMPTS: Final = 48
"""About a day and a half of a mail server that takes nothing."""
SWEEP_NOTICES: Final = 1000
SWEEP_SECONDS: Final = 60
"""A sweep ends well before the first lease that it took could run out."""


def deliver(pk: int, *, at: datetime, postman: Postman | None = None) -> Notice.State | None:
    """Send the notice if it is due, and say what became of it; None if it was not for this caller to send.

    Raises only what the database raises; the claim then runs out, and a sweep sends the same mail again, under the
    same Message-ID. Without a `postman` the mail gets a connection of its own. Costs about 7 queries.
    """
    notice = outbox.claim(pk, at=at)
    if notice is None:
        return None
    if notice.attempts > MAX_ATTEMPTS:
        return _set_aside(notice, notice.error or "its sender died at every attempt")
    if not still_true(notice):
        return Notice.State.SUPERSEDED if outbox.supersede(notice) else None
    try:
        _send(notice, postman)
    except Exception as error:
        return _fail(notice, error, at=at)
    return Notice.State.SENT if outbox.stamp_sent(notice, at=at) else None


def sweep(*, at: datetime) -> int:
    """Send what is due, longest due first, over one connection; the number of notices dealt with.

    Stops after SWEEP_NOTICES or SWEEP_SECONDS, and before touching anything when the mail server is away. A notice
    that fails is put off or set aside, and the next has its turn.
    """
    due = list(Notice.objects.sendable(at).values_list("pk", flat=True)[:SWEEP_NOTICES])
    if not due:
        return 0
    with Postman() as postman:
        try:
            postman.call()
        except OSError as error:
            logger.warning("mail server unreachable, %d mails wait: %s", len(due), error)
            return 0
        return _deliver_all(due, postman, at=at)


def _deliver_all(due: list[int], postman: Postman, *, at: datetime) -> int:
    handled = 0
    stop = time.monotonic() + SWEEP_SECONDS
    for pk in due:
        if time.monotonic() > stop:
            break
        try:
            handled += deliver(pk, at=at, postman=postman) is not None
        except Exception:
            logger.exception("notice %d is left to its lease", pk)
    return handled


def _send(notice: Notice, postman: Postman | None) -> None:
    mail = compose(notice)
    if postman is not None:
        postman.carry(mail)
        return
    with Postman() as own:
        own.carry(mail)


def _fail(notice: Notice, error: Exception, *, at: datetime) -> Notice.State | None:
    """Put the mail off, or set it aside when it will never be taken."""
    if is_refused_for_ever(error) or notice.attempts >= MAX_ATTEMPTS:
        return _set_aside(notice, explain(error))
    level, trace = (logging.WARNING, None) if isinstance(error, OSError) else (logging.ERROR, error)
    logger.log(level, "notice %d is put off: %s", notice.pk, explain(error), exc_info=trace)
    until = at + backoff(notice.attempts)
    return Notice.State.DUE if outbox.put_off(notice, until=until, error=explain(error)) else None


def _set_aside(notice: Notice, error: str) -> Notice.State | None:
    logger.error("notice %d is quarantined: %s", notice.pk, error)
    return Notice.State.QUARANTINED if outbox.quarantine(notice, error=error) else None


def backoff(attempts: int) -> timedelta:
    """How long to wait after so many attempts: twice as long each time, up to an hour, and spread over half of it."""
    longest = min(FIRST_WAIT * (1 << min(attempts - 1, 16)), LONGEST_WAIT)
    return longest * random.uniform(0.5, 1)
