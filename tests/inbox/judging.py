"""A mail of alice@example.com, and whether the site takes it for hers."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from games.inbox import Envelope
from games.inbox.authentic import Authenticity, check
from games.models import digest_of
from tests.inbox.signing import make_key

PASSED, FAILED, UNKNOWN = Authenticity.PASSED, Authenticity.FAILED, Authenticity.UNKNOWN
FROM = b"From: Alice <alice@example.com>\r\n"
REST = (
    b"To: turn+token@clans.example.net\r\n"
    b"Subject: Re: Your turn\r\n"
    b"Message-ID: <1@example.com>\r\n"
    b"Content-Type: text/plain\r\n"
    b"\r\n"
    b"C4-D1\r\n"
)
MAIL = FROM + REST
KEY = make_key()
KEY_NAME = "s1._domainkey.example.com"
ALICE = "alice@example.com"
CLIENT = "8.8.4.4"


def judge(
    raw: bytes, *, address: str = "alice@example.com", sender: str = "", client: str = "", at: datetime | None = None
) -> Authenticity:
    envelope = Envelope(sender, "turn+token@clans.example.net", client, "mail.example.org")
    return check(raw, envelope, from_address=address, token_digest=digest_of("token"), at=at or timezone.now())
