"""Makes the calls that are due: claims and checks them, makes several at a time, and notes the results."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Final

from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce

from games import mail, outbox
from games.hooks import payload, push, wire
from games.hooks.owed import LEASE, as_notice, claim, verdict_on
from games.hooks.player_actions import note_hooks, remove_hook
from games.models import Webhook, WebhookCall

logger = logging.getLogger(__name__)

AT_ONCE: Final = 8
"""How many calls are made at the same time, so that a host which does not answer delays few others."""
LOOK_AHEAD: Final = 64
"""How many calls that are due are looked at to find those AT_ONCE."""
SWEEP_SECONDS: Final = 10
MAX_ATTEMPTS: Final = 12
"""About seven hours of a host that takes nothing."""
OFF_AFTER: Final = timedelta(days=3)
OFF_FAILURES: Final = 10
"""A webhook that has failed for so long and so often is switched off."""

State = WebhookCall.State


def sweep(*, at: datetime) -> int:
    """Make the calls that are due; returns how many were dealt with. Stops after SWEEP_SECONDS.

    Those of webhooks that took the last one go first, longest due first: hosts that are away hold up each other alone.
    """
    outbox.retry_quarantined(WebhookCall.objects.all(), at=at)
    handled, stop = 0, time.monotonic() + SWEEP_SECONDS
    while time.monotonic() < stop:
        due = _next_of_each(at)
        if not due:
            break
        claimed = [call for pk in due if (call := claim(pk, at=at))]
        _make([call for call in claimed if _goes_now(call, at=at)], at=at)
        handled += len(claimed)
    return handled


def _next_of_each(at: datetime) -> list[int]:
    """The keys of calls to make at the same time: of each webhook the first one, so that a host hears them in order."""
    first: dict[int, int] = {}
    for hook, call in _due(at)[:LOOK_AHEAD]:
        first.setdefault(hook, call)
    return list(first.values())[:AT_ONCE]


def _due(at: datetime) -> QuerySet[WebhookCall, tuple[int, int]]:
    due = outbox.workable(WebhookCall.objects.all(), at)
    well_first = F("hook__failing_since").asc(nulls_first=True)
    return due.order_by(well_first, "due_at", "pk").values_list("hook_id", "pk")


def _goes_now(call: WebhookCall, *, at: datetime) -> bool:
    """Whether the call is made now; if not, it is released, to wait or to be dropped."""
    verdict = verdict_on(call, at=at)
    if verdict.is_dropped:
        outbox.release(call, State.SUPERSEDED)
        return False
    if call.has_crashed:
        outbox.quarantine(call, at=at, lease=LEASE)
        return False
    if verdict.until is not None:
        outbox.release(call, State.DUE, due_at=verdict.until)
        return False
    return True


def _make(calls: Sequence[WebhookCall], *, at: datetime) -> None:
    """Make these calls at the same time. Threads use only the network, never the database."""
    ready = [(call, written) for call in calls if (written := _write(call, at=at))]
    if not ready:
        return
    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(lambda one: wire.post(one[0].hook.url, one[1].body, one[1].headers), ready))
    for (call, _written_one), answer in zip(ready, answers, strict=True):
        _settle(call, answer, at=at)


def _write(call: WebhookCall, *, at: datetime) -> payload.Message | None:
    try:
        if call.hook.kind == Webhook.Kind.PUSH:
            return _write_push(call, at=at)
        return payload.write(payload.content_of(call, at=at), call.hook, at=at)
    except Exception:
        logger.exception("call %d of a webhook cannot be written", call.pk)
        outbox.quarantine(call, at=at, lease=LEASE)
        return None


def _write_push(call: WebhookCall, *, at: datetime) -> payload.Message:
    if call.invitation is not None:
        said = mail.brief_invitation(call.invitation, call.hook.player)
        return push.write(said, call.hook, about=call.invitation.place.slug, is_urgent=False, at=at)
    if call.season_mail is not None:
        said = mail.brief_season_mail(call.season_mail, call.hook.player)
        return push.write(said, call.hook, about=call.season_mail.season.slug, is_urgent=False, at=at)
    notice = as_notice(call)
    said, is_urgent = mail.brief_push(notice, at=at), mail.kind_of(call.kind).sending.is_urgent
    return push.write(said, call.hook, about=notice.seat.game.slug, is_urgent=is_urgent, at=at)


def _settle(call: WebhookCall, answer: wire.Answer, *, at: datetime) -> None:
    note_answer(call.hook, answer, at=at)
    if is_gone(call.hook, answer):
        remove_hook(call.hook)
        return
    if answer.is_taken:
        outbox.release(call, State.SENT, error="")
        return
    # Never the address: who knows one may write there.
    logger.info(
        "call %d failed: webhook %d (%s) of %s: %s%s",
        call.pk,
        call.hook_id,
        call.hook.kind,
        call.hook.player,
        Webhook.Trouble(answer.trouble).label,
        f" (status {answer.status})" if answer.status else "",
    )
    attempts = call.attempts + 1
    if attempts >= MAX_ATTEMPTS:
        outbox.quarantine(call, at=at, lease=LEASE, error=answer.trouble)
    else:
        until = at + max(outbox.backoff(attempts), answer.retry_after)
        outbox.retry(call, until=until, error=answer.trouble)


def is_gone(hook: Webhook, answer: wire.Answer) -> bool:
    """Whether it is a browser that takes no messages any more (RFC 8030: 404, 410)."""
    return hook.kind == Webhook.Kind.PUSH and answer.trouble == Webhook.Trouble.GONE


def note_answer(hook: Webhook, answer: wire.Answer, *, at: datetime) -> None:
    """Note the result of a call at its webhook, and switch that off when it has failed for days."""
    mine = Webhook.objects.filter(pk=hook.pk)
    said = {"said_at": at, "status": answer.status, "trouble": answer.trouble}
    if answer.is_taken:
        mine.update(failures=0, failing_since=None, **said)
        return
    mine.update(failures=F("failures") + 1, failing_since=Coalesce("failing_since", at), **said)
    is_away = answer.trouble == Webhook.Trouble.GONE and (answer.status == 410 or hook.kind != Webhook.Kind.JSON)
    hopeless = mine.filter(is_on=True)
    if not is_away:
        hopeless = hopeless.filter(failures__gte=OFF_FAILURES, failing_since__lte=at - OFF_AFTER)
    if hopeless.update(is_on=False):
        note_hooks(hook.player_id)
