"""What each address costs on a small site and on a large one: work of the database that is counted, and CPU time.

    python -m bench grows                    # 2,000 and 20,000 games, on SQLite and on PostgreSQL
    GAMES=1000000 python -m bench grows      # the large one by a million

On SQLite steps of its virtual machine are counted, on PostgreSQL the rows that a query reads and the pages (buffers) of
8 kB that it looks at: neither depends on how busy the machine is. `tests/models/test_grows.py` holds the counts against
each other. CPU time is that of the process that answers, which on SQLite is also the database, and that of the process
of PostgreSQL that serves it.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from bench._here import databases, set_up_site

GAMES = int(os.environ.get("GAMES", "20000"))
TIMES = int(os.environ.get("TIMES", "10"))
"""How often each is asked for, for its CPU time."""

Counts = dict[str, int]


def main() -> None:
    sizes = (GAMES // 10, GAMES)
    for database, folder, url in databases():
        report(database, sizes, costs(folder, sizes, url=url))


def costs(folder: Path, sizes: Sequence[int], *, url: str = "", every: int = 200) -> list[dict[str, Counts]]:
    """What each address costs at each of the sizes, found out in a process and a database of its own. The regular has
    one of `every` finished games."""
    command = [sys.executable, "-m", "bench.grows", str(folder), url, str(every), *map(str, sizes)]
    found = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return [dict(one) for one in json.loads(found)]


def _find_out(folder: str, url: str, every: int, *sizes: int) -> Iterator[dict[str, Counts]]:
    set_up_site(folder, url)
    from bench import _big_site

    call_command("collectstatic", interactive=False, verbosity=0)
    at = timezone.now()
    site = _big_site.begin_site(at=at, every=every)
    for size in sizes:
        begun = time.monotonic()
        site = _big_site.grow(site, size, at=at)
        print(f"filled to {size} games in {time.monotonic() - begun:.0f} s", file=sys.stderr)
        yield {name: cost(ask) for name, ask in asks(site).items()}


def report(database: str, sizes: Sequence[int], costs: list[dict[str, Counts]]) -> None:
    print(f"{database:18}" + "".join(f"{f'{size:,} games':>50}" for size in sizes))
    for name in costs[0]:
        told = (", ".join(f"{count} {what}" for what, count in cost[name].items()) for cost in costs)
        print(f"{name:18}" + "".join(f"{one:>50}" for one in told))


def asks(site: Any) -> dict[str, Callable[[], Any]]:
    """What is asked for, by name: pages of the regular and of a visitor, and what runs without anybody."""
    from games.pages.player.feeds import feed_address
    from games.tasks import sweep_all

    visitor, player = Client(HTTP_HOST=settings.ALLOWED_HOSTS[0]), Client(HTTP_HOST=settings.ALLOWED_HOSTS[0])
    player.force_login(site.regular)
    site.regular.feed_key = "a" * 43
    site.regular.save(update_fields=("feed_key",))
    table = site.games["running"].get_absolute_url()
    turns, deadlines = (feed_address(site.regular, name).partition("/feeds/")[2] for name in ("turns", "deadlines"))
    mine = {
        "home": "/",
        "my tables": "/?list=tables",
        "waiting for me": "/?list=waiting",
        "seats for me": "/?list=free",
        "next table": "/next/",
        "my archive": "/archive/?mine=1",
        "mail log": "/mail/",
        "mail preferences": "/preferences/mail/",
        "new table": "/tables/new/",
        "a table": table,
        "a player": "/players/other/",
        "my page": f"/players/{site.regular.username}/",
    }
    public = {
        "home, a visitor": "/",
        "open tables": "/?list=open",
        "free seats": "/?list=free",
        "archive": "/archive/",
        "archive, a player": "/archive/?player=regular&size=2",
        "archive, longest": "/archive/?order=longest&computers=no",
        "archive, page 2": f"/archive/?at=after-{site.games['finished'].ended_at.timestamp() * 1e6:.0f}-1",
        "archive’s feed": "/archive/feed/",
        "a search’s feed": "/archive/feed/?player=regular&size=2",
        "statistics": "/archive/statistics/",
        "statistics, CSV": "/archive/statistics.csv",
        "download": "/archive/download/",
        "ratings": "/ratings/",
        "players": "/players/",
        "players, by a name": "/players/?name=b",
        "leagues": "/leagues/",
        "watch": "/watch/",
        "a player, a visitor": f"/players/{site.regular.username}/",
        "a player’s games": f"/archive/?player={site.regular.username}",
        "feed of turns": f"/feeds/{turns}",
        "feed of deadlines": f"/feeds/{deadlines}",
        "health": "/health/",
    }
    finished = site.games["finished"]
    replays = _about_finished(finished)
    program, api = program_of(site.regular), "/api/v1/"
    game = f"{api}games/{finished.slug}"
    of_programs = {
        "API: archive": f"{api}games",
        "API: running": f"{api}running",
        "API: my tables": f"{api}running?mine=true",
        "API: a game": game,
        "API: a ply": f"{game}/plies/9",
        "API: a position": f"{api}positions/{program.get(game).json()['state']['position']}/games",
        "API: a player": f"{api}players/{site.regular.username}",
        "API: statistics": f"{api}statistics",
        "API: its page": api,
        "API: OpenAPI": f"{api}openapi.json",
    }
    return {
        **{name: _page(player, path) for name, path in mine.items()},
        **{name: _page(visitor, path) for name, path in (public | replays).items()},
        **{f"{name}, mine": _page(player, path) for name, path in replays.items() if "/ply/" in path},
        **{name: _page(program, path) for name, path in of_programs.items()},
        "sweep": sweep_all,
    }


def _about_finished(game: Any) -> dict[str, str]:
    """The addresses of a finished game, by name."""
    table = game.get_absolute_url()
    ply = f"{table}ply/9/"
    return {
        "a result": table,
        "a ply": ply,
        "a ply, the public": f"{ply}public/",
        "a ply, a seat": f"{ply}seat/1/",
        "a ply in a frame": f"{ply}embed/",
        "a ply, tried out": f"{ply}try/",
        "a ply as PNG": f"{table}ply/9.png",
        "a result as PNG": f"{table}result.png",
        "a small board": f"{table}small/0-9.svg",
        "a keepsake": f"{table}keepsake.html",
        "a record": f"{table}record.json",
        "a deal": f"{table}deal/",
        "a talk": f"{table}talk/",
        "a table’s feed": f"{table}feed/",
    }


def program_of(player: Any) -> Any:
    """A client that reads the API as the player."""
    from games import play

    player.api_tokens.all().delete()
    token = play.make_api_token(player, name="bench", at=timezone.now())
    return Client(HTTP_HOST=settings.ALLOWED_HOSTS[0], headers={"Authorization": f"Bearer {token}"})


def _page(client: Any, path: str) -> Callable[[], None]:
    def ask() -> None:
        response = client.get(path)
        assert response.status_code in (200, 302, 303), f"{path}: {response.status_code}"

    return ask


def cost(ask: Callable[[], Any]) -> Counts:
    """What one costs, asked for again: microseconds of CPU, queries, and what the database counts."""
    ask()
    # As in the processes of a server: else the collector looks through all modules at some of them.
    gc.collect()
    gc.freeze()
    with _one_process():
        begun, of_database = time.process_time(), _cpu_of_database()
        for _time in range(TIMES):
            ask()
        spent = {"us of CPU": time.process_time() - begun, "us of the database": _cpu_of_database() - of_database}
    return {what: round(seconds / TIMES * 1_000_000) for what, seconds in spent.items()} | counted(ask)


@contextmanager
def _one_process() -> Iterator[None]:
    """Inside, PostgreSQL uses the process that serves us alone, so that its CPU time is all there is."""
    if connection.vendor == "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SET max_parallel_workers_per_gather = 0")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET max_parallel_workers_per_gather")


def _cpu_of_database() -> float:
    """Seconds of CPU that the process of PostgreSQL that serves us has used; SQLite runs in our own."""
    if connection.vendor == "sqlite":
        return 0.0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [process] = cursor.fetchone()
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1_000_000_000


def counted(ask: Callable[[], Any]) -> Counts:
    """How many queries `ask` makes, and what they make the database do."""
    return _steps_of(ask) if connection.vendor == "sqlite" else _reads_of(ask)


def _steps_of(ask: Callable[[], Any]) -> Counts:
    steps = 0

    def step() -> int:
        nonlocal steps
        steps += 1
        return 0

    with recorded() as queries:
        connection.ensure_connection()
        connection.connection.set_progress_handler(step, 1)
        ask()
        connection.connection.set_progress_handler(None, 0)
    return {"queries": len(queries), "steps": steps}


def _reads_of(ask: Callable[[], Any]) -> Counts:
    with recorded() as queries:
        ask()
    found = {"queries": len(queries), "rows": 0, "buffers": 0}
    with connection.cursor() as cursor:
        for sql, params in queries:
            if sql.startswith("SELECT"):
                cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}", params)
                plan = cursor.fetchone()[0]
                [top] = json.loads(plan) if isinstance(plan, str) else plan
                found["rows"] += sum(_rows_read(node) for node in _nodes(top["Plan"]))
                found["buffers"] += top["Plan"]["Shared Hit Blocks"] + top["Plan"]["Shared Read Blocks"]
    return found


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from _nodes(part)


def _rows_read(node: dict[str, Any]) -> int:
    """The rows that a scan looks at, those among them that it drops."""
    if "Scan" not in node["Node Type"]:
        return 0
    rows: int = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
    return rows * int(node["Actual Loops"])


@contextmanager
def recorded() -> Iterator[list[tuple[str, Any]]]:
    """The queries that are made meanwhile, with their parameters."""
    queries: list[tuple[str, Any]] = []

    def record(execute: Any, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        queries.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(record):
        yield queries


if __name__ == "__main__":
    json.dump(list(_find_out(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))), sys.stdout)
