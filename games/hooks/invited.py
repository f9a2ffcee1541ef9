"""Notifications for players who are invited to a table, or released from one (design 2.20): they have no seat
there."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction

from games import mail
from games.enqueue import enqueue
from games.hooks.owed import CALL_TASK
from games.models import Invitation, WebhookCall

AT_ONCE: Final = 200


def owe_invitation(pk: int, *, at: datetime) -> None:
    """Owe a notification to each browser of the reader of an invitation; once, whoever asks for it. Whether an address
    has an account is asked here, out of sight of whoever invites."""
    with transaction.atomic():
        if not Invitation.objects.filter(pk=pk, owes_push=True).update(owes_push=False):
            return
        invitation = Invitation.objects.select_related("game", "by", "player").get(pk=pk)
        reader = invitation.invited
        if reader is None or not reader.has_webhooks:
            return
        verdict = mail.decide_invitation(invitation, reader, at=at, by_mail=False)
        if verdict.is_dropped:
            return
        due = verdict.until or at
        browsers = reader.webhooks.browsers().filter(is_on=True)
        calls = [WebhookCall(hook=hook, invitation=invitation, ply=0, created_at=at, due_at=due) for hook in browsers]
        WebhookCall.objects.bulk_create(calls)
        if calls and due <= at:
            enqueue(CALL_TASK)


def owe_invitations(*, at: datetime) -> None:
    """Call `owe_invitation` where it was not called, since a queue may lose a task."""
    for pk in list(Invitation.objects.filter(owes_push=True).order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
        owe_invitation(pk, at=at)
