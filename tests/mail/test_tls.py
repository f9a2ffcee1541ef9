"""Mail over TLS: by STARTTLS and from the first byte, to a real server; and what goes wrong before the two agree."""

from __future__ import annotations

import os
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Any
from urllib.parse import urlsplit

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.core.mail import EmailMessage
from django.utils import timezone
from pytest_django import Settings

from games import mail
from games.mail.transport.connection import Connection, Outcome, outcome_of
from games.models import Mail, Notice
from tests.cast import AT
from tests.mail.post_office import PostOffice, open_post_office
from tests.servers import in_background

HOST = "127.0.0.1"
STARTTLS, FIRST_BYTE = "submission://clans:s%40fe@127.0.0.1:{0}", "submission://clans:s%40fe@127.0.0.1:{0}?ssl=1"
SMTPS = "smtps://clans:s%40fe@127.0.0.1:{0}"


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of our own for this machine, with its key."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = timezone.now()
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(HOST))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    as_pem = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file = tmp_path_factory.mktemp("tls") / "own.pem"
    file.write_bytes(key.private_bytes(*as_pem) + made.public_bytes(serialization.Encoding.PEM))
    return file


def may_enter(_server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, data: Any) -> AuthResult:
    """For the user of EMAIL_URL, with the password in it, alone."""
    is_known = isinstance(data, LoginPassword) and (data.login, data.password) == (b"clans", b"s@fe")
    return AuthResult(success=is_known, handled=False)


