"""Notifications to browsers (Web Push): encrypted for one browser alone (RFC 8291) and signed by this site (RFC 8292).

The service that carries them is the browser maker's. It learns when there is a message and how long it is, not what it
says.
"""

from __future__ import annotations

import base64
import hashlib
import json
from binascii import Error
from datetime import datetime, timedelta
from email.utils import parseaddr
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.core.signing import b64_encode
from django.utils.translation import gettext as _
from py_vapid import Vapid02

from games.hooks.payload import Message
from games.mail import Push, read_or_generate
from games.models import Webhook

KEPT: Final = timedelta(days=1)
"""How long the service keeps a message for a browser that is off."""
SIGNED_FOR: Final = timedelta(hours=12)
LONGEST: Final = 300
"""Letters of a title or a body: services take some 4,000 bytes in all."""


class NoPush(Exception):
    """The site has no key to sign notifications with, or what a browser says of itself cannot be read."""


def new_key() -> str:
    """A private key for PUSH_KEY, in base64url."""
    key = ec.generate_private_key(ec.SECP256R1())
    return b64_encode(key.private_numbers().private_value.to_bytes(32, "big")).decode()


def public_key() -> str:
    """What a browser is told of the key of this site (an uncompressed point in base64url); empty where it has none."""
    vapid = _vapid()
    if vapid is None:
        return ""
    point = vapid.public_key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    return b64_encode(point).decode()


def check_browser(public: str, secret: str) -> None:
    """Raise NoPush for keys with which nothing can be encrypted: a point of the curve P-256, and 16 bytes."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _from_base64url(public))
        if len(_from_base64url(secret)) != 16:
            raise NoPush
    except (ValueError, Error):
        raise NoPush from None


def write(said: Push, hook: Webhook, *, about: str, is_urgent: bool, at: datetime) -> Message:
    """The message as it is sent to `hook`. `about` names what it is about: a newer one takes the place of an older one
    that a browser has not seen. Raises NoPush."""
    from pywebpush import WebPusher  # with aiohttp: an eighth of the start of every process, only for those who push

    vapid = _vapid()
    if vapid is None:
        raise NoPush
    fields = {"title": said.title[:LONGEST], "body": said.body[:LONGEST], "url": said.url, "tag": about}
    keys = {"p256dh": hook.public_key, "auth": hook.browser_secret}
    pusher = WebPusher({"endpoint": hook.url, "keys": keys})
    body: bytes = pusher.encode(json.dumps(fields, ensure_ascii=False).encode())["body"]
    headers = {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(int(KEPT.total_seconds())),
        "Urgency": "high" if is_urgent else "normal",
        "Topic": b64_encode(hashlib.sha256(about.encode()).digest()).decode()[:32],
        **vapid.sign(_claims(hook.url, at=at)),
    }
    return Message(body, headers)


def write_test(hook: Webhook, *, at: datetime) -> Message:
    """A notification that says that notifications arrive, in the active language. Raises NoPush."""
    said = Push(_("Clans by mail"), _("Notifications arrive in this browser."), f"{settings.SITE_URL}/")
    return write(said, hook, about="test", is_urgent=True, at=at)


def _claims(url: str, *, at: datetime) -> dict[str, object]:
    parts = urlsplit(url)
    whom = settings.SITE_URL if settings.HTTPS else f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"
    return {"sub": whom, "aud": f"{parts.scheme}://{parts.netloc}", "exp": int((at + SIGNED_FOR).timestamp())}


def _vapid() -> Vapid02 | None:
    """What notifications are signed with: PUSH_KEY, or the key that a site without settings makes for itself."""
    raw = settings.PUSH_KEY or (
        read_or_generate(Path(settings.PUSH_KEY_FILE), new_key) if settings.PUSH_KEY_FILE else ""
    )
    return Vapid02.from_raw(raw.encode()) if raw else None


def _from_base64url(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
