"""All mails that are due, over one connection; and what is done now and then about those that do not go."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from games import outbox
from games.mail.delivery import deliver, deliver_again
from games.mail.transport.connection import Connection, explain, name_server
from games.mail.without_seat import deliver_invitation, deliver_season_mail
from games.models import NO_CONTENT, Invitation, Mail, Notice, SeasonMail
from games.outage import IN_VAIN, is_outage

logger = logging.getLogger(__name__)

SWEEP_CHUNK: Final = 200
SWEEP_SECONDS: Final = 60
"""A sweep ends well before the first lease that it took could run out."""
WITHOUT_SEAT_SECONDS: Final = 20
"""For mails to people without a seat, of each sort."""
RETENTION: Final = timedelta(days=14)
"""How long the content of a mail is stored that is not sent any more."""


Send = Callable[..., str | None]
"""Sends what has a key; what became of it, or None if it was not for this caller to send."""
Report = Callable[[int], object]


def sweep(*, at: datetime, report: Report = lambda handled: None) -> int:
    """Send the mails of notices that are due, longest due first; how many were dealt with, told to `report` too. Memory
    does not grow with what is due."""
    retry_quarantined(at=at)
    waiting = outbox.workable(Mail.objects.all(), at).count() + Notice.objects.waiting(at).count()
    return _send_all(_due(at), waiting=waiting, seconds=SWEEP_SECONDS, at=at, report=report)


def sweep_invitations(*, at: datetime) -> int:
    """Send the mails of invitations that are due, longest due first; how many were dealt with."""
    return _sweep_without_seat(Invitation.objects.all(), deliver_invitation, at=at)


def sweep_season_mails(*, at: datetime) -> int:
    """Send the mails about seasons that are due, longest due first; how many were dealt with."""
    return _sweep_without_seat(SeasonMail.objects.all(), deliver_season_mail, at=at)


def _sweep_without_seat(rows: QuerySet[outbox.Row], send: Send, *, at: datetime) -> int:
    outbox.retry_quarantined(rows, at=at)
    due = list(outbox.workable(rows, at).values_list("pk", flat=True)[:SWEEP_CHUNK])
    return _send_all(((send, pk) for pk in due), waiting=len(due), seconds=WITHOUT_SEAT_SECONDS, at=at)


def _send_all(
    due: Iterable[tuple[Send, int]],
    *,
    waiting: int,
    seconds: float,
    at: datetime,
    report: Report = lambda handled: None,
) -> int:
    """Stops after so many `seconds`, when the database fails IN_VAIN times in a row, and before touching anything when
    the mail server is away. A mail that fails is put off or set aside, and the next has its turn."""
    handled, in_vain, stop = 0, 0, time.monotonic() + seconds
    if not waiting:
        return 0
    with Connection() as connection:
        try:
            connection.open()
        except OSError as error:
            waits = "1 mail waits" if waiting == 1 else f"{waiting} mails wait"
            logger.warning("mail server %s unreachable, %s: %s", name_server(), waits, explain(error)[1])
            return 0
        for send, pk in due:
            if time.monotonic() > stop or in_vain == IN_VAIN:
                break
            try:
                handled += send(pk, at=at, connection=connection) is not None
                in_vain = 0
            except Exception as error:
                in_vain += is_outage(error)
                logger.exception("mail, notice or invitation %d is left to its lease", pk)
            report(handled)
    return handled


def _due(at: datetime) -> Iterator[tuple[Send, int]]:
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


# --- What does not go ------------------------------------------------------------------------------


def retry_quarantined(*, at: datetime) -> int:
    """Give another chance to mails whose senders died, if their time has come; how many."""
    with transaction.atomic():
        keys = outbox.retry_quarantined(Mail.objects.all(), at=at)
        if keys:
            aside = Notice.objects.filter(mail__in=keys, state=Notice.State.QUARANTINED)
            aside.update(state=Notice.State.DUE, reason="")
    return len(keys)


def forget_content(*, at: datetime) -> int:
    """Empty the mails of long ago that nobody sends any more, and remove those about seasons; how many."""
    told = SeasonMail.objects.filter(created_at__lt=at - RETENTION)
    removed, _rows = told.exclude(state__in=(Mail.State.DUE, Mail.State.CLAIMED)).delete()
    over = Mail.objects.filter(state__in=(Mail.State.SUPERSEDED, Mail.State.QUARANTINED), created_at__lt=at - RETENTION)
    return removed + over.exclude(address="").update(address="", **NO_CONTENT)
