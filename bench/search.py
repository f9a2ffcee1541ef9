"""What searches of the archive cost where 100,000 games are over, above all those that find nothing: by its page, and
by the API with a token. And what all other addresses of `bench/grows.py` cost there.

    python -m bench search    # GAMES=20000 for fewer

CPU time is counted as there.
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
CPU, QUERIES = 50_000, 8
"""At most so many microseconds, those of the database among them, and queries."""

SEARCHES = {
    "all": "",
    "finds some": "size=3&computers=yes",
    "no such title": "title=nowhere",
    "part of many titles": "title=77",
    "part of few titles": "title=54321",
    "a clan, no such title": "clan=red&title=nowhere",
    "no such clan": "clan=red&size=2&end=no-moves",
    "no such margin": "margin_from=90",
    "no such total, oldest": "total_from=900&order=oldest",
    "no such moves, longest": "moves_from=50&order=longest",
    "closest, nothing": "title=nowhere&order=closest",
    "highest, nothing": "title=nowhere&order=points",
    "talk, nothing": "talk=yes&title=nowhere",
    "no talk, nothing": "talk=no&title=nowhere",
    "no such pace": "pace=brisk&size=2",
    "no such day": "since=2020-01-01&until=2020-01-31",
    "a shared win, nothing": "tie=yes&computers=yes&title=nowhere",
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
    print(f"{database}: at most {CPU:,} us of CPU, those of the database among them, and {QUERIES} queries")
    for name, cost in costs.items():
        mark = "" if cost["queries"] <= QUERIES and _cpu(cost) <= CPU else "  MORE THAN THAT"
        print(f"{name:30}" + ", ".join(f"{count} {what}" for what, count in cost.items()) + mark)


def _cpu(cost: Counts) -> int:
    """Microseconds of CPU in all."""
    return sum(count for what, count in cost.items() if what.startswith("us of"))


def _in_a_process(folder: Path, url: str = "") -> dict[str, Counts]:
    command = [sys.executable, "-m", "bench.search", str(folder), url]
    # Asked for five times each, all searches by the API stay below its limit of calls in a minute.
    found = subprocess.run(command, check=True, stdout=subprocess.PIPE, env={"TIMES": "5", **os.environ}).stdout
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
    from bench.grows import _page, asks, cost, program_of

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    at = timezone.now()
    site = _big_site.grow(_big_site.begin_site(at=at), GAMES * 100 // 54, at=at)
    vary()
    place, moves = pass_positions()
    client = Client(HTTP_HOST=settings.ALLOWED_HOSTS[0])
    passed = {
        "a position": f"position={place}",
        "a position, nothing": f"position={place}&title=nowhere",
        "first move": f"opening={moves[0]}",
        "first move, nothing": f"opening={moves[0]}&title=nowhere&order=closest",
        "two moves": f"opening={moves[0]}+{moves[1]}",
        "a position, one player": f"position={place}&player=regular",
    }
    for name, query in (SEARCHES | passed).items():
        yield name, cost(_page(client, f"/archive/?{query}"))
    program = program_of(site.regular)
    for name, query in (SEARCHES | passed).items():
        yield f"API: {name}", cost(_page(program, f"/api/v1/games?{query}"))
    for name, ask in asks(site).items():
        if name != "sweep":
            yield f"page: {name}", cost(ask)


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
        copies = "id >= 1000 AND status = 'finished' AND \"end\" <> 'abandoned'"
        cursor.execute(f"UPDATE games_game SET {sets} WHERE {copies}")  # noqa: S608
        if connection.vendor == "postgresql":
            cursor.execute("VACUUM ANALYZE games_game")


def pass_positions() -> tuple[str, list[str]]:
    """Give each copy 36 positions of its own; one game in 350 passes through the sixth of the game that was played, and
    one in 280 begins with its first move. Returns that position, as it stands in addresses, and the opening moves."""
    from django.db import connection

    from games.models import Game, PassedPosition

    game = Game.objects.filter(status="finished", pk__lt=1000).exclude(end="abandoned").get()
    sixth, first = PassedPosition.objects.get(game=game, ply=6), PassedPosition.objects.get(game=game, ply=1)
    key = f"CASE WHEN i = 6 AND id % 350 = 0 THEN {sixth.key} ELSE CAST(id * 100 + i AS bigint) * 2654435761 END"
    other = "WHEN i BETWEEN 1 AND 8 THEN id % (280 * i * i) * 60 + i"
    shape = f"CASE WHEN i = 1 AND id % 280 = 0 THEN {first.shape} {other} END"
    series = "WITH RECURSIVE series(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM series WHERE i < 35)"
    rows = f"SELECT id, i, {key}, {shape} FROM games_game, series WHERE status = 'finished' AND id >= 1000"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(f"{series} INSERT INTO games_passedposition (game_id, ply, key, shape) {rows}")
        if connection.vendor == "postgresql":
            cursor.execute("ANALYZE games_passedposition")
    return f"{game.slug}-6", [move.text.partition("=")[0] for move in game.moves.all()[:2]]


if __name__ == "__main__":
    arguments: Any = sys.argv[1:]
    if arguments:
        json.dump(dict(_measure(*arguments)), sys.stdout)