@contextmanager
def open_safe_office(certificate: Path, *, first_byte: bool) -> Iterator[PostOffice]:
    """A mail server that takes mail over TLS alone, from whom it knows."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    if first_byte:
        # aiosmtpd counts STARTTLS alone as safe enough for a password.
        tls: dict[str, Any] = {"ssl_context": context, "auth_require_tls": False}
    else:
        tls = {"tls_context": context, "require_starttls": True, "auth_required": True}
    with open_post_office(authenticator=may_enter, **tls) as office:
        yield office


def send_test_mail(url: str, certificate: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """What became of a test mail by the server of this EMAIL_URL."""
    environment = {
        "PATH": os.environ["PATH"],
        "VAR_DIR": str(folder),
        "EMAIL_URL": url,
        "SSL_CERT_FILE": str(certificate),
    }
    command = [sys.executable, "manage.py", "sendtestemail", "alice@example.com"]
    return subprocess.run(command, env=environment, check=False, timeout=60, capture_output=True, text=True)


@pytest.mark.parametrize(("url", "first_byte"), [(STARTTLS, False), (FIRST_BYTE, True), (SMTPS, True)])
def test_it_mails_over_tls_as_the_address_of_the_server_says(
    url: str, first_byte: bool, certificate: Path, tmp_path: Path
) -> None:
    with open_safe_office(certificate, first_byte=first_byte) as office:
        done = send_test_mail(url.format(office.port), certificate, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"The mail was sent by 127.0.0.1:{office.port}.\n"
    assert office.to == ["alice@example.com"]


@pytest.mark.parametrize(
    ("url", "says"),
    [
        (
            FIRST_BYTE.replace("s%40fe", "wrong"),
            "SMTPAuthenticationError: (535, b'5.7.8 Authentication credentials invalid')",
        ),
        ("smtp://127.0.0.1:1", "ConnectionRefusedError: [Errno 111] Connection refused"),
    ],
)
def test_a_test_mail_says_in_one_line_why_it_was_not_sent(
    url: str, says: str, certificate: Path, tmp_path: Path
) -> None:
    with open_safe_office(certificate, first_byte=True) as office:
        done = send_test_mail(url.format(office.port), certificate, tmp_path)
    server = f"127.0.0.1:{urlsplit(url.format(office.port)).port}"
    assert (done.returncode, done.stderr) == (1, f"CommandError: The mail was not sent by {server}. {says}\n")


# --- What goes wrong -------------------------------------------------------------------------------


class Talk(StreamRequestHandler):
    """One connection, which goes wrong where TLS begins."""

    first_byte: bool
    how: str

    def handle(self) -> None:
        if not self.first_byte:
            self.lead_to_tls()
        match self.how:
            case "stall":
                while self.connection.recv(4096):
                    """Until the client has had enough."""
            case "babble":
                self.say("250 is this not what you asked for?")
                self.connection.recv(4096)

    def lead_to_tls(self) -> None:
        self.say("220 ready")
        self.rfile.readline()
        self.say("250 here" if self.how == "none" else "250-here\r\n250 STARTTLS")
        self.rfile.readline()
        self.say({"busy": "454 TLS not available", "never": "554 no TLS for you"}.get(self.how, "220 go ahead"))

    def say(self, answer: str) -> None:
        self.wfile.write(f"{answer}\r\n".encode())


@contextmanager
def open_server_that_fails(how: str, *, first_byte: bool) -> Iterator[int]:
    """Its port."""
    talk = type("OneTalk", (Talk,), {"how": how, "first_byte": first_byte})
    with ThreadingTCPServer((HOST, 0), talk) as server, in_background(server):
        yield server.server_address[1]


def use(settings: Settings, port: int, *, first_byte: bool) -> None:
    """What EMAIL_URL makes of the settings."""
    settings.EMAIL_BACKEND = "games.mail.transport.connection.SmtpBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = HOST, port
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "clans", "s@fe"
    settings.EMAIL_USE_SSL, settings.EMAIL_USE_TLS = first_byte, not first_byte


@pytest.mark.parametrize("how", ["stall", "cut", "babble"])
@pytest.mark.parametrize("first_byte", [False, True], ids=["STARTTLS", "first byte"])
def test_it_has_surely_not_sent_what_met_no_tls(
    how: str, first_byte: bool, certificate: Path, settings: Settings, turn: Notice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    settings.EMAIL_TIMEOUT = 0.5 if how == "stall" else 10
    with open_server_that_fails(how, first_byte=first_byte) as port:
        use(settings, port, first_byte=first_byte)
        assert mail.deliver(turn.pk, at=AT) == Notice.State.DUE
        assert mail.sweep(at=AT) == 0
    turn.refresh_from_db()
    row = Mail.objects.get(notices=turn)
    assert (row.attempts, row.dated_at) == (1, None), "one that may have gone out keeps its date"

    settings.EMAIL_TIMEOUT = 10
    with open_safe_office(certificate, first_byte=first_byte) as office:
        use(settings, office.port, first_byte=first_byte)
        assert mail.sweep(at=turn.due_at) == 3
    assert row.message_id in office.ids


@pytest.mark.parametrize("how", ["none", "busy", "never"])
def test_it_sends_nothing_in_the_clear_where_tls_is_wanted(how: str, settings: Settings) -> None:
    with open_server_that_fails(how, first_byte=False) as port:
        use(settings, port, first_byte=False)
        with Connection() as connection, pytest.raises(OSError) as caught:
            connection.send(EmailMessage("Your turn", "It is your turn.", to=["a@b.c"]))
    assert outcome_of(caught.value) is Outcome.NOT_SENT


@pytest.mark.parametrize("first_byte", [False, True], ids=["STARTTLS", "first byte"])
def test_it_shows_no_mail_to_a_server_that_nobody_vouches_for(
    first_byte: bool, certificate: Path, settings: Settings
) -> None:
    with open_safe_office(certificate, first_byte=first_byte) as office:
        use(settings, office.port, first_byte=first_byte)
        with Connection() as connection, pytest.raises(ssl.SSLCertVerificationError) as caught:
            connection.send(EmailMessage("Your turn", "It is your turn.", to=["a@b.c"]))
    assert outcome_of(caught.value) is Outcome.NOT_SENT
    assert not office.mails
