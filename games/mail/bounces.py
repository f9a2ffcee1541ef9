"""Addresses that take no mail any more, and the envelope senders that tell whose mail came back."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from games.models import Notice, Player

_SIGNATURE_LENGTH: Final = 20
"""80 bits, in 20 letters: with the rest, a local part has room for 64."""
_TAG: Final = re.compile(r"([0-9]{1,18})-([0-9a-f]{20})", re.ASCII)
_WHY_LENGTH: Final = 200


def bounced(address: str, *, why: str, at: datetime) -> bool:
    """Note that `address` takes no mail, and why; whether that is news. Costs a query.

    Nothing changes when it was noted before, or when nobody has this address now: who has given another one since is
    reached by that.
    """
    reached = Player.objects.filter(email=address.strip().lower(), mail_bounced_at=None)
    return bool(reached.update(mail_bounced_at=at, mail_bounce=why[:_WHY_LENGTH]))


def return_address(notice: Notice) -> str:
    """The envelope sender of the mail of a notice: BOUNCE_ADDRESS with a signed id after a plus; empty without one."""
    if not settings.BOUNCE_ADDRESS:
        return ""
    name, _at, domain = settings.BOUNCE_ADDRESS.rpartition("@")
    return f"{name}+{notice.pk}-{_sign(str(notice.pk))}@{domain}"


def read_return_address(address: str) -> int | None:
    """The key of the notice whose envelope sender this is; None if it was not made here. In any case of letters."""
    name, _at, domain = settings.BOUNCE_ADDRESS.lower().rpartition("@")
    local, _at, found = address.strip().lower().rpartition("@")
    tag = _TAG.fullmatch(local.removeprefix(f"{name}+"))
    if not (name and tag and local.startswith(f"{name}+") and found == domain):
        return None
    return int(tag[1]) if constant_time_compare(tag[2], _sign(tag[1])) else None


def _sign(key: str) -> str:
    return salted_hmac("games.mail.bounces", key, algorithm="sha256").hexdigest()[:_SIGNATURE_LENGTH]
