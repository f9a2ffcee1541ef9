"""The mails owed, as rows: written with what causes them, so that neither exists without the other.

A sender claims a notice by a conditional update, so of many that try at once one gets it. The claim is a lease: when
its holder dies, it runs out and another sender takes over. Every later change of the row asks for the holder's own
token (`Notice.claim`), so that a sender who comes back from the dead changes nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from email.utils import make_msgid
from typing import Any

from django.conf import settings
from django.db.models import F

from games.knock import knock
from games.models import Notice, Seat

SEND_TASK = "games.tasks.send_notice"
LEASE = timedelta(minutes=5)
"""Longer than a mail can take: about ten answers of the server, each within EMAIL_TIMEOUT."""
ERROR_LENGTH = 300


def owe(seats: Sequence[Seat], *, kind: Notice.Kind, ply: int, at: datetime) -> None:
    """Owe a mail of `kind` to the player of each of `seats`, and knock once the transaction has committed.

    Call it inside the transaction that causes the mail.
    """
    notices = [
        Notice(
            seat=seat, kind=kind, ply=ply, created_at=at, due_at=at, message_id=make_msgid(domain=settings.MAIL_DOMAIN)
        )
        for seat in seats
    ]
    for notice in Notice.objects.bulk_create(notices):
        knock(SEND_TASK, notice.pk)


def forgo(*, before: datetime) -> int:
    """Supersede every mail that was due before then: where a whole history is made at once, nobody wants all of it.

    The number of mails forgone, in one query.
    """
    late = Notice.objects.filter(state=Notice.State.DUE, due_at__lt=before)
    return late.update(state=Notice.State.SUPERSEDED)


def claim(pk: int, *, at: datetime) -> Notice | None:
    """The notice, leased to the caller alone, with its seat, game and player; None if there is nothing to send.

    That is so when it is not due, another sender has it, or it has been sent. Counts an attempt. Costs 2 queries.
    """
    token = secrets.token_hex(16)
    Notice.objects.sendable(at).filter(pk=pk).update(
        state=Notice.State.CLAIMED, claim=token, lease_until=at + LEASE, attempts=F("attempts") + 1
    )
    mine = Notice.objects.select_related("seat__game", "seat__player").defer("seat__clan", "seat__entropy")
    return mine.filter(pk=pk, claim=token).first()


def stamp_sent(notice: Notice, *, at: datetime) -> bool:
    """Note that the mail went out; False, and nothing changed, when the claim has been lost."""
    return _release(notice, state=Notice.State.SENT, sent_at=at, error="")


def supersede(notice: Notice) -> bool:
    """Note that the mail would no longer be true; False when the claim has been lost."""
    return _release(notice, state=Notice.State.SUPERSEDED, error="")


def put_off(notice: Notice, *, until: datetime, error: str) -> bool:
    """Let the mail be due again at `until`; False when the claim has been lost."""
    return _release(notice, state=Notice.State.DUE, due_at=until, error=error[:ERROR_LENGTH])


def quarantine(notice: Notice, *, error: str) -> bool:
    """Set the mail aside for a person to look at; False when the claim has been lost."""
    return _release(notice, state=Notice.State.QUARANTINED, error=error[:ERROR_LENGTH])


def _release(notice: Notice, **fields: Any) -> bool:
    held = Notice.objects.filter(pk=notice.pk, claim=notice.claim, state=Notice.State.CLAIMED)
    return held.update(claim="", lease_until=None, **fields) == 1
