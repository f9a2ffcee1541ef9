"""Calls that are owed, as rows: written in the transaction that causes them, and leased by whoever makes them
(`games.outbox`)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from games import outbox
from games.enqueue import enqueue
from games.mail import (
    Verdict,
    decide,
    decide_invitation,
    decide_without_seat,
    kind_of,
    still_true,
    wait_for_quiet_hours,
)
from games.models import Invitation, Notice, SeasonMail, Webhook, WebhookCall

CALL_TASK: Final = "games.tasks.call_webhooks"
LEASE: Final = timedelta(seconds=60)
"""Longer than a call can take."""
RETENTION: Final = timedelta(days=30)
AT_ONCE: Final = 200
"""Invitations that one sweep looks at."""

State = WebhookCall.State


def owe(notices: Sequence[Notice], *, at: datetime) -> None:
    """Owe a call to each webhook of whoever gets one of `notices`, and ask for them to be made once the transaction has
    committed.

    Call it inside the transaction that causes them, with the player of each seat loaded; the notices need not be saved.
    What is owed already stays as it is. Costs no query when nobody has a webhook, else 2.
    """
    heard = [notice for notice in notices if notice.seat.player and notice.seat.player.has_webhooks]
    if not heard:
        return
    hooks = Webhook.objects.filter(player__in={notice.seat.player_id for notice in heard}, is_on=True)
    hooks = hooks.select_related("player").defer("player__password")
    calls = [
        WebhookCall(
            hook=hook,
            seat=notice.seat,
            kind=notice.kind,
            ply=notice.ply,
            number=notice.number,
            about=notice.about,
            created_at=at,
            due_at=at,
        )
        for hook in hooks
        for notice in heard
        if notice.seat.player_id == hook.player_id and _wants(hook, notice.kind)
    ]
    for call in calls:
        call.due_at = verdict_on(call, at=at).until or at
    WebhookCall.objects.bulk_create(calls, ignore_conflicts=True)
    if any(call.due_at <= at for call in calls):
        enqueue(CALL_TASK)


def owe_invitation(pk: int, *, at: datetime) -> None:
    """Owe a notification to each browser of the reader of an invitation; once, whoever asks for it. Whether an address
    has an account is asked here, out of sight of whoever invites."""
    with transaction.atomic():
        if not Invitation.objects.filter(pk=pk, owes_push=True).update(owes_push=False):
            return
        invitation = Invitation.objects.select_related("game", "season", "by", "player").get(pk=pk)
        reader = invitation.invited
        if reader is None or not reader.has_webhooks:
            return
        verdict = decide_invitation(invitation, reader, at=at, by_mail=False)
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


def owe_season_mails(rows: Sequence[SeasonMail], *, at: datetime) -> None:
    """Owe a notification to each browser of the readers of these mails. Call it inside the transaction that owes the
    mails. A query, and another if there are browsers."""
    mails = {row.player_id: row for row in rows}
    browsers = Webhook.objects.browsers().filter(player__in=mails, is_on=True)
    calls = [
        WebhookCall(hook=hook, season_mail=mails[hook.player_id], ply=0, created_at=at, due_at=verdict.until or at)
        for hook in browsers.select_related("player").defer("player__password")
        if not (verdict := decide_without_seat(hook.player, at=at, by_mail=False)).is_dropped
    ]
    WebhookCall.objects.bulk_create(calls)
    if any(call.due_at <= at for call in calls):
        enqueue(CALL_TASK)


def _wants(hook: Webhook, kind: str) -> bool:
    """Whether the hook is called for notices of that kind: a browser for all, chats and programs for some."""
    return hook.kind == Webhook.Kind.PUSH or kind_of(kind).webhook.is_called


def verdict_on(call: WebhookCall, *, at: datetime) -> Verdict:
    """Whether the call is made now, waits, or is dropped. Notifications go by what their player wishes for
    mails, calls of chats and programs by quiet hours alone. Costs no query, but what the kind of notice, or an
    invitation, asks."""
    hook = call.hook
    if not (hook.player.is_active and hook.is_on):
        return Verdict(Notice.Reason.UNWANTED)
    if call.invitation is not None:
        return decide_invitation(call.invitation, hook.player, at=at, by_mail=False)
    if call.season_mail is not None:
        return decide_without_seat(hook.player, at=at, by_mail=False)
    notice = as_notice(call)
    if hook.kind == Webhook.Kind.PUSH:
        return decide(notice, at=at, by_mail=False)
    return _verdict_on_program(call, notice, at=at)


def _verdict_on_program(call: WebhookCall, notice: Notice, *, at: datetime) -> Verdict:
    if not still_true(notice):
        return Verdict(Notice.Reason.PAST)
    kind = kind_of(call.kind)
    if kind.webhook.waits_for_presence:
        if kind.is_seen(notice):
            return Verdict(Notice.Reason.SEEN)
        looked = call.created_at + notice.seat.game.call_waits
        if looked > at:
            return Verdict(Notice.Reason.PRESENCE, looked)
    return wait_for_quiet_hours(notice.reader, at=at)


def as_notice(call: WebhookCall) -> Notice:
    """The notice that the call goes with, as far as it tells anything. Raises ValueError for one about no seat."""
    if call.seat is None:
        raise ValueError(f"call {call.pk} goes with no notice")
    about = {"kind": call.kind, "ply": call.ply, "number": call.number, "about": call.about}
    return Notice(seat=call.seat, player=call.hook.player, created_at=call.created_at, **about)


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
    about = ("seat__game", "seat__player", *(f"invitation__{name}" for name in ("game", "season", "by", "player")))
    loaded = WebhookCall.objects.select_related("hook__player", "season_mail__season", *about)
    secrets = ("hook__player", "seat__player", "invitation__by", "invitation__player")
    return loaded.defer("seat__clan", "seat__entropy", *(f"{player}__password" for player in secrets))
