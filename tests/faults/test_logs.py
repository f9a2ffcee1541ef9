"""What a real server writes into its log: no secret address, and nothing of requests that went well."""

from __future__ import annotations

import logging
import secrets
import socket
from http.client import HTTPConnection

import pytest
from pytest_django import DjangoDbBlocker

from clans_site.logs import RequestFilter
from tests.cast import make_player
from tests.servers import Site, wait_until

LAST = "/archive/"


def ask(served: Site, method: str, path: str) -> tuple[int, bytes]:
    connection = HTTPConnection("127.0.0.1", served.port, timeout=60)
    try:
        connection.request(method, path)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def raw_answer(served: Site, method: str, path: str) -> bytes:
    """All bytes that come, which a client that knows HTTP would not all read."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=60) as connection:
        connection.sendall(f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        return b"".join(iter(lambda: connection.recv(65536), b""))


def said_of(served: Site, *requests: tuple[str, str]) -> str:
    """What the log says of these requests, up to the two lines about the refusal of a form that comes behind them."""
    before = served.log("web")
    for method, path in requests:
        ask(served, method, path)
    ask(served, "POST", LAST)
    wait_until(lambda: f"POST {LAST}" in served.log("web")[len(before) :], what="the last line of the log")
    return served.log("web")[len(before) :]


@pytest.fixture
def feed(served: Site, django_db_blocker: DjangoDbBlocker) -> str:
    """The secret part of the addresses of a player's feeds."""
    with django_db_blocker.unblock(), served.database():
        player = make_player(f"reader{secrets.token_hex(4)}")
        player.feed_key = secrets.token_urlsafe(32)
        player.save(update_fields=("feed_key",))
        return f"{player.pk}-{player.feed_key}"


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_it_says_nothing_of_what_went_well(served: Site, feed: str, method: str) -> None:
    paths = ("/", "/rules/", "/static/games/draft.js", f"/feeds/{feed}/turns.atom", "/nowhere/")
    assert ask(served, "HEAD", f"/feeds/{feed}/deadlines.ics") == (200, b"")
    said = said_of(served, *((method, path) for path in paths))
    assert [line for line in said.splitlines() if LAST not in line] == []


@pytest.mark.parametrize("path", ["/", "/nowhere/", "/static/games/draft.js"])
def test_it_answers_head_as_get_without_the_body(served: Site, path: str) -> None:
    head, body = raw_answer(served, "HEAD", path).split(b"\r\n\r\n", 1)
    status, length = (part.partition(b"\r\n")[0] for part in (head, head.lower().split(b"content-length: ")[1]))
    assert body == b""
    got, text = raw_answer(served, "GET", path).split(b"\r\n\r\n", 1)
    assert got.startswith(status)
    assert int(length) == len(text)


def test_it_names_no_secret_address_of_a_form_without_a_token(served: Site, feed: str) -> None:
    secret = feed.partition("-")[2]
    paths = [
        f"/feeds/{feed}/deadlines.ics",
        f"/feeds/{feed}/turns.atom?again={secret}",
        f"/feeds/%{ord(feed[0]):x}{feed[1:]}/turns.atom",
        f"/feeds/{feed}%20/turns.atom",
        f"/feeds/{feed}/turns.atom/",
        f"//feeds/{feed}/turns.atom",
    ]
    said = said_of(served, *((method, path) for path in paths for method in ("POST", "PUT", "DELETE")))
    assert "/feeds/<str:feed>/deadlines.ics" in said
    assert secret not in said


def test_an_error_of_the_server_itself_names_no_address() -> None:
    """waitress puts the path into the text of its line."""
    text = "Exception while serving /feeds/1-secret/turns.atom"
    record = logging.LogRecord("waitress", logging.ERROR, __file__, 1, text, (), None)
    assert RequestFilter().filter(record)
    assert record.getMessage() == "Exception while serving a request"
