"""Hosts that webhooks are called at: real servers on this machine, which listen well, badly or not at all."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.servers import in_background

HERE = "127.0.0.1"
NAME = "hooks.example"
"""What the certificates are for."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One call as it came in."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Ear:
    """A host that hears calls, and answers each after `pause` seconds: by the next of `answers`, then `status`."""

    port: int
    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    answers: list[int] = field(default_factory=list)
    heard: list[Heard] = field(default_factory=list)
    pause: float = 0
    unanswered: int = 0
    most_unanswered: int = 0

    def url(self, path: str = "/hook") -> str:
        return f"http://{HERE}:{self.port}{path}"


@contextmanager
def open_ear(tls: ssl.SSLContext | None = None) -> Iterator[Ear]:
    class Handler(BaseHTTPRequestHandler):
        timeout = 10

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            ear.heard.append(Heard(self.path, dict(self.headers), body))
            ear.unanswered += 1
            ear.most_unanswered = max(ear.most_unanswered, ear.unanswered)
            time.sleep(ear.pause)
            ear.unanswered -= 1
            self.send_response(ear.answers.pop(0) if ear.answers else ear.status)
            for name, value in {"Content-Length": "0", **ear.headers}.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Nothing is said."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """A caller that hangs up is what some tests are about."""

    with Server((HERE, 0), Handler) as server:
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        ear = Ear(server.server_port)
        with in_background(server):
            yield ear


@contextmanager
def open_crank(speak: Callable[[socket.socket], None]) -> Iterator[int]:
    """A host that takes one connection and does with it what `speak` does; its port."""
    with socket.create_server((HERE, 0)) as server:
        server.settimeout(20)

        def run() -> None:
            with suppress(OSError):
                caller, _address = server.accept()
                with caller:
                    speak(caller)

        thread = threading.Thread(target=run)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            thread.join(20)


def make_certificate(folder: Path, *, name: str = NAME) -> Path:
    """A file with a certificate that signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{name}.pem"
    file.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return file
