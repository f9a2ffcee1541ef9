"""What pages cost: CPU time of the one gunicorn sync worker that serves them, from /proc, and their queries.

In play by mail nearly every page is shown for the first time: a move makes a new one, and each worker has caches of its
own. So the tables rotate: each of 300 is asked for once ("first"), and once more soon after ("again").

The pages take turns with a view that only says hello, in many short rounds, so that a busy machine slows both. A figure
is the median of the rounds; beside it stand the least, which is nearest to a machine that does nothing else, and how
many times the hello of the same round with session and player it is, which is what to compare between hours and
machines. Each request is the one that Chromium sends, and the first round, which fills the caches that all tables
share, does not count.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlencode

from bench import _scene
from games.pages.table.poll import poll_url
from tests.servers import free_port

ROUNDS = 15
REQUESTS = 10
TABLES = 2 * REQUESTS * (1 + ROUNDS)
"""In half of them the reader is to move, in the others they wait; 300 count."""

Ask = Callable[[], int]

BARE = "hello of Django alone"
"""No middleware, no database: what says how fast this machine is at this hour."""

HELLO = "hello, a player"
"""With session and player, as every page of somebody who is signed in: what the others are measured by."""

MOST = {
    "table to move, first": 3.0,
    "table waiting, first": 2.5,
    "table to move, again": 1.7,
    "table waiting, again": 1.7,
    "home, 12 tables": 1.8,
    "archive of 1,001 games": 1.4,
    "a ply of a finished game": 4.3,
    "poll, nothing new": 0.45,
    "a move, by POST": 2.5,
}
"""What pages may cost, in times HELLO."""

SENT = {
    "Connection": "keep-alive",
    "sec-ch-ua": '"Chromium";v="140", "Not=A?Brand";v="24"',
    "sec-ch-ua-mobile": "?0",
    "sec-ch-ua-platform": '"Linux"',
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 "
    "Safari/537.36",
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
    "Accept-Encoding": "gzip, deflate, br, zstd",
    "Accept-Language": "en-US,en;q=0.9",
    "Sec-Fetch-Site": "same-origin",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Dest": "document",
}
"""What Chromium sends along with every request."""


@dataclass(frozen=True)
class Server:
    """gunicorn with one sync worker."""

    port: int
    worker: int

    def cpu(self) -> float:
        """Milliseconds of CPU that the worker has used, user and system time, as its schedstat counts them."""
        return int(Path(f"/proc/{self.worker}/schedstat").read_text().split()[0]) / 1_000_000

    def ask(self, path: str, *, cookies: str = "", form: dict[str, str] | None = None, etag: str = "") -> int:
        """The status of the answer; `etag` names the one that the browser has already."""
        return self.answer(path, cookies=cookies, form=form, etag=etag).status

    def answer(
        self, path: str, *, cookies: str = "", form: dict[str, str] | None = None, etag: str = ""
    ) -> HTTPResponse:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        address = f"localhost:{self.port}"
        headers = {"Host": address, **SENT, "Referer": f"http://{address}/"}
        headers |= {"Cookie": cookies} if cookies else {}
        headers |= {"If-None-Match": etag} if etag else {}
        if form is None:
            connection.request("GET", path, headers=headers)
        else:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            connection.request("POST", path, body=urlencode(form), headers=headers)
        response = connection.getresponse()
        response.read()
        connection.close()
        return response


@contextmanager
def served(port: int, application: str = "bench._wsgi") -> Iterator[Server]:
    command = [sys.executable, "-m", "gunicorn", application, "--bind", f"127.0.0.1:{port}"]
    options = ["--worker-class", "sync", "--workers", "1", "--log-level", "warning", "--no-control-socket"]
    master = subprocess.Popen([*command, *options])
    try:
        yield Server(port, _worker(master.pid, port))
    finally:
        master.terminate()
        master.wait(timeout=15)


def _worker(master: int, port: int) -> int:
    """The pid of the worker, once it answers."""
    for _try in range(150):
        time.sleep(0.2)
        children = Path(f"/proc/{master}/task/{master}/children").read_text().split()
        with socket.socket() as probe:
            if children and probe.connect_ex(("127.0.0.1", port)) == 0:
                return int(children[0])
    raise TimeoutError("gunicorn did not start")


def measure(server: Server, asks: dict[str, Ask], *, bare: Server) -> dict[str, list[float]]:
    """Milliseconds of CPU a request, by name and round."""
    figures: dict[str, list[float]] = {name: [] for name in (BARE, *asks)}
    for number in range(ROUNDS + 1):
        before = bare.cpu()
        for _request in range(REQUESTS):
            bare.ask("/")
        if number:
            figures[BARE].append((bare.cpu() - before) / REQUESTS)
        for name, ask in asks.items():
            before = server.cpu()
            for _request in range(REQUESTS):
                status = ask()
                if status not in (200, 303, 304):
                    raise ValueError(f"{name}: answered {status}")
            if number:
                figures[name].append((server.cpu() - before) / REQUESTS)
    return figures


def main(port: int) -> None:
    scene, tables = _scene.set_scene(), _scene.open_tables(TABLES)
    of_all = [scene.alice, scene.bob, scene.carol, *(seat for table in tables for seat in (table.mover, table.waiting))]
    mine = {player.pk: _scene.cookies(player) for player in of_all}
    alices, table = mine[scene.alice.pk], scene.game.get_absolute_url()
    move = _scene.some_move(scene.game)
    pages = {
        "table, origin chosen": (scene.alice, f"{table}?from={move.origin}"),
        "table, move chosen": (scene.alice, f"{table}?from={move.origin}&to={move.target}"),
        "table, a visitor": (None, table),
        "a ply of the replay": (scene.alice, f"{table}ply/{scene.game.ply - 2}/"),
        "a ply of a finished game": (scene.alice, _scene.ply_of_finished()),
        "home, 12 tables": (tables[0].mover, "/"),
        "home, a visitor": (None, "/"),
        "archive of 1,001 games": (scene.alice, "/archive/"),
        "my own archive": (scene.alice, "/archive/?mine=1"),
    }
    polls = {"poll, nothing new": (scene.alice, alices), "poll, a visitor": (None, "")}
    moves = _scene.moves_to_post(scene.alice, scene.bob, scene.carol)
    to_move = [(table.game.get_absolute_url(), mine[table.mover.pk]) for table in tables[::2]]
    waiting = [(table.game.get_absolute_url(), mine[table.waiting.pk]) for table in tables[1::2]]
    small = [(f"{table.game.get_absolute_url()}small/0-{table.game.ply}.svg", "") for table in tables[::2]]

    bare_port = free_port()
    with served(port) as server, served(bare_port, "bench._bare") as bare:

        def page(path: str, cookies: str) -> Ask:
            return lambda: server.ask(path, cookies=cookies)

        def each(addresses: list[tuple[str, str]]) -> Ask:
            """The next of the tables at each request."""
            rest = iter(addresses)

            def ask() -> int:
                path, cookies = next(rest)
                return server.ask(path, cookies=cookies)

            return ask

        def poll(player: Any, cookies: str) -> Ask:
            path = poll_url(scene.game.slug, player)
            etag = server.answer(path, cookies=cookies).headers["ETag"]
            return lambda: server.ask(path, cookies=cookies, etag=etag)

        def post_move() -> int:
            player, path, form = next(moves)
            return server.ask(path, cookies=mine[player.pk], form=form)

        asks = {"hello": page("/hello/", ""), HELLO: page("/hello/player/", alices)}
        asks |= {"table to move, first": each(to_move), "table to move, again": each(to_move)}
        asks |= {"table waiting, first": each(waiting), "table waiting, again": each(waiting)}
        asks |= {"a small board": each(small)}
        asks |= {name: page(path, mine[player.pk] if player else "") for name, (player, path) in pages.items()}
        asks |= {name: poll(player, cookies) for name, (player, cookies) in polls.items()}
        figures = measure(server, asks | {"a move, by POST": post_move}, bare=bare)
    pages |= {"table to move, again": (tables[0].mover, to_move[0][0])}
    pages |= {"table waiting, again": (tables[1].waiting, waiting[0][0])}
    needed = {name: str(_scene.queries(player, path)) for name, (player, path) in pages.items()}
    report(figures, needed)


def report(figures: dict[str, list[float]], queries: dict[str, str]) -> None:
    print(f"{'':28} CPU ms  least  x hello  at most  queries  (gunicorn, one sync worker; {ROUNDS} x {REQUESTS})")
    for name, rounds in figures.items():
        ratio = median(cost / base for cost, base in zip(rounds, figures[HELLO], strict=True))
        most = f"{MOST[name]:.2f}" if name in MOST else ""
        print(
            f"{name:28} {median(rounds):6.2f} {min(rounds):6.2f}  {ratio:7.2f}  {most:>7}  {queries.get(name, ''):>7}"
        )
