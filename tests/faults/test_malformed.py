"""What the server answers itself, without Django: no request, or one that is too large."""

from __future__ import annotations

import http.client
from collections.abc import Iterator

import pytest

from clans_site.workers import BODY, HEADERS
from tests.faults import proxies, slow
from tests.servers import Site, site

SECRET = "s3cr3t"
HEAD = f"GET /{SECRET} HTTP/1.1\r\nHost: {proxies.NAME}\r\n"
MALFORMED = {
    "method": (400, f"get{SECRET} / HTTP/1.1\r\n\r\n"),
    "start": (400, f"{SECRET}\r\n\r\n"),
    "header": (400, f"{HEAD}X {SECRET} : 1\r\n\r\n"),
    "line": (400, f"{HEAD}X: 1\n{SECRET}: 2\r\n\r\n"),
    "length": (400, f"{HEAD}Content-Length: {SECRET}\r\n\r\n"),
    "chunk": (400, f"{HEAD}Transfer-Encoding: chunked\r\n\r\n{SECRET}\r\n"),
    "body": (413, f"{HEAD}Content-Length: {BODY + 1}\r\n\r\n"),
    "address": (431, f"GET /{SECRET * HEADERS}"[:HEADERS]),
    "headers": (431, f"{HEAD}X: {SECRET * HEADERS}"[:HEADERS]),
    "encoding": (501, f"{HEAD}Transfer-Encoding: {SECRET}\r\n\r\n"),
}

PLAIN = {
    "Connection": "close",
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
SECURING = {
    "Cross-Origin-Opener-Policy",
    "Cross-Origin-Resource-Policy",
    "Permissions-Policy",
    "Referrer-Policy",
    "Strict-Transport-Security",
    "X-Content-Type-Options",
    "X-Frame-Options",
}
"""Headers that Django gives to each answer, whatever it is."""


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site that is read by https, behind a proxy."""
    environment = {"SITE_URL": f"https://{proxies.NAME}", "ALLOWED_HOSTS": proxies.NAME, "TRUSTED_PROXIES": "1"}
    with site(tmp_path_factory.mktemp("secured"), processes=("web",), environment=environment) as served:
        yield served


def answer_to(served: Site, sent: bytes) -> tuple[int, dict[str, str], str]:
    """Status, headers and body of the answer to these bytes, after which the connection is closed."""
    with slow.Place(served.port, proxies.NAME, "").connect() as connection:
        connection.settimeout(60)
        connection.sendall(sent)
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        return answer.status, dict(answer.getheaders()), answer.read().decode()


@pytest.fixture(scope="module")
def securing(secured: Site) -> dict[str, str]:
    """The headers of a page that is not there."""
    head = slow.Place(secured.port, proxies.NAME, "").head("GET", "/nowhere/")
    status, headers, _text = answer_to(secured, head + b"Connection: close\r\n\r\n")
    assert status == 404
    return {name: headers[name] for name in SECURING}


@pytest.mark.parametrize("kind", MALFORMED)
def test_it_says_as_little_as_it_can_with_all_headers(secured: Site, securing: dict[str, str], kind: str) -> None:
    status, sent = MALFORMED[kind]
    found, headers, text = answer_to(secured, sent.encode())
    assert (found, text) == (status, f"{http.client.responses[status]}\n")
    assert {name: headers.get(name) for name in securing} == securing
    assert {name: headers.get(name) for name in PLAIN} == PLAIN
