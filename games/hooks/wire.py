"""A POST to an address that a player has typed: to a public host alone, over TLS, and never for long.

The name is looked up once, every address that it stands for must be public, and the connection goes to one of these
very addresses: a name that means another host a moment later leads nowhere. No redirect is followed, no proxy of the
environment asked; certificates are verified for the name. Of the answer only its head is read.
"""

from __future__ import annotations

import io
import re
import socket
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from http.client import HTTPException, HTTPResponse
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final
from urllib.parse import quote, urlsplit

from django.conf import settings

from games.hooks.hosts import may_be_called
from games.models import Webhook

CONNECT_SECONDS: Final = 5
SECONDS: Final = 10
"""For all of it, however slowly the host speaks."""
MOST_BYTES: Final = 65_536
TRIED: Final = 3
"""How many addresses of a host are tried, one after the other."""
_PLAIN: Final = re.compile(r"[!-~]+", re.ASCII)
_NEVER_PUBLIC: Final = frozenset({"localhost", "local", "internal", "lan", "home", "intranet"})
"""Last parts of names that the public net does not have."""
_SAFE: Final = "/%:@!$&'()*+,;=~-._?"

Resolver = Callable[[str, int], Sequence[str]]
Trouble = Webhook.Trouble


class Refused(Exception):
    """There will be no call, or it came to nothing; `trouble` says why."""

    def __init__(self, trouble: Webhook.Trouble) -> None:
        super().__init__(trouble.value)
        self.trouble = trouble


@dataclass(frozen=True, slots=True)
class Target:
    """What an address stands for: where to connect, and what to ask for there."""

    host: str
    port: int
    path: str
    has_tls: bool

    @property
    def named(self) -> str:
        """For the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.has_tls else 80) else f"{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a call: the status if the host answered, and the trouble unless it took the call."""

    status: int | None = None
    trouble: str = ""
    retry_after: timedelta = timedelta()

    @property
    def is_taken(self) -> bool:
        return not self.trouble


def read_target(url: str) -> Target:
    """What `url` stands for. Raises Refused for an address that is never called, whatever its host is."""
    if not _PLAIN.fullmatch(url) or "\\" in url:
        raise Refused(Trouble.ADDRESS)
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise Refused(Trouble.ADDRESS) from None
    schemes = {"https": 443, "http": 80} if settings.WEBHOOK_ALLOW_INTERNAL else {"https": 443}
    if parts.scheme not in schemes or not host or "@" in parts.netloc or port == 0:
        raise Refused(Trouble.ADDRESS)
    if not settings.WEBHOOK_ALLOW_INTERNAL and port not in (None, 443) and port < 1024:
        raise Refused(Trouble.ADDRESS)
    path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    return Target(host, port or schemes[parts.scheme], quote(path, safe=_SAFE), parts.scheme == "https")


def check_host(host: str) -> None:
    """Raise Refused for a host that shows by itself, without being looked up, that it is none of the public net."""
    if settings.WEBHOOK_ALLOW_INTERNAL:
        return
    if not all(map(may_be_called, _literal(host))) or ("." not in host.rstrip(".") and ":" not in host):
        raise Refused(Trouble.ADDRESS)
    if host.rstrip(".").rpartition(".")[2] in _NEVER_PUBLIC:
        raise Refused(Trouble.ADDRESS)


def _literal(host: str) -> Sequence[str]:
    """The address that a host is written as, in whatever way the system reads one; none where it is a name."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return ()
    return [str(one[4][0]) for one in found]


def resolve(host: str, port: int) -> Sequence[str]:
    """The addresses of a host, as the system knows them. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(one[4][0]) for one in found))


def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    resolver: Resolver = resolve,
    tls: ssl.SSLContext | None = None,
) -> Answer:
    """Call the address; what came of it. Takes SECONDS at most, and raises nothing for whatever the host does."""
    try:
        return _post(read_target(url), body, headers, resolver, tls, deadline=time.monotonic() + SECONDS)
    except Refused as refused:
        return Answer(trouble=refused.trouble)


