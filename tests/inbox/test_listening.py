"""The process that takes answers in, by LMTP and SMTP: real processes, real sockets, and clients of every kind."""

from __future__ import annotations

import asyncio
import signal
import smtplib
import socket
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from games.inbox import listening
from games.inbox.listening import BUSY, CONNECTIONS, GRACE, AnswerServer
from games.inbox.reading import MOST_BYTES
from tests.inbox.ways import TAKES_ANSWERS, Inbox, inbox, listen_anywhere, listens_at, wait_until_it_listens
from tests.servers import HOST, PATIENCE, Site, free_port, site, wait_until

SENDER = "alice@mail.example.com"


@pytest.fixture(scope="module")
def _listening(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Iterator[Inbox]:
    folder = tmp_path_factory.mktemp("site")
    with inbox(folder, django_db_blocker, processes=("inbox",), environment=listen_anywhere()) as ours:
        yield ours


@pytest.fixture
def ours(_listening: Inbox) -> Iterator[Inbox]:
    """A site that takes answers by LMTP, with none so far."""
    yield _listening
    _listening.forget_all()


def connect(ours: Inbox) -> smtplib.LMTP:
    return smtplib.LMTP(*listens_at(ours.site), timeout=PATIENCE)


def send(ours: Inbox, *, number: int = 1, sender: str = SENDER) -> None:
    """Bring one answer, as a mail server does."""
    with connect(ours) as client:
        client.sendmail(sender, [ours.recipient], ours.answer(number=number))


class Line:
    """A client that says what a test has it say."""

    def __init__(self, served: Site) -> None:
        self.socket = socket.create_connection(listens_at(served), timeout=PATIENCE)
        self._answers = self.socket.makefile("rb")

    def close(self) -> None:
        self._answers.close()
        self.socket.close()

    def hear(self) -> str:
        """The last line of the next answer; empty when the server has hung up."""
        while (line := self._answers.readline().decode()) and line[3:4] == "-":
            """An answer of several lines."""
        return line.rstrip("\r\n")

    def say(self, *lines: str) -> str:
        """The answer to the last of these lines."""
        answer = ""
        for line in lines:
            self.socket.sendall(f"{line}\r\n".encode())
            answer = self.hear()
        return answer

    def begin(self, ours: Inbox) -> None:
        """Send all of a mail but its end."""
        assert self.hear().startswith("220")
        said = self.say("LHLO slow", f"MAIL FROM:<{SENDER}>", f"RCPT TO:<{ours.recipient}>", "DATA")
        assert said.startswith("354")
        self.socket.sendall(ours.answer()[:-2])

    def end(self) -> str:
        self.socket.sendall(b"\r\n.\r\n")
        return self.hear()


def test_it_stores_a_mail_before_it_says_so(ours: Inbox) -> None:
    send(ours)
    [mail] = ours.mails
    assert mail.raw == ours.answer()
    assert (mail.sender, mail.player.email, mail.state) == (SENDER, ours.sender, "due")
    # What brought it is the mail server beside the site, which says nothing of the sender.
    assert (mail.client, mail.helo) == (None, "")


def test_it_knows_the_sender_of_a_bounce(ours: Inbox) -> None:
    with connect(ours) as client:
        client.ehlo()
        assert client.docmd("MAIL", "FROM:<>") == (250, b"OK")
        assert client.rcpt(ours.recipient.upper())[0] == 250
        assert client.data(ours.answer())[0] == 250
    assert [mail.sender for mail in ours.mails] == [""]


@pytest.mark.parametrize("recipient", ["turn@clans.example.com", "turn+nobody@clans.example.com", "root@localhost"])
def test_it_refuses_addresses_that_it_has_not_given(ours: Inbox, recipient: str) -> None:
    with connect(ours) as client, pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
        client.sendmail(SENDER, [recipient], ours.answer())
    assert refused.value.recipients[recipient][0] == 550
    assert ours.mails == []


def test_it_takes_one_recipient_at_a_time(ours: Inbox) -> None:
    """So that each has an answer of its own: a mail server brings the mail again for the other."""
    with connect(ours) as client:
        client.ehlo()
        client.mail(SENDER)
        assert [client.rcpt(ours.recipient)[0] for _time in range(2)] == [250, 452]
        assert client.data(ours.answer())[0] == 250
    assert len(ours.mails) == 1


def test_it_refuses_what_is_too_large(ours: Inbox) -> None:
    with connect(ours) as client:
        client.ehlo()
        assert client.esmtp_features["size"] == str(MOST_BYTES)
        assert client.mail(SENDER, [f"SIZE={MOST_BYTES + 1}"])[0] == 552
        client.mail(SENDER)
        client.rcpt(ours.recipient)
        assert client.data(b"x" * 70 + b"\r\n" * MOST_BYTES)[0] == 552
        client.mail(SENDER)
        client.rcpt(ours.recipient)
        assert client.data(ours.answer())[0] == 250
    assert ours.raw == [ours.answer()]


def test_it_hangs_up_on_what_has_no_end(ours: Inbox) -> None:
    with closing(Line(ours.site)) as line:
        line.begin(ours)
        with pytest.raises(OSError):  # noqa: PT012 - which of the two notices first is for the system to say
            for _part in range(1000):
                line.socket.sendall(b"x" * 100_000)
    send(ours)
    assert len(ours.mails) == 1


def test_it_reads_lines_that_are_longer_than_they_may_be(ours: Inbox) -> None:
    with connect(ours) as client:
        client.sendmail(SENDER, [ours.recipient], ours.answer("C4-D1" * 10_000))
    assert ours.raw == [ours.answer("C4-D1" * 10_000)]


def test_it_puts_a_mail_off_while_the_database_is_away(ours: Inbox) -> None:
    with sqlite3.connect(ours.site.folder / "clans.sqlite3", timeout=PATIENCE) as database:
        database.execute("ALTER TABLE games_inboundmail RENAME TO elsewhere")
    with connect(ours) as client, pytest.raises(smtplib.SMTPDataError) as refused:
        client.sendmail(SENDER, [ours.recipient], ours.answer())
    with sqlite3.connect(ours.site.folder / "clans.sqlite3", timeout=PATIENCE) as database:
        database.execute("ALTER TABLE elsewhere RENAME TO games_inboundmail")
    assert refused.value.smtp_code == 451
    assert "the database is away: OperationalError" in ours.site.log("inbox")
    assert "games_inboundmail" not in ours.site.log("inbox")
    send(ours)
    assert len(ours.mails) == 1


def test_it_puts_mails_off_while_there_is_no_database(tmp_path: Path) -> None:
    away = {"DATABASE_URL": "postgres://clans@127.0.0.1:1/clans"}
    with site(tmp_path, processes=()) as served:
        served.environment.update(TAKES_ANSWERS | listen_anywhere() | away)
        served.start("inbox")
        wait_until_it_listens(served)
        with smtplib.LMTP(*listens_at(served), timeout=PATIENCE) as client:
            client.ehlo()
            client.mail(SENDER)
            assert client.rcpt("turn+x@clans.example.com")[0] == 451


def test_it_takes_no_more_mails_of_a_player_than_it_may(ours: Inbox) -> None:
    with connect(ours) as client:
        for number in range(60):
            client.sendmail(SENDER, [ours.recipient], ours.answer(number=number))
        with pytest.raises(smtplib.SMTPDataError) as refused:
            client.sendmail(SENDER, [ours.recipient], ours.answer(number=60))
    assert refused.value.smtp_code == 452
    assert len(ours.mails) == 60


def test_it_takes_20_at_once_beside_one_that_sends_a_byte_a_second(ours: Inbox) -> None:
    with closing(Line(ours.site)) as slow, ThreadPoolExecutor(20) as clients:
        slow.begin(ours)
        done = [clients.submit(send, ours, number=number) for number in range(2, 22)]
        while not all(sent.done() for sent in done):
            slow.socket.sendall(b"x")
            time.sleep(1)
        assert [sent.result() for sent in done] == [None] * 20
        assert slow.end().startswith("250")
    assert sorted(ours.raw[:-1]) == sorted(ours.answer(number=number) for number in range(2, 22))
    assert ours.raw[-1].startswith(ours.answer()[:-2])


def test_it_tells_a_client_too_many_to_come_again(ours: Inbox) -> None:
    with ExitStack() as clients:
        lines = [clients.enter_context(closing(greeted(ours))) for _client in range(CONNECTIONS)]
        one_more = clients.enter_context(closing(Line(ours.site)))
        assert [one_more.hear(), one_more.hear()] == [BUSY, ""]
        lines[0].say("QUIT")
        wait_until(lambda: is_served(ours), what="place for another client")
    # The next test comes when the server has noticed that these are gone.
    wait_until(lambda: is_served(ours), what="place for the clients of other tests")


def greeted(ours: Inbox) -> Line:
    """A client that is served, as soon as the server has noticed that those before are gone."""
    found: list[Line] = []

    def is_greeted() -> bool:
        line = Line(ours.site)
        if is_so := line.hear().startswith("220"):
            found.append(line)
        else:
            line.close()
        return is_so

    wait_until(is_greeted, what="place for a client")
    return found[0]


def is_served(ours: Inbox) -> bool:
    """Whether a client that comes now is."""
    with closing(Line(ours.site)) as line:
        return line.hear().startswith("220")


def test_it_hangs_up_on_the_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "SILENCE", 0.2)
    assert asyncio.run(talk_with([])).endswith(b"Clans by mail\r\n")


