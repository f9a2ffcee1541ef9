"""The process that fetches answers from a mailbox: real Dovecot, real processes."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from games.inbox import MOST_BYTES
from games.inbox.polling import PAUSE
from tests.inbox.imap_server import ImapServer, open_imap_server
from tests.inbox.ways import Inbox, inbox
from tests.servers import PATIENCE, wait_until

SEEN = r"\Seen"
OTHERS = b"Return-Path: <bob@example.com>\r\nTo: alice@example.com\r\nSubject: Lunch\r\n\r\nC4-D1\r\n"


@pytest.fixture(scope="module")
def _site(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Iterator[Inbox]:
    with inbox(tmp_path_factory.mktemp("site"), django_db_blocker) as ours:
        yield ours


@pytest.fixture
def server() -> Iterator[ImapServer]:
    """A mailbox with a mail that is none of our business."""
    with open_imap_server() as server:
        server.deliver(OTHERS)
        yield server


@pytest.fixture
def ours(_site: Inbox, server: ImapServer) -> Iterator[Inbox]:
    """A site that looks into that mailbox, and has no answer so far."""
    _site.site.environment["REPLY_MAILBOX"] = server.url
    (_site.site.folder / "mailbox.log").unlink(missing_ok=True)
    yield _site
    _site.site.stop()
    _site.forget_all()


def poll_once(ours: Inbox, *options: str) -> str:
    return ours.site.manage("poll_mailbox", "--once", *options)


def wait_for_mails(ours: Inbox, count: int, *, patience: float = PATIENCE) -> None:
    def they_are_there() -> bool:
        ours.site.check_alive()
        return len(ours.mails) == count

    wait_until(they_are_there, what=f"{count} mails", patience=patience)


def test_it_takes_in_answers_and_marks_them_as_read_alone(ours: Inbox, server: ImapServer) -> None:
    server.deliver(ours.answer(number=1), flags=SEEN)
    server.deliver(OTHERS, flags=r"(\Deleted)")
    server.deliver(b"Return-Path: <alice@mail.example.com>\r\n" + ours.answer(number=2))
    server.deliver(ours.answer().replace(ours.secret.encode(), b"nobody"), ours.answer("x" * MOST_BYTES))
    assert poll_once(ours) == "Answers taken in: 1\n"
    [mail] = ours.mails
    assert mail.raw == b"Return-Path: <alice@mail.example.com>\r\n" + ours.answer(number=2)
    assert (mail.sender, mail.client, mail.player.email) == ("alice@mail.example.com", None, ours.sender)
    assert server.flags == ["", SEEN, r"\Deleted", SEEN, "", ""]
    assert poll_once(ours) == "Answers taken in: 0\n"


def test_it_deletes_what_it_took_in_if_it_is_told(ours: Inbox, server: ImapServer) -> None:
    server.deliver(OTHERS, flags=r"(\Deleted)")
    server.deliver(ours.answer())
    assert poll_once(ours, "--delete") == "Answers taken in: 1\n"
    assert server.flags == ["", r"\Deleted"]


def test_it_leaves_a_mail_unread_that_it_could_not_store(ours: Inbox, server: ImapServer) -> None:
    server.deliver(ours.answer())
    ours.site.environment["DATABASE_URL"] = "postgres://clans@127.0.0.1:1/clans"
    with pytest.raises(subprocess.CalledProcessError):
        poll_once(ours)
    del ours.site.environment["DATABASE_URL"]
    assert server.flags == ["", ""]
    assert poll_once(ours) == "Answers taken in: 1\n"


def test_it_is_told_of_mails_at_once(ours: Inbox, server: ImapServer) -> None:
    ours.site.start("mailbox")
    server.deliver(ours.answer(number=1))
    wait_for_mails(ours, 1)
    for number in (2, 3):
        wait_until(lambda: is_idle(server), what="IDLE")
        server.deliver(ours.answer(number=number))
        wait_for_mails(ours, number, patience=PAUSE / 2)
    wait_until(lambda: server.flags == ["", SEEN, SEEN, SEEN], what="flags")
    ours.site.processes["mailbox"].send_signal(signal.SIGTERM)
    assert ours.site.processes.pop("mailbox").wait(PATIENCE) == 0
    assert "Traceback" not in ours.site.log("mailbox")
    assert ours.site.log("mailbox").count("answers taken in from the mailbox: 1\n") == 3


def is_idle(server: ImapServer) -> bool:
    """Whether the server has a client that waits: its processes say in their titles what they do."""
    assert server.process is not None
    command = ["ps", "--ppid", str(server.process.pid), "-o", "args"]
    ps = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return any("IDLE" in line and "dovecot/imap" in line for line in ps.stdout.splitlines())


def test_it_comes_back_when_the_server_does(ours: Inbox, server: ImapServer) -> None:
    server.deliver(ours.answer(number=1))
    ours.site.start("mailbox")
    wait_for_mails(ours, 1)
    server.stop()
    wait_until(lambda: "looked into again in 2 s" in ours.site.log("mailbox"), what="a second try")
    server.start()
    server.deliver(ours.answer(number=2))
    wait_for_mails(ours, 2)
    assert "Traceback" not in ours.site.log("mailbox")
    wait_until(lambda: server.flags == ["", SEEN, SEEN], what="flags")


def test_it_finishes_the_mail_in_hand_when_it_is_to_end(ours: Inbox, server: ImapServer) -> None:
    """What is stored is marked, what is not is unread, and so each mail is stored once."""
    server.deliver(*(ours.answer(number=number) for number in range(40)))
    ours.site.start("mailbox")
    wait_until(lambda: len(ours.mails) >= 3, what="some mails")
    ours.site.processes["mailbox"].send_signal(signal.SIGTERM)
    assert ours.site.processes.pop("mailbox").wait(PATIENCE) == 0
    stored = len(ours.mails)
    assert server.flags == [""] + [SEEN] * stored + [""] * (40 - stored)
    poll_once(ours)
    assert [mail.fingerprint for mail in ours.mails] == list(dict.fromkeys(mail.fingerprint for mail in ours.mails))
    assert len(ours.mails) == 40


def test_it_asks_a_server_that_does_not_tell(ours: Inbox) -> None:
    with open_imap_server(more="imap_capability = IMAP4rev1 LITERAL+") as server:
        with server.client() as client:
            assert b"IDLE" not in client.capability()[1][0]
        server.deliver(ours.answer())
        ours.site.environment["REPLY_MAILBOX"] = server.url
        ours.site.start("mailbox")
        wait_for_mails(ours, 1)
        started = time.monotonic()
        ours.site.processes["mailbox"].send_signal(signal.SIGTERM)
        assert ours.site.processes.pop("mailbox").wait(PATIENCE) == 0
        assert time.monotonic() - started < PAUSE / 2
        # Nothing but Seen: without UIDPLUS, to delete one mail for good would delete those that others have marked.
        server.deliver(ours.answer(number=2))
        poll_once(ours, "--delete")
        assert server.flags == [SEEN, r"\Deleted \Seen"]


def test_it_says_in_one_line_what_it_lacks(ours: Inbox, server: ImapServer) -> None:
    wrong = {
        "": "This needs REPLY_MAILBOX",
        server.url.replace("clans:", "clans:x"): f"The mailbox at 127.0.0.1:{server.port} cannot be read: ",
        "imap://clans:x@127.0.0.1:1": "The mailbox at 127.0.0.1:1 cannot be read: ",
        "imaps://clans:x@imap.invalid": "The mailbox at imap.invalid:993 cannot be read: ",
    }
    for url, said in wrong.items():
        ours.site.environment["REPLY_MAILBOX"] = url
        ours.site.start("mailbox", "--once")
        assert ours.site.processes.pop("mailbox").wait(PATIENCE) == 1
        [line] = ours.site.log("mailbox").splitlines()[-1:]
        assert said in line
