"""The mail program of the mailbox page: it writes, signs and sends the answers of a site that is being tried out."""

from __future__ import annotations

import json
import smtplib
from base64 import b64encode
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP as LINES
from email.utils import format_datetime, make_msgid
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import dkim
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.conf import settings

from games.mail.generated_file import read_or_generate
from games.mail.transport.connection import explain
from games.mail.transport.mailbox import StoredMail

SELECTOR: Final = "mailbox"
_TIMEOUT: Final = 10


def answer_stored(mail: StoredMail, text: str, *, at: datetime) -> str:
    """Answer a mail as its reader, by a real, signed mail to REPLY_LISTEN; returns why it was not taken, "" if it
    was."""
    answer = write_answer(mail, text, at=at)
    sender, recipient = mail.to[0], mail.answer_to
    domain = sender.rpartition("@")[2]
    try:
        raw = _signed(answer.as_bytes(policy=LINES), domain=domain)
        with _connect(domain) as connection:
            connection.sendmail(sender, [recipient], raw)
    except OSError as error:
        _code, said = explain(error)
        return said
    return ""


def write_answer(mail: StoredMail, text: str, *, at: datetime) -> EmailMessage:
    """What a mail program makes of `text`: with the mail quoted below, and headers that say what it answers."""
    answered = mail.parsed
    answer = EmailMessage()
    answer["From"], answer["To"] = mail.to[0], mail.answer_to
    answer["Subject"] = f"Re: {mail.subject}"
    answer["Date"] = format_datetime(at)
    answer["Message-ID"] = make_msgid(domain=mail.to[0].rpartition("@")[2])
    if named := str(answered["Message-ID"] or ""):
        answer["In-Reply-To"] = named
        answer["References"] = f"{answered['References'] or ''} {named}".strip()
    quoted = "".join(f"> {line}".rstrip() + "\n" for line in mail.text.splitlines())
    answer.set_content(
        f"{text}\n\nOn {at:%a, %d %b %Y at %H:%M}, {answered['From']} wrote:\n\n{quoted}", cte="quoted-printable"
    )
    return answer


def _connect(name: str) -> smtplib.SMTP:
    where = urlsplit(settings.REPLY_LISTEN)
    kind = smtplib.LMTP if where.scheme == "lmtp" else smtplib.SMTP
    return kind(where.path or where.hostname or "", where.port or 0, local_hostname=name, timeout=_TIMEOUT)


def _signed(raw: bytes, *, domain: str) -> bytes:
    """The mail with a signature of this domain (DKIM, RFC 6376), by a key of the site, which is good for every domain
    here and for none elsewhere."""
    key = read_or_generate(Path(settings.MAILBOX_KEY_FILE), _new_key).encode()
    read_or_generate(Path(settings.REPLY_LOCAL_KEYS), partial(_known_keys, key))
    signature: bytes = dkim.sign(raw, SELECTOR.encode(), domain.encode(), key, canonicalize=(b"relaxed", b"relaxed"))
    return signature + raw


def _new_key() -> str:
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    traditional = serialization.PrivateFormat.TraditionalOpenSSL
    return private.private_bytes(serialization.Encoding.PEM, traditional, serialization.NoEncryption()).decode()


def _known_keys(key: bytes) -> str:
    """The file that tells the public key, as DNS would tell it."""
    public = serialization.load_pem_private_key(key, password=None).public_key()
    public_key = public.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return json.dumps({f"{SELECTOR}._domainkey.*": f"v=DKIM1; k=rsa; p={b64encode(public_key).decode()}"})
