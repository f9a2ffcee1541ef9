"""Clients who take their time, or send what nobody asked for, while others read pages: they must not notice."""

from __future__ import annotations

import os
import select
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.sock import create_sockets

from clans_site.workers import SENDING, BufferedWorker
from tests.faults import proxies, slow
from tests.faults.processes import children_of, memory_of
from tests.servers import HOST, Site, site

PAGES = ("/rules/", "/accounts/login/")
KINDS = {
    "headers": [slow.HEADERS],
    "bodies": [slow.BODIES],
    "readers": [slow.READERS],
    "together": [slow.HEADERS, slow.BODIES, slow.READERS],
}
PATIENCE = 2.0
"""Seconds that a reader may wait besides what a busy machine costs."""
BUSY = 0.1
"""The share of the time in which answers may be later than that, since other processes may have the processor then. Who
is held up by slow clients waits most of the time."""
DISK = 10 * 2**20
"""Bytes that a form may leave on the disk while it is sent, and that a process may grow by."""


@contextmanager
def open_site(folder: Path) -> Iterator[Site]:
    """A site behind a proxy that says http, whose temporary files lie in a folder of their own."""
    temporary = folder / "tmp"
    temporary.mkdir(parents=True)
    environment = {
        "SITE_URL": f"http://{proxies.NAME}",
        "ALLOWED_HOSTS": proxies.NAME,
        "TRUSTED_PROXIES": "1",
        "TMPDIR": str(temporary),
    }
    with site(folder, processes=("web",), environment=environment) as served:
        yield served


def place(port: int) -> slow.Place:
    return slow.Place(port, proxies.NAME, "/static/games/preview.png")


def late_shares(
    places: Sequence[slow.Place], kinds: str, *, idle: slow.Place, each: int, seconds: float
) -> list[float]:
    """The share of the time in which answers of each place were late, while slow clients are at all of them but
    `idle`."""
    with ExitStack() as stack:
        for one in places:
            stack.enter_context(slow.slow_clients(one, KINDS[kinds], each=each))
        ask = partial(slow.late_share, idle=idle, seconds=seconds, paths=PAGES, patience=PATIENCE)
        with ThreadPoolExecutor() as pool:
            return list(pool.map(ask, places))


def test_a_few_slow_clients_hold_nobody_up(tmp_path: Path) -> None:
    with open_site(tmp_path / "served") as served, open_site(tmp_path / "idle") as other:
        idle = place(other.port)
        assert max(late_shares([place(served.port)], "together", idle=idle, each=64, seconds=12)) < BUSY
        served.check_alive()


def test_who_comes_just_when_a_slow_client_is_closed_is_answered() -> None:
    """Its connection gets the file number of the one that was closed, but not the events of that one."""
    with listening_worker() as worker:
        server = worker.servers[0]
        with closing(socket.create_connection(server.socket.getsockname())) as slow_one:
            slow_one.sendall(b"GET / HTTP/1.1\r\n")
            while not any(channel.sends_since for channel in server.active_channels.values()):
                worker.turn()
            (channel,) = server.active_channels.values()
            channel.sends_since -= SENDING + 1
            server.looks_next = server.next_channel_cleanup = 0
            with closing(socket.create_connection(server.socket.getsockname())) as other:
                worker.turn()
                assert channel not in server.active_channels.values()
                other.sendall(b"GET / HTTP/1.0\r\n\r\n")
                while not select.select([other], [], [], 0)[0]:
                    worker.turn()
                assert other.recv(100).startswith(b"HTTP/1.0 200 OK")


@contextmanager
def listening_worker() -> Iterator[BufferedWorker]:
    """A process of gunicorn as far as it serves: its loop goes on one turn at a time, when the test says so."""

    def hello(environ: dict[str, object], start_response: Callable[..., object]) -> list[bytes]:
        start_response("200 OK", [("Content-Length", "5")])
        return [b"hello"]

    cfg = Config()
    cfg.set("bind", f"{HOST}:0")
    (listener,) = create_sockets(cfg, Logger(cfg))
    worker = BufferedWorker(0, os.getppid(), [listener], None, 30, cfg, Logger(cfg))
    worker.wsgi = hello
    worker.listen()
    try:
        yield worker
    finally:
        worker.dispatcher.shutdown()
        for channel in list(worker.servers[0].active_channels.values()):
            channel.handle_close()
        worker.servers[0].close()
        worker.tmp.close()


@pytest.mark.timeout(300)
@pytest.mark.parametrize("kinds", KINDS)
def test_slow_clients_hold_nobody_up_with_and_without_a_proxy(tmp_path: Path, kinds: str) -> None:
    with (
        open_site(tmp_path / "served") as served,
        open_site(tmp_path / "idle") as other,
        proxies.caddy(tmp_path, served.port) as caddy,
        proxies.nginx(tmp_path, served.port) as nginx,
    ):
        places = [place(port) for port in (served.port, caddy, nginx)]
        assert max(late_shares(places, kinds, idle=place(other.port), each=64, seconds=75)) < BUSY
        served.check_alive()


@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/nowhere/"])
def test_a_large_form_leaves_nothing_on_the_disk(tmp_path: Path, path: str) -> None:
    with open_site(tmp_path) as served:
        assert_nothing_is_kept(served, place(served.port), path, megabytes=50)


@pytest.mark.timeout(300)
def test_a_very_large_form_leaves_nothing_on_the_disk_behind_a_proxy(tmp_path: Path) -> None:
    with (
        open_site(tmp_path) as served,
        proxies.caddy(tmp_path, served.port) as caddy,
        proxies.nginx(tmp_path, served.port) as nginx,
    ):
        for port in (served.port, caddy, nginx):
            assert_nothing_is_kept(served, place(port), "/accounts/login/", megabytes=1024)


def assert_nothing_is_kept(served: Site, at: slow.Place, path: str, *, megabytes: int) -> None:
    workers = children_of(served.processes["web"].pid)
    assert [slow.ask(at, page) for page in PAGES * 4] == [200] * 8
    before = memory_of(workers)
    with most_bytes_in(served.folder) as most:
        slow.upload(at, path, megabytes=megabytes)
    assert max(most) - most[0] < DISK
    assert memory_of(workers) - before < DISK
    assert slow.ask(at, "/rules/") == 200
    served.check_alive()


@contextmanager
def most_bytes_in(folder: Path) -> Iterator[list[int]]:
    """How many bytes lie in the folder, looked at all the time."""
    seen, over = [bytes_in(folder)], threading.Event()

    def look() -> None:
        while not over.wait(0.02):
            seen.append(bytes_in(folder))

    looker = threading.Thread(target=look, daemon=True)
    looker.start()
    try:
        yield seen
    finally:
        over.set()
        looker.join()


def bytes_in(folder: Path) -> int:
    total = 0
    for file in folder.rglob("*"):
        try:
            total += file.stat().st_size
        except FileNotFoundError:
            continue
    return total
