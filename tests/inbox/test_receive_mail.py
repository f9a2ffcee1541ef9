"""`manage.py receive_mail` as mail servers call it: a mail on standard input, an exit code of sysexits.h."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from clans_site import run
from games.inbox import MOST_BYTES
from tests.inbox.ways import Inbox, inbox
from tests.servers import PATIENCE

SENDER = "alice@mail.example.com"
NOBODY = "turn+nobody@clans.example.com"


@pytest.fixture(scope="module")
def _site(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Iterator[Inbox]:
    with inbox(tmp_path_factory.mktemp("site"), django_db_blocker) as ours:
        yield ours


@pytest.fixture
def ours(_site: Inbox) -> Iterator[Inbox]:
    """A site that takes answers, with none so far."""
    yield _site
    _site.forget_all()


def receive(ours: Inbox, raw: bytes, *options: str, **environment: str) -> int:
    """The exit code."""
    done = subprocess.run(
        [sys.executable, "manage.py", "receive_mail", *options],
        cwd=run.BASE_DIR,
        env=ours.site.environment | environment,
        input=raw,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.stdout == b""
    assert bool(done.stderr) == bool(done.returncode)
    assert b"Traceback" not in done.stderr
    return done.returncode


def test_it_stores_the_mail_as_it_came(ours: Inbox) -> None:
    raw = ours.answer("Schöne Grüße\0").replace(b"\r\n", b"\n")
    assert receive(ours, raw, "--sender", SENDER, "--recipient", ours.recipient) == os.EX_OK
    [mail] = ours.mails
    assert mail.raw == raw
    assert (mail.sender, mail.player.email, mail.client, mail.helo) == (SENDER, ours.sender, None, "")


@pytest.mark.parametrize(
    ("client", "stored"), [("192.0.2.1", (None, "")), ("127.0.0.1", (None, "")), ("8.8.8.8", ("8.8.8.8", "mx"))]
)
def test_it_reads_the_environment_of_postfix(ours: Inbox, client: str, stored: tuple[str | None, str]) -> None:
    """With the host that brought it, where that is one of the net."""
    told = {"SENDER": SENDER, "RECIPIENT": "turn@clans.example.com", "ORIGINAL_RECIPIENT": ours.recipient}
    assert receive(ours, ours.answer(), **told, CLIENT_ADDRESS=client, CLIENT_HELO="mx") == os.EX_OK
    assert [(mail.sender, mail.client, mail.helo) for mail in ours.mails] == [(SENDER, *stored)]


def test_it_hears_from_its_call_who_brought_the_mail(ours: Inbox) -> None:
    brought = ("--client", "8.8.8.8", "--helo", "mx")
    assert receive(ours, ours.answer(), "--sender", SENDER, "--recipient", ours.recipient, *brought) == os.EX_OK
    assert receive(ours, b"Return-Path: <bob@example.com>\n" + ours.answer(number=2), *brought) == os.EX_OK
    assert [(mail.sender, mail.client, mail.helo) for mail in ours.mails] == [
        (SENDER, "8.8.8.8", "mx"),
        ("bob@example.com", None, ""),
    ]


@pytest.mark.parametrize("name", ["Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc"])
def test_it_reads_the_header_that_a_mail_server_wrote(ours: Inbox, name: str) -> None:
    raw = (
        f"Return-Path: <{SENDER}>\nDelivered-To: <clans@clans.example.com>\n"
        f"{name}: Clans <{NOBODY}>, Clans by mail <{ours.recipient}>\nFrom: {ours.sender}\n\nC4-D1\n"
    )
    assert receive(ours, f"From {SENDER} Mon Mar  2 20:00:00 2026\n{raw}".encode(), CLIENT_ADDRESS="8.8.8.8") == 0
    # Who brought it is told with the sender or not at all: the header may be anybody's.
    assert [(mail.raw.decode(), mail.sender, mail.client) for mail in ours.mails] == [(raw, SENDER, None)]


@pytest.mark.parametrize("sender", ["", "<>", "MAILER-DAEMON"])
def test_it_knows_a_mail_without_a_sender(ours: Inbox, sender: str) -> None:
    raw = b"Return-Path: <mallory@example.com>\n" + ours.answer()
    assert receive(ours, raw, "--sender", sender, "--recipient", ours.recipient) == os.EX_OK
    assert [mail.sender for mail in ours.mails] == [""]


def test_it_takes_the_writer_for_the_sender_where_nobody_says(ours: Inbox) -> None:
    """No sender at all would make it the answer of a program."""
    for number, told in enumerate((b"", b"Return-Path: <>\n")):
        assert receive(ours, told + ours.answer(number=number)) == os.EX_OK
    assert [mail.sender for mail in ours.mails] == [ours.sender, ""]


def test_it_says_by_its_exit_code_why_it_took_nothing(ours: Inbox) -> None:
    to_us = ("--sender", SENDER, "--recipient", ours.recipient)
    assert receive(ours, ours.answer(), "--sender", SENDER, "--recipient", NOBODY) == os.EX_NOUSER
    assert receive(ours, b"Subject: Whose?\n\nC4-D1\n") == os.EX_NOUSER
    assert receive(ours, ours.answer("x" * MOST_BYTES), *to_us) == os.EX_DATAERR
    assert receive(ours, b"", *to_us) == os.EX_USAGE
    assert receive(ours, ours.answer(), "--from", SENDER) == os.EX_USAGE
    assert ours.mails == []


def test_it_asks_for_another_try_while_database_or_setting_is_away(ours: Inbox) -> None:
    to_us = ("--sender", SENDER, "--recipient", ours.recipient)
    with sqlite3.connect(ours.site.folder / "clans.sqlite3", timeout=PATIENCE) as database:
        database.execute("ALTER TABLE games_inboundmail RENAME TO elsewhere")
    assert receive(ours, ours.answer(), *to_us) == os.EX_TEMPFAIL
    with sqlite3.connect(ours.site.folder / "clans.sqlite3", timeout=PATIENCE) as database:
        database.execute("ALTER TABLE elsewhere RENAME TO games_inboundmail")
    assert receive(ours, ours.answer(), *to_us, REPLY_ADDRESS="") == os.EX_TEMPFAIL
    away = {"DATABASE_URL": "postgres://clans@127.0.0.1:1/clans"}
    assert receive(ours, ours.answer(), *to_us, **away) == os.EX_TEMPFAIL
    assert receive(ours, ours.answer(), *to_us) == os.EX_OK
    assert len(ours.mails) == 1
