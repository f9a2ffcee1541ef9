"""A server that takes answers in: LMTP for a mail server beside it, or SMTP for any host that brings a mail.

Only the process that listens has this in memory. The loop never waits for the database, whose work is done by a few
threads. Clients are bounded in number, in time and in bytes, so a slow or a loud one holds nobody up for long.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import urlsplit

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope as SmtpEnvelope, Session
from django.conf import settings
from django.db import Error as DatabaseFault, close_old_connections
from django.utils import timezone

from games.inbox.envelope import Envelope, public_host
from games.inbox.reading import MOST_BYTES
from games.inbox.receiving import MailRefused, is_ours, receive, tell

logger = logging.getLogger(__name__)

CONNECTIONS: Final = 100
"""At a time. Whoever comes beyond is told to come again."""
THREADS: Final = 4
"""That work with the database."""
SILENCE: Final = 60
"""Seconds for each command, and for all of a mail."""
LIFETIME: Final = 600
"""Seconds for a connection. Mail servers use one for less than that."""
GRACE: Final = 5
"""Seconds in which the mails in hand are finished when the process is to end; less than clans_site.run waits for it."""

# What a client may send for one mail before it is cut off. A mail that is too large is refused, but read to its end.
_MOST_SENT: Final = 3 * MOST_BYTES
# Some programs write HTML in lines that are longer than they may be. Such a line is better read than refused.
_LONGEST_LINE: Final = 100_000

BUSY: Final = "421 4.3.2 Too many connections, please try again later"
GOING: Final = "421 4.3.2 Going down, please try again later"
TAKEN: Final = "250 2.0.0 Taken in"
UNKNOWN: Final = "550 5.1.1 There is no such address"
NOT_NOW: Final = "451 4.3.0 Not now, please try again later"
ONE_RECIPIENT: Final = "452 4.5.3 One recipient at a time"
TOO_LARGE: Final = "552 5.3.4 The mail is too large"
FULL: Final = "452 4.2.2 Too many mails, please try again later"
REFUSED: Final = "550 5.7.1 The mail is refused"
_ANSWERS: Final = {"no-such-address": UNKNOWN, "too-large": TOO_LARGE, "too-many": FULL}

Done = TypeVar("Done")


class AnswerServer:
    """Takes answers in until it is told to stop."""

    def __init__(self) -> None:
        self.connections: set[_SmtpConnection] = set()
        self.is_stopping = False
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="inbox")

    async def run(self, address: str, *, stop: asyncio.Event) -> None:
        """Listen at an address such as REPLY_LISTEN has until `stop` is set, then finish the mails in hand. Raises
        OSError where it cannot listen."""
        loop, where = asyncio.get_running_loop(), urlsplit(address)
        answer = partial(self._protocol, _LmtpConnection if where.scheme == "lmtp" else _SmtpConnection)
        if where.path:
            listener = await loop.create_unix_server(answer, where.path)
        else:
            listener = await loop.create_server(answer, where.hostname, where.port or 0)
        try:
            await stop.wait()
        finally:
            listener.close()
            await self._finish()
            if where.path:
                Path(where.path).unlink(missing_ok=True)

    def _protocol(self, kind: type[_SmtpConnection]) -> asyncio.Protocol:
        return _Busy() if len(self.connections) >= CONNECTIONS else kind(self)

    async def _finish(self) -> None:
        self.is_stopping = True
        for connection in list(self.connections):
            connection.leave_unless_in_hand()
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                while self.connections:
                    await asyncio.sleep(0.02)
        for connection in list(self.connections):
            connection.cut()
        # A mail that a thread has begun to store is stored; if its client heard nothing, it comes again and is known.
        await asyncio.get_running_loop().run_in_executor(None, self._pool.shutdown)

    async def ask(self, work: Callable[..., Done], *args: object) -> Done:
        """What `work` returns, which is done by a thread that has the database."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, partial(_with_database, work, *args))

    async def handle_RCPT(  # noqa: N802 - the names are aiosmtpd's
        self, server: SMTP, session: Session, envelope: SmtpEnvelope, address: str, options: list[str]
    ) -> str:
        # So one answer to the mail is the answer for its recipient, in LMTP, too. A token goes to one player.
        if envelope.rcpt_tos:
            return ONE_RECIPIENT
        if not await self.ask(is_ours, address):
            return UNKNOWN
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: SmtpEnvelope) -> str:  # noqa: N802
        known = Envelope(
            sender="" if envelope.mail_from in {None, "<>"} else str(envelope.mail_from),
            recipient=envelope.rcpt_tos[0],
            **_brought_by(session, is_lmtp=isinstance(server, LMTP)),
        )
        return await self.ask(_take_in, envelope.original_content or b"", known)

    async def handle_exception(self, error: Exception) -> str:
        """What a client is told when something failed: the mail comes again."""
        if isinstance(error, DatabaseFault):
            logger.warning("a mail is put off, the database is away: %s", tell(error))
        else:
            logger.error("a mail is put off", exc_info=error)
        return NOT_NOW


