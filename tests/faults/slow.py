"""Clients that send or read a byte at a time, each on a connection of its own."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from tests.servers import HOST, PATIENCE

PACE: Final = 0.5
"""Seconds between two bytes."""
AT_ONCE: Final = 4
"""So many connect between two bytes: what is tried is patience, not how quick a machine is."""
HEAD: Final = "{method} {path} HTTP/1.1\r\nHost: {host}\r\nX-Forwarded-Proto: https\r\n"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a site answers, and by which name."""

    port: int
    name: str
    large: str
    """The address of an answer that fills a socket's buffers."""

    def connect(self) -> socket.socket:
        return socket.create_connection((HOST, self.port), timeout=10)

    def head(self, method: str, path: str) -> bytes:
        return HEAD.format(method=method, path=path, host=self.name).encode()


Opening = Callable[[Place], socket.socket]
Nibble = Callable[[socket.socket], None]


def begin_headers(place: Place) -> socket.socket:
    connection = place.connect()
    connection.sendall(place.head("GET", "/") + b"X-Slow: ")
    return connection


def begin_body(place: Place) -> socket.socket:
    connection = place.connect()
    form = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 5000\r\nCookie: csrftoken="
    connection.sendall(place.head("POST", "/accounts/login/") + form + b"a" * 32 + b"\r\n\r\n")
    return connection


def begin_reading(place: Place) -> socket.socket:
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    connection.settimeout(10)
    connection.connect((HOST, place.port))
    # Several answers in a row are more than what lies between the two.
    connection.sendall((place.head("GET", place.large) + b"\r\n") * 8)
    return connection


def send_a_byte(connection: socket.socket) -> None:
    connection.send(b"a")


def read_a_byte(connection: socket.socket) -> None:
    connection.recv(1)


HEADERS: Final = (begin_headers, send_a_byte)
BODIES: Final = (begin_body, send_a_byte)
READERS: Final = (begin_reading, read_a_byte)


@contextmanager
def slow_clients(place: Place, kinds: Sequence[tuple[Opening, Nibble]], *, each: int) -> Iterator[None]:
    """So many of each kind, who begin again when they are turned away, until the block is left."""
    over = threading.Event()
    threads = [
        threading.Thread(target=_nibble, args=(place, opening, nibble, each, over), daemon=True)
        for opening, nibble in kinds
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def _nibble(place: Place, begin: Opening, nibble: Nibble, count: int, over: threading.Event) -> None:
    connections: list[socket.socket | None] = [None] * count
    while not over.is_set():
        opened = 0
        for number, connection in enumerate(connections):
            try:
                if connection is None:
                    opened += 1
                    connections[number] = begin(place) if opened <= AT_ONCE else None
                else:
                    nibble(connection)
            except OSError:
                if connection is not None:
                    connection.close()
                connections[number] = None
        over.wait(PACE)
    for connection in connections:
        if connection is not None:
            connection.close()


def late_share(place: Place, *, idle: Place, seconds: float, paths: Sequence[str], patience: float) -> float:
    """Ask for each of `paths` again and again for so long, and a site without slow clients at the same moments, since
    the machine may be busy; the share of this time in which an answer took more than three times as long as there, and
    `patience` seconds. Raises OSError for none."""
    until, late = time.monotonic() + seconds, 0.0
    with ThreadPoolExecutor(2) as both:
        while time.monotonic() < until:
            for path in paths:
                took, would_have = both.map(partial(_seconds_of, path=path), (place, idle))
                late += max(took - 3 * would_have - patience, 0)
            time.sleep(PACE)
    return late / seconds


def _seconds_of(place: Place, *, path: str) -> float:
    begun = time.monotonic()
    status = ask(place, path)
    assert status == 200, (place.port, path, status)
    return time.monotonic() - begun


def ask(place: Place, path: str) -> int:
    """The status of an answer that has been read to its end."""
    with closing(http.client.HTTPConnection(HOST, place.port, timeout=PATIENCE)) as connection:
        connection.request("GET", path, headers={"Host": place.name, "X-Forwarded-Proto": "https"})
        answer = connection.getresponse()
        answer.read()
        return answer.status


def upload(place: Place, path: str, *, megabytes: int) -> bool:
    """Send a form with a file of this size as fast as it is taken; whether all of it was."""
    edge = b"----edge"
    begin = b"--" + edge + b'\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
    form = b"Content-Type: multipart/form-data; boundary=" + edge + b"\r\nCookie: csrftoken=" + b"a" * 32
    length = len(begin) + megabytes * 2**20
    with closing(place.connect()) as connection, suppress(OSError):
        connection.sendall(place.head("POST", path) + form + f"\r\nContent-Length: {length}\r\n\r\n".encode() + begin)
        for _ in range(megabytes):
            connection.sendall(b"x" * 2**20)
        return True
    return False
