"""Taking in a mail: it is stored before it is acknowledged, and handled afterwards."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from datetime import datetime, timedelta
from email import message_from_bytes
from email.policy import compat32
from ipaddress import ip_address
from typing import Final

from django.conf import settings
from django.db import Error as DatabaseFault, transaction
from django.db.models import Count, Q, Sum

from games.enqueue import enqueue
from games.inbox.envelope import Envelope
from games.inbox.reading import MOST_BYTES
from games.limits import INBOUND_MAILS
from games.models import InboundMail, TurnToken, find_turn_token
from games.outage import explain_fault

HANDLE_TASK: Final = "games.tasks.handle_mail"
QUOTA: Final = 20_000_000
"""Bytes of mails that are stored for one player."""
RETENTION: Final = timedelta(days=14)
HOUR: Final = timedelta(hours=1)
_FLOOD: Final = 2 * INBOUND_MAILS.rates[0].amount
"""Mails of one sender to the addresses of one player in an hour: beyond INBOUND_MAILS a receipt says so; beyond this,
the mail is refused for now."""
_FLOOD_OF_ALL: Final = 10 * _FLOOD
"""The same for all senders together, who may be anybody to whom a mail was forwarded."""


class MailRefused(Exception):
    """A mail is not taken in: `code` says why, `is_for_now` whether it may be sent again later."""

    def __init__(self, code: str, *, is_for_now: bool = False) -> None:
        super().__init__(code)
        self.code, self.is_for_now = code, is_for_now


def tell(error: Exception) -> str:
    """What happened, in one line of the log."""
    if isinstance(error, DatabaseFault):
        return explain_fault(error)
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"


def is_ours(recipient: str) -> bool:
    """Whether an answer can be sent to this address. A query where it looks like one."""
    return _token_of(recipient) is not None


def receive(raw: bytes, envelope: Envelope, *, at: datetime) -> InboundMail:
    """Store a mail and ask the worker to handle it; once this returns, it may be acknowledged.

    Raises MailRefused with the code `no-such-address`, `too-large` or `too-many`. Costs 4 queries.
    """
    token = _token_of(envelope.recipient)
    if token is None:
        raise MailRefused("no-such-address")
    if len(raw) > MOST_BYTES:
        raise MailRefused("too-large")
    sender = _stored(envelope.sender)[:320]
    _check_flood(token, sender, len(raw), at=at)
    with transaction.atomic():
        mail = InboundMail.objects.create(
            token=token,
            player=token.player,
            received_at=at,
            due_at=at,
            sender=sender,
            client=_host(envelope.client),
            helo=_stored(envelope.helo)[:255],
            packed=InboundMail.pack(raw),
            size=len(raw),
            fingerprint=_fingerprint(raw),
        )
        enqueue(HANDLE_TASK, mail.pk)
    return mail


def _token_of(recipient: str) -> TurnToken | None:
    name, _at, domain = settings.REPLY_ADDRESS.rpartition("@")
    local, _at, found = recipient.strip().strip("<>").lower().rpartition("@")
    secret = local.removeprefix(f"{name}+")
    if not name or found != domain or secret == local or not secret.isalnum():
        return None
    return find_turn_token(secret, TurnToken.Use.ANSWER, TurnToken.Use.TALK)


def _check_flood(token: TurnToken, sender: str, size: int, *, at: datetime) -> None:
    of_player = InboundMail.objects.filter(player=token.player_id)
    lately = of_player.filter(received_at__gt=at - HOUR)
    counted = lately.aggregate(all=Count("pk"), same=Count("pk", filter=Q(sender=sender)))
    if counted["same"] >= _FLOOD or counted["all"] >= _FLOOD_OF_ALL:
        raise MailRefused("too-many", is_for_now=True)
    stored = of_player.filter(received_at__gt=at - RETENTION).aggregate(bytes=Sum("size"))["bytes"] or 0
    if stored + size > QUOTA:
        raise MailRefused("too-many", is_for_now=True)


def _host(client: str) -> str | None:
    """The address of a host; None where a way in says something else."""
    with suppress(ValueError):
        return str(ip_address(client))
    return None


def _stored(word: str) -> str:
    """What a host said, without what databases do not store: bytes that are no UTF-8, and null bytes."""
    return word.encode(errors="replace").decode().replace("\0", "?")


def _fingerprint(raw: bytes) -> str:
    """A hash by which a mail that comes a second time is known: of its Message-ID, else of all of it."""
    head = message_from_bytes(raw.partition(b"\r\n\r\n" if b"\r\n\r\n" in raw else b"\n\n")[0], policy=compat32)
    named = str(head.get("Message-ID") or "").strip()
    return hashlib.sha256(named.encode(errors="replace") if named else raw).hexdigest()
