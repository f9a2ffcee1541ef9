"""The page with the log of mails, and what is owed to its reader."""

from __future__ import annotations

from datetime import datetime, timedelta
from email.utils import make_msgid
from typing import Any

from django.test import Client
from time_machine import travel

from games.models import Mail, Notice, Seat
from tests.cast import AT
from tests.pages.helpers import soup

PAGE = "/mail/"
NOW = AT + timedelta(days=1)
SOON = NOW + timedelta(hours=2)


def owed(seat: Seat, kind: str = "turn", **fields: Any) -> Notice:
    number = Notice.objects.filter(seat=seat).count()
    usual = {"created_at": AT, "due_at": AT, "ply": 0, "number": number}
    return Notice.objects.create(seat=seat, kind=kind, **(usual | fields))


def mailed(seat: Seat, **fields: Any) -> Mail:
    """A mail to whom sits there."""
    assert seat.player is not None
    usual = {"created_at": AT, "due_at": AT, "message_id": make_msgid()}
    return Mail.objects.create(player=seat.player, **(usual | fields))


SENT: dict[str, Any] = {"state": "sent", "sent_at": AT}


def rows(client: Client, *, at: datetime = NOW) -> list[str]:
    """The words of each row, without what only those who listen are told."""
    with travel(at, tick=False):
        page = soup(client.get(PAGE))
    for hidden in page.select(".visually-hidden"):
        hidden.remove()
    return [
        " | ".join(" ".join(cell.get_text().split()) for cell in row.select("th") + row.select("td"))
        for row in page.select("tbody tr")
    ]
