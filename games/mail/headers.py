"""The headers of a mail about games."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from email.utils import format_datetime
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet

from games.caching import prepared
from games.models import Mail, Notice


def make_headers(
    message_id: str, *, at: datetime, slug: str, ply: int, kind: str, sender: str, stop_url: str
) -> dict[str, str]:
    """What mail programs and other programs sort by; `sender` is what sends the mail, as the first word of its List-Id.

    The button of a mail program (RFC 8058) does what the page at `stop_url` does.
    """
    return {
        "Message-ID": message_id,
        "Date": format_datetime(at),
        "X-Clans-Game": slug,
        "X-Clans-Ply": str(ply),
        "X-Clans-Kind": kind,
        "Auto-Submitted": "auto-generated",
        "List-Id": f"Clans by mail <{sender}.{settings.MAIL_DOMAIN}>",
        "List-Unsubscribe": f"<{stop_url}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def headers_of(mail: Mail, notices: Sequence[Notice], *, at: datetime, stop_url: str, reply_to: str) -> dict[str, str]:
    """The headers of a mail; those of several notices are of the first. The button of a mail program means all mails
    from here: a reader who wants less, but not nothing, has the links in the mail. One query for a single notice."""
    first = notices[0]
    headers = make_headers(
        mail.message_id,
        at=at,
        slug=first.seat.game.slug,
        ply=first.ply,
        kind=first.kind,
        sender="tables",
        stop_url=stop_url,
    )
    thread = {} if len(notices) > 1 else _thread(first, at=at)
    return headers | thread | _from(reply_to)


def _thread(notice: Notice, *, at: datetime) -> dict[str, str]:
    """The first and the last mail that its reader got about this table, so that all of them are one thread."""
    ids = [message_id for [message_id] in _sent_before(notice.seat_id, at)]
    if not ids:
        return {}
    return {"In-Reply-To": ids[-1], "References": " ".join(dict.fromkeys((ids[0], ids[-1])))}


@prepared
def _sent_before(seat: int, at: datetime) -> QuerySet[Notice, Any]:
    """The ids of the mails about one seat's table that were really sent, with nothing else in them."""
    sent = Notice.objects.filter(seat=seat, state=Notice.State.SENT, sent_at__lt=at, mail__isnull=False)
    others = Notice.objects.filter(mail=OuterRef("mail")).exclude(pk=OuterRef("pk"))
    return sent.exclude(Exists(others)).order_by("sent_at", "pk").values_list("mail__message_id")


def _from(reply_to: str) -> dict[str, str]:
    """Who the mail is from, where its envelope has a sender of its own, and where answers go."""
    sender = {"From": settings.DEFAULT_FROM_EMAIL} if settings.BOUNCE_ADDRESS else {}
    return sender | ({"Reply-To": reply_to} if reply_to else {})
