"""What a mail says of itself: who wrote it, whether a program did, and what is wrong with it."""

from __future__ import annotations

import pytest

from games.inbox.reading import MOST_BYTES, Incoming, read


def _of(*headers: str) -> Incoming:
    return read("\r\n".join((*headers, "", "C4-D1")).encode())


@pytest.mark.parametrize(
    "written",
    [
        "alice@example.com",
        "<Alice@Example.COM>",
        "Alice <alice@example.com>",
        '"Adams, Alice" <alice@example.com>',
        "=?utf-8?q?Al=C3=AFce?= <alice@example.com>",
        "Alïce <alice@example.com>",
        '"mallory@example.org" <alice@example.com>',
        "Alice (at home) <alice@example.com>",
        "Alice\r\n <alice@example.com>",
    ],
)
def test_it_finds_the_address_of_the_writer(written: str) -> None:
    assert _of(f"From: {written}").from_address == "alice@example.com"


@pytest.mark.parametrize(
    "written",
    [
        "",
        "Alice",
        "<>",
        "alice@example.com, mallory@example.org",
        "alice@example.com <mallory@example.org>",
        "alice@example.com mallory@example.org",
        "<alice@example.com> <mallory@example.org>",
        "alice@example.com(<mallory@example.org>",
        "Friends: alice@example.com;",
        "Friends: alice@example.com, mallory@example.org;",
        "alice@example.com@example.org",
        "=?utf-8?q?alice=40example=2Ecom?=",
        "alice@example.com\0",
        "alice @example.com\t<",
        "a" * 2000 + "@example.com",
        "(" * 900 + "alice@example.com",
    ],
)
def test_it_finds_no_address_where_it_could_be_another(written: str) -> None:
    assert _of(f"From: {written}").from_address in ("", "mallory@example.org")


def test_two_writers_are_nobody() -> None:
    assert _of("From: alice@example.com", "From: alice@example.com").from_address == ""
    assert _of("From: alice@example.com", "FROM: mallory@example.org").from_address == ""
    assert _of("Sender: alice@example.com").from_address == ""


def test_it_finds_the_name_of_the_mail() -> None:
    assert _of("Message-ID: <a@b>").message_id == "<a@b>"
    assert _of("message-id:\r\n <a@b>").message_id == "<a@b>"
    assert _of("Subject: a").message_id == ""


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: auto-replied",
        "Auto-Submitted: auto-generated; owner-email=a@b",
        "Precedence: bulk",
        "Precedence: Auto_Reply",
        "List-Id: <a.example.com>",
        "List-Unsubscribe: <mailto:a@b>",
        "X-Autoreply: yes",
        "X-Failed-Recipients: a@b",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=a",
        "Content-Type: message/disposition-notification",
    ],
)
def test_it_knows_what_a_program_has_sent(header: str) -> None:
    assert _of(header).is_automatic


@pytest.mark.parametrize(
    "header", ["Auto-Submitted: no", "Auto-Submitted: No (a person)", "Precedence: first-class", "X: a"]
)
def test_it_knows_what_a_person_has_sent(header: str) -> None:
    assert not _of(header).is_automatic


def test_it_says_what_is_wrong() -> None:
    parts = b"--a\r\n\r\nC4-D1\r\n"
    mixed = b"Content-Type: multipart/mixed; boundary=a\r\n\r\n"
    assert read(b"a" * (MOST_BYTES + 1)).trouble == "too-large"
    assert read(mixed + parts * 19).trouble == ""
    assert read(mixed + parts * 20).trouble == "too-many-parts"
    assert read(mixed + parts * 3_000).trouble == "too-many-parts"
    assert read(b"Content-Type: multipart/mixed\r\n\r\n" + parts).trouble == "unreadable"
    assert read(b"").trouble == ""


@pytest.mark.parametrize(("levels", "trouble"), [(4, ""), (5, "too-deep"), (60, "too-deep")])
def test_it_looks_five_levels_deep(levels: int, trouble: str) -> None:
    raw = b"".join(
        b"Content-Type: multipart/mixed; boundary=a%d\n\n--a%d\n" % (level, level) for level in range(levels)
    )
    incoming = read(raw + b"\nC4-D1")
    assert incoming.trouble == trouble
    assert incoming.text == ("" if trouble else "C4-D1")


def test_it_reads_the_headers_of_what_it_cannot_read() -> None:
    headers = "From: alice@example.com", "Message-ID: <a@b>", "Auto-Submitted: auto-replied"
    broken = (
        "Content-Type: multipart/mixed",
        "Content-Type: text/plain; " + "a=b; " * 1_000,
        "\r\n" + "a" * MOST_BYTES,
    )
    for trouble in broken:
        incoming = _of(*headers, trouble)
        assert incoming.trouble
        assert (incoming.from_address, incoming.message_id) == ("alice@example.com", "<a@b>")
        assert incoming.is_automatic


def test_a_book_is_not_read_at_all() -> None:
    assert read(b"\nC4-D1\n" + b"All work and no play.\n" * 1_000).trouble == "too-large"


def test_halves_of_letters_are_read_as_they_were_sent() -> None:
    mail = b"Content-Type: text/plain; charset=utf-7\n\n+AADcAA\n"
    assert read(mail).text.strip() == "+AADcAA"