def test_it_hangs_up_on_those_who_only_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "LIFETIME", 0.3)
    assert asyncio.run(talk_with([b"NOOP\r\n"] * 1000)).startswith(b"220")


async def talk_with(lines: list[bytes]) -> bytes:
    """All that a server says to a client which says these lines slowly, and then nothing, until it hangs up."""
    stop, port = asyncio.Event(), free_port()
    running = asyncio.create_task(AnswerServer().run(f"smtp://{HOST}:{port}", stop=stop))
    reader, writer = await come_to(port)
    talking = asyncio.create_task(say_slowly(writer, lines))
    said = await asyncio.wait_for(read_all(reader), PATIENCE)
    talking.cancel()
    writer.close()
    stop.set()
    await running
    return said


async def read_all(reader: asyncio.StreamReader) -> bytes:
    """What comes until the server hangs up; by a reset, where it has not read all that it was told."""
    said = b""
    with suppress(ConnectionResetError):
        while part := await reader.read(1000):
            said += part
    return said


async def come_to(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A client of a server that is about to listen."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                return await asyncio.open_connection(HOST, port)
            except ConnectionRefusedError:
                await asyncio.sleep(0.01)


async def say_slowly(writer: asyncio.StreamWriter, lines: list[bytes]) -> None:
    for line in lines:
        writer.write(line)
        await asyncio.sleep(0.05)


def test_it_finishes_the_mail_in_hand_when_it_is_to_end(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> None:
    with inbox(tmp_path, django_db_blocker, processes=("inbox",), environment=listen_anywhere()) as ours:
        with closing(Line(ours.site)) as idle, closing(Line(ours.site)) as line:
            assert idle.hear().startswith("220")
            line.begin(ours)
            ours.site.processes["inbox"].send_signal(signal.SIGTERM)
            assert idle.hear().startswith("421")
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(listens_at(ours.site))
            assert line.end().startswith("250")
            assert line.hear().startswith("421")
        assert ours.site.processes["inbox"].wait(PATIENCE) == 0
        assert ours.raw == [ours.answer()]
        assert "Traceback" not in ours.site.log("inbox")


def test_it_ends_though_a_client_never_does(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> None:
    with inbox(tmp_path, django_db_blocker, processes=("inbox",), environment=listen_anywhere()) as ours:
        with closing(Line(ours.site)) as line:
            line.begin(ours)
            before = time.monotonic()
            ours.site.processes["inbox"].send_signal(signal.SIGTERM)
            assert ours.site.processes["inbox"].wait(PATIENCE) == 0
            assert time.monotonic() - before >= GRACE
        assert ours.mails == []


def test_it_speaks_smtp_and_listens_at_a_file(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> None:
    at = {"REPLY_LISTEN": f"lmtp://{tmp_path}/inbox.socket"}
    with inbox(tmp_path, django_db_blocker, processes=("inbox",), environment=at) as ours:
        with smtplib.LMTP(listens_at(ours.site)[0]) as client:
            client.sendmail(SENDER, [ours.recipient], ours.answer())
        ours.site.stop("inbox")
        assert not (tmp_path / "inbox.socket").exists()
        ours.site.environment.update(listen_anywhere("smtp"))
        ours.site.start("inbox")
        wait_until_it_listens(ours.site)
        with smtplib.SMTP(*listens_at(ours.site), timeout=PATIENCE) as client:
            client.sendmail(SENDER, [ours.recipient], ours.answer(number=2))
        assert ours.raw == [ours.answer(), ours.answer(number=2)]


def test_it_says_in_one_line_why_it_cannot_listen(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, site(tmp_path, processes=()) as served:
        for listen, said in [("", "This needs REPLY_LISTEN"), (f"lmtp://127.0.0.1:{taken.getsockname()[1]}", "cannot")]:
            served.environment.update(TAKES_ANSWERS | {"REPLY_LISTEN": listen})
            served.start("inbox")
            assert served.processes.pop("inbox").wait(PATIENCE) == 1
            assert said in served.log("inbox").splitlines()[-1]
