"""The message that goes out: its headers, the envelope sender that tells whose mail came back, and the same bytes each
time it is made of a mail's row."""

from __future__ import annotations

import re
from base64 import b32encode
from collections.abc import Sequence
from datetime import datetime
from email.policy import compat32
from email.utils import format_datetime
from hashlib import sha256
from typing import Any, Final

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.core.mail.message import utf8_charset_qp
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.crypto import constant_time_compare, salted_hmac

from games.caching import prepared
from games.mail import illustrate
from games.models import Mail, Notice, OutgoingMail

METADATA: Final = "mail"
_SIGNATURE_LENGTH: Final = 26
"""130 bits, in letters of base32: with the rest, a local part has room for 64."""
_OLD_SIGNATURE_LENGTH: Final = 20
"""80 bits, in hexadecimal digits: those of mails that went out before."""
_TAG: Final = re.compile(r"([0-9]{1,18})-([a-z2-7]{26}|[0-9a-f]{20})", re.ASCII)
# Unfolded, since some programs read a value that begins on the line after its name with a space too many.
_UNFOLDED: Final = compat32.clone(max_line_length=0)


class MailMessage(EmailMultiAlternatives):
    """Text, HTML and the pictures that the HTML shows, with boundaries made from the Message-ID."""

    # Quoted-printable passes every mail server; Django's own choice is 8 bits, which some do not take.
    encoding = utf8_charset_qp
    mixed_subtype = "related"
    metadata: dict[str, str]
    """A provider gives it back with what it tells of the mail."""

    def message(self, **options: Any) -> Any:
        made = super().message(**options)
        parts = [part for part in made.walk() if part.is_multipart()]
        for number, part in enumerate(parts):
            seed = f"{number}{self.extra_headers['Message-ID']}"
            part.set_boundary(f"={sha256(seed.encode()).hexdigest()[:32]}")
        if made.get_content_subtype() == self.mixed_subtype:
            # RFC 2387: what the root of the related parts is.
            made.set_param("type", "multipart/alternative")
        made.policy = _UNFOLDED
        return made


def as_message(row: OutgoingMail) -> MailMessage:
    """The message of a row that is rendered. Reads a file for each picture; one that is not cached and cannot be drawn
    again is left out, its words stand in the HTML. What comes back is told by a mail of notices alone."""
    message = MailMessage(subject=row.subject, body=row.text, to=[row.mailed_to], headers=dict(row.headers))
    message.metadata = {}
    if isinstance(row, Mail):
        message.from_email = return_address(row) or message.from_email
        message.metadata = {METADATA: str(row.pk or "")}
    message.attach_alternative(row.html, "text/html")
    for name in row.pictures:
        if (part := illustrate.as_part(name)) is not None:
            message.attach(part)
    return message


# --- Headers ---------------------------------------------------------------------------------------


def make_headers(
    message_id: str, *, at: datetime, kind: str, sender: str, stop_url: str, game: tuple[str, int] | None = None
) -> dict[str, str]:
    """What mail programs and other programs sort by; `sender` is what sends the mail, as the first word of its List-Id.
    A mail about a `game` names its slug and ply.

    The button of a mail program (RFC 8058) does what the page at `stop_url` does.
    """
    about = {"X-Clans-Game": game[0], "X-Clans-Ply": str(game[1])} if game else {}
    return {
        "Message-ID": message_id,
        "Date": format_datetime(at),
        **about,
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
        game=(first.seat.game.slug, first.ply),
        kind=first.kind,
        sender="tables",
        stop_url=stop_url,
    )
    if len(notices) == 1:
        headers |= _thread(first, at=at)
    if settings.BOUNCE_ADDRESS:  # the envelope then has a sender of its own
        headers["From"] = settings.DEFAULT_FROM_EMAIL
    if reply_to:
        headers["Reply-To"] = reply_to
    return headers


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


# --- The envelope sender --------------------------------------------------------------------------


def return_address(mail: Mail) -> str:
    """The envelope sender of a mail: BOUNCE_ADDRESS with a signed id after a plus; empty without one."""
    if not settings.BOUNCE_ADDRESS:
        return ""
    name, _at, domain = settings.BOUNCE_ADDRESS.rpartition("@")
    return f"{name}+{mail.pk}-{_sign(str(mail.pk), settings.SECRET_KEY)}@{domain}"


def read_return_address(address: str) -> int | None:
    """The key of the mail whose envelope sender this is; None if it was not made here. In any case of letters."""
    name, _at, domain = settings.BOUNCE_ADDRESS.lower().rpartition("@")
    local, _at, found = address.strip().lower().rpartition("@")
    tag = _TAG.fullmatch(local.removeprefix(f"{name}+"))
    if not (name and tag and local.startswith(f"{name}+") and found == domain):
        return None
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return int(tag[1]) if any(_is_signed(tag[1], tag[2], key) for key in keys) else None


def _is_signed(number: str, signature: str, key: str) -> bool:
    if len(signature) == _OLD_SIGNATURE_LENGTH:
        return constant_time_compare(signature, _hmac(number, key).hex()[:_OLD_SIGNATURE_LENGTH])
    return constant_time_compare(signature, _sign(number, key))


def _sign(number: str, key: str) -> str:
    return b32encode(_hmac(number, key)).decode().lower()[:_SIGNATURE_LENGTH]


def _hmac(number: str, key: str) -> bytes:
    # The salt stays as it is: mails with such addresses are out.
    return salted_hmac("games.mail.transport.bounces", number, secret=key, algorithm="sha256").digest()
