"""Inviting by the form of a table."""

from __future__ import annotations

import re

from django.core import mail as outbox
from django.utils import timezone

from games import mail
from games.models import Game
from tests.pages.helpers import signed_in, table_url


def link_to(address: str, table: Game) -> str:
    """Invite that address by the table's page, let the mail go, and take its link."""
    opener = signed_in(table.opener)
    assert opener.post(table_url(table, "invite/"), {"to": address}).status_code == 303
    mail.sweep_invitations(at=timezone.now())
    body = str(outbox.outbox[-1].body)
    found = re.search(r"/invitations/[\w-]{43}/", body)
    assert found
    return found[0]
