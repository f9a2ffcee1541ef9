"""What must hold of the calls owed, asked with what must hold of the mails (`games.mail.faults`)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.utils.translation import ngettext

from games.mail import COUNTED, PATIENCE
from games.models import WebhookCall

State = WebhookCall.State


def faults(*, at: datetime) -> list[str]:
    """What is wrong, a sentence for each kind of it with how often; nothing when all is well. Costs 2 queries."""
    return list(_faults(at))


def _faults(at: datetime) -> Iterator[str]:
    late = at - PATIENCE
    if count := WebhookCall.objects.filter(state=State.CLAIMED, lease_until__lte=late)[:COUNTED].count():
        yield (
            ngettext(
                "%d call of a webhook is leased past its lease.",
                "%d calls of webhooks are leased past their leases.",
                count,
            )
            % count
        )
    if count := WebhookCall.objects.filter(state=State.DUE, due_at__lte=late)[:COUNTED].count():
        yield (
            ngettext(
                "%d call of a webhook is due and nobody makes it: does the worker run?",
                "%d calls of webhooks are due and nobody makes them: does the worker run?",
                count,
            )
            % count
        )
