"""Calls on their way: claimed, checked, made several at a time, and what came of each noted with its webhook."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Final

from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce

from games.hooks import message, wire
from games.hooks.owed import claim, is_wanted, release, waits_until
from games.hooks.upkeep import note_hooks
from games.mail import backoff
from games.models import Webhook, WebhookCall

logger = logging.getLogger(__name__)

AT_ONCE: Final = 8
"""Calls at the same time: a host that does not answer keeps few others waiting, and never for long."""
SWEEP_SECONDS: Final = 10
MAX_ATTEMPTS: Final = 12
"""About seven hours of a host that takes nothing."""
OFF_AFTER: Final = timedelta(days=3)
OFF_FAILURES: Final = 10
"""A webhook that has taken nothing for so long, and not so often, is switched off."""

State = WebhookCall.State


def sweep(*, at: datetime) -> int:
    """Make the calls that are due; how many were dealt with. Stops after SWEEP_SECONDS.

    Those of webhooks that took the last one go first, longest due first: hosts that are away hold up each other alone.
    """
    handled, stop = 0, time.monotonic() + SWEEP_SECONDS
    while time.monotonic() < stop:
        due = list(_due(at)[:AT_ONCE])
        if not due:
            break
        claimed = [call for pk in due if (call := claim(pk, at=at))]
        _make([call for call in claimed if _is_ripe(call, at=at)], at=at)
        handled += len(claimed)
    return handled


def _due(at: datetime) -> QuerySet[WebhookCall, int]:
    due = WebhookCall.objects.callable(at)
    well_first = F("hook__failing_since").asc(nulls_first=True)
    return due.order_by(well_first, "due_at", "pk").values_list("pk", flat=True)


def _is_ripe(call: WebhookCall, *, at: datetime) -> bool:
    """Whether the call goes now; else it is let go, to wait or for good."""
    if not is_wanted(call) or call.attempts >= MAX_ATTEMPTS:
        release(call, State.FAILED if call.attempts >= MAX_ATTEMPTS else State.SUPERSEDED)
        return False
    until = waits_until(call.kind, call.seat, owed_at=call.created_at, at=at)
    if until is not None:
        release(call, State.DUE, due_at=until)
        return False
    return True


def _make(calls: Sequence[WebhookCall], *, at: datetime) -> None:
    """Make these calls at the same time. Only the network is left to threads, nothing of the database."""
    ready = [(call, written) for call in calls if (written := _written(call, at=at))]
    if not ready:
        return
    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(lambda one: wire.post(one[0].hook.url, one[1].body, one[1].headers), ready))
    for (call, _written_one), answer in zip(ready, answers, strict=True):
        _settle(call, answer, at=at)


def _written(call: WebhookCall, *, at: datetime) -> message.Message | None:
    try:
        return message.write(message.tell(call, at=at), call.hook, at=at)
    except Exception:
        logger.exception("call %d of a webhook cannot be written", call.pk)
        release(call, State.FAILED)
        return None


def _settle(call: WebhookCall, answer: wire.Answer, *, at: datetime) -> None:
    note_answer(call.hook, answer, at=at)
    if answer.is_taken:
        release(call, State.SENT)
        return
    # Never the address: who knows one may write there.
    logger.info(
        "call %d failed: webhook %d (%s) of %s: %s %s",
        call.pk,
        call.hook_id,
        call.hook.kind,
        call.seat.player,
        answer.trouble,
        answer.status or "",
    )
    attempts = call.attempts + 1
    if attempts >= MAX_ATTEMPTS:
        release(call, State.FAILED, attempts=attempts)
    else:
        release(call, State.DUE, attempts=attempts, due_at=at + max(backoff(attempts), answer.retry_after))


def note_answer(hook: Webhook, answer: wire.Answer, *, at: datetime) -> None:
    """Note with the webhook what came of a call, and switch it off when none has been taken for days."""
    mine = Webhook.objects.filter(pk=hook.pk)
    said = {"said_at": at, "status": answer.status, "trouble": answer.trouble}
    if answer.is_taken:
        mine.update(failures=0, failing_since=None, **said)
        return
    mine.update(failures=F("failures") + 1, failing_since=Coalesce("failing_since", at), **said)
    is_gone = answer.trouble == Webhook.Trouble.GONE and (answer.status == 410 or hook.kind != Webhook.Kind.JSON)
    hopeless = mine.filter(is_on=True)
    if not is_gone:
        hopeless = hopeless.filter(failures__gte=OFF_FAILURES, failing_since__lte=at - OFF_AFTER)
    if hopeless.update(is_on=False):
        note_hooks(hook.player_id)
