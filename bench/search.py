"""What searches of the archive cost where 100,000 games are over, above all those that find nothing.

    python -m bench search    # GAMES=20000 for fewer

CPU time is that of the process that answers, which on SQLite is also the database; on PostgreSQL the time is told that
the database takes by its own clock.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.grows import Counts
from bench.pages import free_port, use_environment

GAMES = int(os.environ.get("GAMES", "100000"))
"""Games that are over; besides them others run, as `bench/_big_site.py` makes them."""
TARGET = "at most 50,000 us of CPU and 8 queries"

SEARCHES = {
    "all": "",
    "finds some": "size=3&computers=yes",
    "no such title": "title=nowhere",
    "a clan, no such title": "clan=red&title=nowhere",
    "no such clan": "clan=red&size=2&end=no-moves",
    "no such margin": "margin_from=90",
    "no such total, oldest": "total_from=900&order=oldest",
    "no such moves, longest": "moves_from=50&order=longest",
    "closest, nothing": "title=nowhere&order=closest",
    "highest, nothing": "title=nowhere&order=points",
    "talk, nothing": "talk=yes&title=nowhere",
    "one player": "player=regular&size=2",
    "one player, nothing": "player=regular&title=nowhere",
    "two players, nothing": "player=regular+other&margin_from=90",
    "winner and clan": "winner=regular&clan=red",
}


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="clans-bench-") as folder:
        report("SQLite", _in_a_process(Path(folder)))
    from tests.postgres_server import postgres_server

    with tempfile.TemporaryDirectory(prefix="clans-bench-") as folder, postgres_server(Path(folder)) as url:
        report("PostgreSQL", _in_a_process(Path(folder), url))


def report(database: str, costs: dict[str, Counts]) -> None:
    print(f"{database}: {TARGET}")
    for name, cost in costs.items():
        print(f"{name:26}" + ", ".join(f"{count} {what}" for what, count in cost.items()))


def _in_a_process(folder: Path, url: str = "") -> dict[str, Counts]:
    command = [sys.executable, "-m", "bench.search", str(folder), url]
    found = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return dict(json.loads(found))


def _measure(folder: str, url: str) -> Iterator[tuple[str, Counts]]:
    use_environment(str(Path(folder) / "var"), free_port())
    if url:
        os.environ["DATABASE_URL"] = url
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.test import Client
    from django.utils import timezone

    from bench import _big_site
    from bench.grows import _page, cost

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    at = timezone.now()
    _big_site.grow(_big_site.begin_site(at=at), GAMES * 100 // 54, at=at)
    vary()
    client = Client(HTTP_HOST=settings.ALLOWED_HOSTS[0])
    for name, query in SEARCHES.items():
        yield name, cost(_page(client, f"/archive/?{query}"))


def vary() -> None:
    """Give the copies of the finished game different results: searches find some of them, none, or all."""
    from django.db import connection

    columns = {
        "name": "'Bench ' || id",
        "size": "CASE WHEN id % 3 = 0 THEN 3 ELSE 2 END",
        "ply": "20 + id % 25",
        "has_computers": "id % 7 = 0",
        "winning_clans": "substr('bgykbgyk', CAST(1 + id % 4 AS integer), CASE WHEN id % 40 = 0 THEN 2 ELSE 1 END)",
        "winning_total": "40 + id % 60",
        "margin": "CASE WHEN id % 40 = 0 THEN 0 ELSE 1 + id % 30 END",
        "said": "id % 5",
        "talk": "CASE WHEN id % 3 = 0 THEN 'end' ELSE 'players' END",
    }
    sets = ", ".join(f"{name} = {value}" for name, value in columns.items())
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE games_game SET {sets} WHERE status = 'finished' AND \"end\" <> 'abandoned'")  # noqa: S608
        if connection.vendor == "postgresql":
            cursor.execute("VACUUM ANALYZE games_game")


if __name__ == "__main__":
    arguments: Any = sys.argv[1:]
    if arguments:
        json.dump(dict(_measure(*arguments)), sys.stdout)
