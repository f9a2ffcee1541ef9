"""A mail provider on a real socket, and a site that uses one."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pytest_django import Settings

from tests.servers import PATIENCE, in_background

SECRET = "anymail:the-lake-is-frozen"
CUT, STALL = 0, 1
ACCEPTED = json.dumps({"ErrorCode": 0, "Message": "OK", "MessageID": "b7bc2f4a", "To": "a@b.c"})


@dataclass
class Provider:
    """A server that talks as Postmark does. `answers` are a status and a body for the next calls; no body: silence."""

    port: int = 0
    answers: list[tuple[int, str]] = field(default_factory=list)
    mails: list[dict[str, Any]] = field(default_factory=list)
    connections: int = 0
    over: threading.Event = field(default_factory=threading.Event)


class Call(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    office: Provider

    def setup(self) -> None:
        super().setup()
        self.office.connections += 1

    def do_POST(self) -> None:
        mails = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.office.mails.extend(mails if isinstance(mails, list) else [mails])
        status, body = self.office.answers.pop(0) if self.office.answers else (200, ACCEPTED)
        if status == CUT:
            self.close_connection = True
            return
        if status == STALL:
            self.office.over.wait(PATIENCE)
            self.close_connection = True
            return
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing."""


@contextmanager
def open_provider() -> Iterator[Provider]:
    office = Provider()
    with ThreadingHTTPServer(("127.0.0.1", 0), type("OneCall", (Call,), {"office": office})) as server:
        office.port = server.server_address[1]
        with in_background(server):
            try:
                yield office
            finally:
                office.over.set()


def use(settings: Settings, name: str, **options: object) -> None:
    """What EMAIL_URL=anymail+NAME://?option=value makes of the settings."""
    settings.MAIL_PROVIDER = name
    settings.EMAIL_BACKEND = "games.mail.transport.provider.ProviderBackend"
    own = {f"{name}_{option}".upper(): value for option, value in options.items()}
    settings.ANYMAIL = own | {
        "IGNORE_UNSUPPORTED_FEATURES": True,
        "WEBHOOK_SECRET": SECRET,
    }


def basic(secret: str) -> dict[str, str]:
    """Name and password as a header has them."""
    return {"Authorization": f"Basic {base64.b64encode(secret.encode()).decode()}"}
