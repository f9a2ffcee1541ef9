"""What speaks HTTP in the processes of gunicorn: waitress, which gives a request to a thread when all of it is there.

gunicorn's own threads read the request and write the answer themselves, so that a few clients who send or read a byte
at a time hold all of them. Here one loop reads and writes for all clients, and the threads only make answers.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any, Final

from django.conf import settings
from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, ThreadedTaskDispatcher, WSGITask

BODY: Final = 2**20
"""Bytes of a request's body, all kept in memory; what is longer gets 413 at once. No form of this site is a tenth of
it, but a mail provider tells of many bounces at once."""
HEADERS: Final = 2**15
CLIENTS: Final = 500
"""Connections of one process; further clients wait until one closes."""
SENDING: Final = 30
"""Seconds that a client has to send its whole request."""
READING: Final = 120
"""Seconds that it has to read the answer."""
IDLE: Final = 150
"""Seconds that a connection stays open for another request: longer than proxies keep one (Caddy 120 s), or they would
send one just as it closes."""
TICK: Final = 1.0


class HeadTask(WSGITask):  # type: ignore[misc]
    """Sends no body for HEAD. Django makes one as for GET, and waitress would send it."""

    chunked_response: bool

    def write(self, data: bytes) -> None:
        is_head = self.request.command == "HEAD"
        super().write(b"" if is_head else data)
        self.chunked_response = self.chunked_response and not is_head


class PlainErrorTask(ErrorTask):  # type: ignore[misc]
    """What Django never sees, since it is no request or too large: a line that repeats nothing of it."""

    def execute(self) -> None:
        error = self.request.error
        body = f"{error.reason}\n".encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers.extend(_headers_of_errors())
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class SlowClientChannel(HTTPChannel):  # type: ignore[misc]
    """A connection that knows since when it keeps the site waiting."""

    task_class = HeadTask
    error_task_class = PlainErrorTask

    sends_since: float | None = None
    reads_since: float | None = None

    def received(self, data: bytes) -> bool:
        now = time.monotonic()
        kept = bool(super().received(data))
        self.reads_since = None
        self.sends_since = None if self.request is None else self.sends_since or now
        return kept

    def is_overdue(self, now: float) -> bool:
        """Whether the client takes too long to send a request or to read an answer."""
        self.reads_since = self.reads_since or now if self.total_outbufs_len and not self.requests else None
        return (self.sends_since is not None and now - self.sends_since > SENDING) or (
            self.reads_since is not None and now - self.reads_since > READING
        )

    def is_busy(self) -> bool:
        """Whether an answer is being made or sent."""
        return bool(self.requests or self.total_outbufs_len)


class Server(TcpWSGIServer):  # type: ignore[misc]
    channel_class = SlowClientChannel

    looks_next: float = 0.0

    def close_overdue(self, now: float) -> None:
        """Close the connections of clients who take too long, once a TICK. Call it between two turns of the loop.

        Within one (in `maintenance`) a new client could get the file number of a connection that was just closed, and
        be closed by the event that belongs to that one.
        """
        if now < self.looks_next:
            return
        self.looks_next = now + TICK
        for channel in list(self.active_channels.values()):
            if channel.is_overdue(now):
                channel.handle_close()

    def stop_accepting(self) -> None:
        """Leave new clients to other processes."""
        self.accepting = False
        self.del_channel()


class BufferedWorker(Worker):  # type: ignore[misc]
    """A process of gunicorn: it is started, watched, replaced and stopped as any other."""

    servers: Sequence[Server] = ()

    def run(self) -> None:
        self.listen()
        while self.alive and self.ppid == os.getppid():
            self.turn()
        self._finish()
        # Threads that have nothing to do need a moment to end. For one that never ends, gunicorn ends the process.
        self.dispatcher.shutdown(timeout=self.cfg.graceful_timeout)

    def listen(self) -> None:
        """Start the threads, and wait for clients in every `turn` from now on."""
        self.files: dict[int, Any] = {}
        self.dispatcher = ThreadedTaskDispatcher()
        self.dispatcher.set_thread_count(self.cfg.threads)
        adjustments = _adjustments(self.cfg.threads)
        self.servers = [
            Server(
                self.wsgi,
                map=self.files,
                _sock=listener.sock,
                dispatcher=self.dispatcher,
                adj=adjustments,
                sockinfo=(listener.sock.family, listener.sock.type, listener.sock.proto, listener.getsockname()),
                bind_socket=False,
            )
            for listener in self.sockets
        ]

    def turn(self) -> None:
        """Read and write whatever can be read and written, close who is too slow, and tell gunicorn that this process
        lives."""
        self.notify()
        wasyncore.loop(timeout=TICK, use_poll=True, map=self.files, count=1)
        for server in self.servers:
            server.close_overdue(time.monotonic())

    def _finish(self) -> None:
        """Give clients whose requests are there their answers, as long as gunicorn waits."""
        deadline = time.monotonic() + float(self.cfg.graceful_timeout)
        for server in self.servers:
            server.stop_accepting()
        while self._is_busy() and time.monotonic() < deadline:
            self.turn()

    def _is_busy(self) -> bool:
        return any(channel.is_busy() for server in self.servers for channel in server.active_channels.values())

    def handle_exit(self, sig: int, frame: object) -> None:
        super().handle_exit(sig, frame)
        # The loop would look up only when its turn is over.
        for server in self.servers:
            server.pull_trigger()


def _headers_of_errors() -> list[tuple[str, str]]:
    """Those that Django's middleware gives to all other answers."""
    headers = [
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Cache-Control", "no-store"),
        ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
        ("Cross-Origin-Opener-Policy", settings.SECURE_CROSS_ORIGIN_OPENER_POLICY),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Permissions-Policy", ", ".join(f"{feature}=()" for feature in settings.PERMISSIONS_POLICY)),
        ("Referrer-Policy", settings.SECURE_REFERRER_POLICY),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", settings.X_FRAME_OPTIONS),
    ]
    if settings.SECURE_HSTS_SECONDS:
        headers.append(("Strict-Transport-Security", f"max-age={settings.SECURE_HSTS_SECONDS}"))
    return headers


def _adjustments(threads: int) -> Adjustments:
    return Adjustments(
        threads=threads,
        ident="",
        # Whose word counts is for Django to say (TRUSTED_PROXIES).
        clear_untrusted_proxy_headers=False,
        connection_limit=CLIENTS,
        max_request_body_size=BODY,
        inbuf_overflow=2 * BODY,
        max_request_header_size=HEADERS,
        channel_timeout=IDLE,
        cleanup_interval=2,
        asyncore_use_poll=True,
    )