def _post(
    target: Target,
    body: bytes,
    headers: Mapping[str, str],
    resolver: Resolver,
    tls: ssl.SSLContext | None,
    *,
    deadline: float,
) -> Answer:
    addresses = _looked_up(target, resolver, deadline=deadline)
    try:
        with _connected(addresses, target.port, deadline=deadline) as plain:
            plain.settimeout(_left(deadline))
            with _secured(plain, target, tls) as wire:
                wire.settimeout(_left(deadline))
                wire.sendall(_request(target, body, headers))
                return _read_answer(wire, deadline=deadline)
    except TimeoutError:
        raise Refused(Trouble.SLOW) from None
    except ssl.SSLError:
        raise Refused(Trouble.TLS) from None
    except OSError:
        raise Refused(Trouble.AWAY) from None
    except (HTTPException, ValueError):
        raise Refused(Trouble.GARBLED) from None


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _looked_up(target: Target, resolver: Resolver, *, deadline: float) -> Sequence[str]:
    """The addresses of the host, all of them fit to be called."""
    found: SimpleQueue[Sequence[str]] = SimpleQueue()
    # The system's resolver knows no time limit.
    Thread(target=_look_up, args=(target, resolver, found), daemon=True).start()
    try:
        addresses = found.get(timeout=max(0, min(CONNECT_SECONDS, deadline - time.monotonic())))
    except Empty:
        raise Refused(Trouble.SLOW) from None
    if not addresses:
        raise Refused(Trouble.NAME)
    if not all(map(may_be_called, addresses)):
        raise Refused(Trouble.ADDRESS)
    return addresses


def _look_up(target: Target, resolver: Resolver, found: SimpleQueue[Sequence[str]]) -> None:
    try:
        found.put(resolver(target.host, target.port))
    except (OSError, UnicodeError):
        found.put(())


def _connected(addresses: Sequence[str], port: int, *, deadline: float) -> socket.socket:
    """A connection to the first of these that takes one."""
    for number, address in enumerate(tried := addresses[:TRIED], start=1):
        try:
            return socket.create_connection((address, port), timeout=min(CONNECT_SECONDS, _left(deadline)))
        except OSError:
            if number == len(tried):
                raise
    raise Refused(Trouble.NAME)


def _secured(plain: socket.socket, target: Target, tls: ssl.SSLContext | None) -> socket.socket:
    if not target.has_tls:
        return plain
    return (tls or _usual_tls()).wrap_socket(plain, server_hostname=target.host)


@lru_cache(maxsize=1)
def _usual_tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _request(target: Target, body: bytes, headers: Mapping[str, str]) -> bytes:
    given = {"Host": target.named, **headers, "Content-Length": str(len(body)), "Connection": "close"}
    head = "".join(f"{name}: {value}\r\n" for name, value in given.items())
    return f"POST {target.path} HTTP/1.1\r\n{head}\r\n".encode("ascii") + body


def _read_answer(wire: socket.socket, *, deadline: float) -> Answer:
    # It asks of a socket for its file alone.
    response = HTTPResponse(_Patient(wire, deadline), method="POST")  # type: ignore[arg-type]
    with response:
        response.begin()
        return Answer(response.status, _trouble_of(response.status), _retry_after(response))


def _trouble_of(status: int) -> str:
    if 200 <= status < 300:
        return ""
    if 300 <= status < 400:
        return Trouble.REDIRECT
    return Trouble.GONE if status in (404, 410) else Trouble.REFUSED


def _retry_after(response: HTTPResponse) -> timedelta:
    """How long the host asks us to wait, an hour at most; a date is not read."""
    seconds = (response.getheader("Retry-After") or "").strip()
    return timedelta(seconds=min(int(seconds), 3600)) if re.fullmatch(r"[0-9]{1,6}", seconds, re.ASCII) else timedelta()


class _Patient:
    """A socket whose file reads until the deadline, however little comes at a time, and MOST_BYTES at most."""

    def __init__(self, wire: socket.socket, deadline: float) -> None:
        self.wire, self.deadline = wire, deadline

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self.wire, self.deadline))


class _Reader(io.RawIOBase):
    def __init__(self, wire: socket.socket, deadline: float) -> None:
        self.wire, self.deadline, self.room = wire, deadline, MOST_BYTES

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self.wire.settimeout(_left(self.deadline))
        taken = self.wire.recv_into(buffer)
        self.room -= taken
        if self.room < 0:
            raise HTTPException("a head without end")
        return taken