def _take_in(raw: bytes, envelope: Envelope) -> str:
    try:
        receive(raw, envelope, at=timezone.now())
    except MailRefused as error:
        return _ANSWERS.get(error.code, NOT_NOW if error.is_for_now else REFUSED)
    return TAKEN


def _with_database(work: Callable[..., Done], *args: object) -> Done:
    close_old_connections()
    try:
        return work(*args)
    finally:
        close_old_connections()


def _brought_by(session: Session, *, is_lmtp: bool) -> dict[str, str]:
    """The host that brought the mail and what it calls itself, where that is a host of the net: what a mail server
    beside this one hands over says nothing of the sender's."""
    peer: object = session.peer
    client = public_host(str(peer[0])) if isinstance(peer, tuple) and not is_lmtp else ""
    return {"client": client, "helo": session.host_name or ""} if client else {}


class _Busy(asyncio.Protocol):
    """A client too many."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.WriteTransport):
            transport.write(f"{BUSY}\r\n".encode())
        transport.close()


class _SmtpConnection(SMTP):
    """A client that speaks SMTP. Its connection ends when it has lasted or sent too much, or the server goes down."""

    line_length_limit = _LONGEST_LINE

    def __init__(self, server: AnswerServer) -> None:
        super().__init__(
            server,
            data_size_limit=MOST_BYTES,
            hostname=settings.MAIL_DOMAIN,
            ident="Clans by mail",
            timeout=SILENCE,
            loop=asyncio.get_running_loop(),
        )
        self._server = server
        self._sent = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._server.connections.add(self)
        self._end = self.loop.call_later(LIFETIME, transport.close)

    def connection_lost(self, error: Exception | None) -> None:
        self._end.cancel()
        self._server.connections.discard(self)
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        self._sent += len(data)
        if self._sent > _MOST_SENT:
            self._say_goodbye(TOO_LARGE)
        else:
            super().data_received(data)

    async def smtp_MAIL(self, arg: str | None) -> None:  # noqa: N802
        self._sent = 0
        await super().smtp_MAIL(arg)

    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802
        await super().smtp_DATA(arg)
        if self._server.is_stopping:
            self._say_goodbye(GOING)

    def leave_unless_in_hand(self) -> None:
        """Say goodbye, unless a mail is on its way."""
        if not (self.envelope and self.envelope.mail_from):
            self._say_goodbye(GOING)

    def cut(self) -> None:
        """End the connection at once."""
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()

    def _say_goodbye(self, answer: str) -> None:
        if isinstance(self.transport, asyncio.WriteTransport) and not self.transport.is_closing():
            self.transport.write(f"{answer}\r\n".encode())
            self.transport.close()


class _LmtpConnection(_SmtpConnection, LMTP):
    """The same for a mail server that speaks LMTP."""
