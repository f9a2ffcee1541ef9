"""Calls that are owed, as rows: written in the transaction that causes them, and leased by whoever makes them
(`games.outbox`)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db.models import QuerySet

from games import outbox
from games.enqueue import enqueue
from games.mail import kind_of, still_true
from games.models import Notice, Seat, Webhook, WebhookCall

CALL_TASK: Final = "games.tasks.call_webhooks"
LEASE: Final = timedelta(seconds=60)
"""Longer than a call can take."""
RETENTION: Final = timedelta(days=30)

State = WebhookCall.State


def owe(notices: Sequence[Notice], *, at: datetime) -> None:
    """Owe a call to each webhook of whoever gets one of `notices`, and ask for them to be made once the transaction has
    committed.

    Call it inside the transaction that causes them, with the player of each seat loaded; the notices need not be saved.
    What is owed already stays as it is. Costs no query when nobody has a webhook, else 2.
    """
    heard = [notice for notice in notices if kind_of(notice.kind).webhook.is_called and _has_hooks(notice.seat)]
    if not heard:
        return
    hooks = Webhook.objects.filter(player__in={notice.seat.player_id for notice in heard}, is_on=True)
    calls = [
        WebhookCall(
            hook=hook,
            seat=notice.seat,
            kind=notice.kind,
            ply=notice.ply,
            number=notice.number,
            created_at=at,
            due_at=waits_until(notice.kind, notice.seat, owed_at=at, at=at) or at,
        )
        for hook in hooks
        for notice in heard
        if notice.seat.player_id == hook.player_id
    ]
    WebhookCall.objects.bulk_create(calls, ignore_conflicts=True)
    if any(call.due_at <= at for call in calls):
        enqueue(CALL_TASK)


def _has_hooks(seat: Seat) -> bool:
    return seat.player is not None and seat.player.has_webhooks


def waits_until(kind: str, seat: Seat, *, owed_at: datetime, at: datetime) -> datetime | None:
    """When a call is due: some kinds wait in case their player looks at the table, all wait until quiet hours end."""
    if kind_of(kind).webhook.waits_for_presence:
        looked = owed_at + timedelta(seconds=settings.MAIL_WAIT_SECONDS)
        if looked > at:
            return looked
    awake = seat.player.calendar().next_open(at) if seat.player else at
    return awake if awake > at else None


def is_wanted(call: WebhookCall) -> bool:
    """Whether the call shall still be made: its webhook is on, and what it says is still true. Costs no query."""
    player = call.seat.player
    if player is None or not (player.is_active and call.hook.is_on):
        return False
    if kind_of(call.kind).webhook.waits_for_presence and call.seat.has_seen(call.ply, since=call.created_at):
        return False
    return still_true(as_notice(call))


def as_notice(call: WebhookCall) -> Notice:
    """The notice that the call goes with, as far as it tells anything."""
    return Notice(seat=call.seat, kind=call.kind, ply=call.ply, number=call.number, created_at=call.created_at)


def claim(pk: int, *, at: datetime) -> WebhookCall | None:
    """The call, leased to the caller alone, with its webhook, seat, game and player; None if there is nothing to do.
    Costs 2 queries."""
    return outbox.claim(_loaded(), pk, at=at, lease=LEASE)


def forget_old(*, at: datetime) -> int:
    """Delete the calls that were dealt with long ago; returns how many."""
    done = WebhookCall.objects.filter(created_at__lt=at - RETENTION).exclude(state__in=(State.DUE, State.CLAIMED))
    return done.delete()[0]


def _loaded() -> QuerySet[WebhookCall]:
    """Calls with what they are made of; no card among it."""
    loaded = WebhookCall.objects.select_related("hook", "seat__game", "seat__player")
    return loaded.defer("seat__clan", "seat__entropy", "seat__player__password")
