"""The mails owed, as rows: written with what causes them, so that neither exists without the other."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from email.utils import make_msgid

from django.conf import settings

from games.knock import knock
from games.models import Notice, Seat

SEND_TASK = "games.tasks.send_notice"


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
