"""A real mail server for tests: it listens on a free port, keeps what it takes on and answers as a test tells it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.servers import free_port

OK = "250 OK"


@dataclass
class PostOffice:
    """The handler of the server; `mails` are those it took on, in order."""

    port: int = 0
    mails: list[EmailMessage] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    senders: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    """Answers to RCPT by address."""
    answers: list[str] = field(default_factory=list)
    """Answers to the next mails; what starts with 2 takes the mail on."""
    connections: int = 0

    async def handle_EHLO(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        self.connections += 1
        session.host_name = hostname
        return responses

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        answer = self.refused.get(address, OK)
        if answer == OK:
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        answer = self.answers.pop(0) if self.answers else OK
        if answer.startswith("2"):
            assert isinstance(envelope.content, bytes)
            self.raw.append(envelope.content)
            self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
            self.senders.append(envelope.mail_from or "")
        return answer

    @property
    def ids(self) -> list[str]:
        return [str(mail["Message-ID"]) for mail in self.mails]

    @property
    def to(self) -> list[str]:
        return [str(mail["To"]) for mail in self.mails]


@contextmanager
def open_post_office(**options: Any) -> Iterator[PostOffice]:
    """A server that is up; `options` are aiosmtpd's own."""
    office = PostOffice(port=free_port())
    controller = Controller(office, hostname="127.0.0.1", port=office.port, **options)
    controller.start()
    office.connections = 0
    try:
        yield office
    finally:
        controller.stop()
