"""Mail that goes nowhere: it is stored as files, for the mailbox page of a site that is being tried out."""

from __future__ import annotations

import base64
import re
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.headerregistry import Address
from email.message import EmailMessage as Parsed, MIMEPart
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

MOST: Final = 500
"""Mails in the mailbox. The oldest are removed."""

_KEY: Final = re.compile(r"[0-9]{20}-[0-9a-f]{16}", re.ASCII)


class MailboxBackend(BaseEmailBackend):
    """Keeps each mail as a file in MAILBOX_DIR instead of sending it."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        for mail in email_messages:
            store_mail(mail.message().as_bytes())
        _forget(_keys()[:-MOST])
        return len(email_messages)


@dataclass(frozen=True, slots=True)
class StoredMail:
    """A mail of the mailbox, with the parts that its reader sees; `parsed` may hold the headers alone."""

    key: str
    parsed: Parsed

    @property
    def stored_at(self) -> datetime:
        return datetime.fromtimestamp(int(self.key[:20]) / 1e9, tz=UTC)

    @property
    def to(self) -> list[str]:
        """The addresses it went to, in lower case."""
        addresses: tuple[Address, ...] = self.parsed["To"].addresses if self.parsed["To"] else ()
        return [address.addr_spec.lower() for address in addresses]

    @property
    def answer_to(self) -> str:
        """Where an answer to it goes; empty where it names no address of its own for that."""
        addresses: tuple[Address, ...] = self.parsed["Reply-To"].addresses if self.parsed["Reply-To"] else ()
        return addresses[0].addr_spec if addresses else ""

    @property
    def subject(self) -> str:
        return str(self.parsed["Subject"] or "")

    @property
    def headers(self) -> list[tuple[str, str]]:
        return [(name, str(value)) for name, value in self.parsed.items()]

    @property
    def text(self) -> str:
        return _read_part(self.parsed.get_body(preferencelist=("plain",)))

    @property
    def html(self) -> str:
        """The HTML part, with the pictures that travel in the mail in the place of their ids."""
        html = _read_part(self.parsed.get_body(preferencelist=("html",)))
        for part in self.parsed.walk() if html else ():
            if part["Content-ID"]:
                content = base64.b64encode(part.get_content()).decode()
                data = f"data:{part.get_content_type()};base64,{content}"
                html = html.replace(f"cid:{part['Content-ID'].strip('<> ')}", data)
        return html


def store_mail(mail: bytes) -> str:
    """Write a mail to the mailbox, whole or not at all; returns its key."""
    key = f"{time.time_ns():020d}-{secrets.token_hex(8)}"
    path = _path(key)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    unfinished.write_bytes(mail)
    unfinished.replace(path)
    return key


def stored_mails(*, to: str = "") -> Iterator[StoredMail]:
    """The headers of all mails, newest first; with `to` of those whose address contains it. Reads a file for each."""
    parser = BytesHeaderParser(policy=policy.default)
    for key in reversed(_keys()):
        try:
            mail = StoredMail(key, parser.parsebytes(_path(key).read_bytes()))
        except FileNotFoundError:
            continue
        if not to or any(to.strip().lower() in address for address in mail.to):
            yield mail


def stored_mail(key: str) -> StoredMail | None:
    """One mail in full; None if there is none of that key (any more)."""
    if not _KEY.fullmatch(key):
        return None
    try:
        return StoredMail(key, message_from_bytes(_path(key).read_bytes(), policy=policy.default))
    except FileNotFoundError:
        return None


def forget_all() -> None:
    """Empty the mailbox."""
    _forget(_keys())


def _path(key: str) -> Path:
    return Path(settings.MAILBOX_DIR) / f"{key}.eml"


def _keys() -> list[str]:
    """Of all mails, oldest first."""
    return sorted(path.stem for path in Path(settings.MAILBOX_DIR).glob("*.eml"))


def _forget(keys: Sequence[str]) -> None:
    for key in keys:
        _path(key).unlink(missing_ok=True)


def _read_part(part: MIMEPart | None) -> str:
    return str(part.get_content()) if part is not None else ""
