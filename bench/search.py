"""What searches of the archive cost where 100,000 games were imported, above all those that find nothing: by its page
for a player who is signed in, and by the API with a token. And what all other addresses of `bench/grows.py` cost there.

    python -m bench search    # GAMES=5000 for fewer: 100,000 take a quarter of an hour

The games are random ones, as `manage.py simulate` plays them, and `manage.py import_games` reads them. Beside them are
a quarter as many of people with accounts, as `bench/_big_site.py` makes them: 40 of 100 are running. CPU time is
counted as in `bench/grows.py`.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from bench._here import databases, set_up_site
from bench.grows import Counts

GAMES = int(os.environ.get("GAMES", "100000"))
"""Games that are imported."""
NAMES = 500
"""How many names their players have; a seat in 20 was a computer player's."""
AGAIN = 350
"""One game in so many is the first one again, among others: they pass through the same positions."""
BETWEEN = timedelta(minutes=10)
"""After so long the next game ended."""
CPU, QUERIES = 50_000, 8
"""At most so many microseconds, those of the database among them, and queries."""

SEARCHES = {
    "all": "",
    "finds some": "size=3&computers=yes",
    "no such title": "title=nowhere",
    "part of many titles": "title=77",
    "part of few titles": "title=54321",
    "a clan, no such title": "clan=red&title=nowhere",
    "a clan, no moves left": "clan=red&size=2&end=no-moves",
    "no such margin": "margin_from=90",
    "no such total, oldest": "total_from=900&order=oldest",
    "many moves, longest": "moves_from=45&order=longest",
    "no such moves, longest": "moves_from=60&order=longest",
    "closest, nothing": "title=nowhere&order=closest",
    "highest, nothing": "title=nowhere&order=points",
    "talk": "talk=yes",
    "talk, nothing": "talk=yes&title=nowhere",
    "no talk, nothing": "talk=no&title=nowhere",
    "no such pace": "pace=brisk&size=2",
    "no such day": "since=2020-01-01&until=2020-01-31",
    "a shared win, nothing": "tie=yes&computers=yes&title=nowhere",
    "one player": "player=regular&size=2",
    "one player, nothing": "player=regular&title=nowhere",
    "two players, nothing": "player=regular+other&margin_from=90",
    "winner and clan": "winner=regular&clan=red",
    "no account": "player=player-7",
    "no account, nothing": "player=player-7&title=nowhere",
    "no account, no such moves": "player=player-7&moves_from=60&order=longest",
    "two without account": "player=player-7,player-8",
    "four without account": "player=player-7,player-8,player-9,computer+1",
    "one with account, one without": "player=regular,computer+1",
    "a computer player": "player=computer+1",
    "computer players, nothing": "player=computer+1,computer+2&title=nowhere",
    "no account, winner and clan": "winner=player-7&clan=red",
    "a computer player, winner": "winner=computer+1&title=nowhere",
}


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="clans-bench-") as made:
        records = Path(made) / "records.jsonl"
        write_records(records)
        for database, folder, url in databases():
            report(database, _in_a_process(folder, records, url))


def write_records(file: Path) -> None:
    """Random games for `import_games`, each with a title, names and an end of its own."""
    from games.rules import simulate

    rng, end = Random(1), datetime.now(UTC).replace(microsecond=0)
    with file.open("w") as into:
        for number in range(GAMES):
            record = simulate(number if number % AGAIN else 0, seed=1)
            names = rng.sample(range(NAMES), len(record["players"]))
            for seat, (player, name) in enumerate(zip(record["players"], names, strict=True), start=1):
                player["name"] = f"player-{name}" if rng.random() < 0.95 else f"computer {seat}"
            ended = (end - number * BETWEEN).isoformat()
            into.write(f"{json.dumps(record | {'name': f'Bench {number}', 'ended': ended})}\n")


def report(database: str, costs: dict[str, Counts]) -> None:
    print(f"{database}: at most {CPU:,} us of CPU, those of the database among them, and {QUERIES} queries")
    for name, cost in costs.items():
        mark = "" if cost["queries"] <= QUERIES and _cpu(cost) <= CPU else "  MORE THAN THAT"
        print(f"{name:30}" + ", ".join(f"{count} {what}" for what, count in cost.items()) + mark)


def _cpu(cost: Counts) -> int:
    """Microseconds of CPU in all."""
    return sum(count for what, count in cost.items() if what.startswith("us of"))


def _in_a_process(folder: Path, records: Path, url: str) -> dict[str, Counts]:
    command = [sys.executable, "-m", "bench.search", str(folder), str(records), url]
    # Asked for four times each, all searches by the API stay below its limit of calls.
    found = subprocess.run(command, check=True, stdout=subprocess.PIPE, env={"TIMES": "4", **os.environ}).stdout
    return dict(json.loads(found))


def _measure(folder: str, records: str, url: str) -> Iterator[tuple[str, Counts]]:
    set_up_site(folder, url)
    from bench import _big_site
    from bench.grows import _page, asks, cost, program_of

    call_command("collectstatic", interactive=False, verbosity=0)
    at = timezone.now()
    site = _big_site.grow(_big_site.begin_site(at=at, every=50), GAMES // 4, at=at)
    _import(records)
    searches = SEARCHES | _searches_of_moves()
    client, program = Client(HTTP_HOST=settings.ALLOWED_HOSTS[0]), program_of(site.regular)
    client.force_login(site.regular)
    for name, query in searches.items():
        yield name, cost(_page(client, f"/archive/?{query}"))
    for name, query in searches.items():
        path = f"/api/v1/games?{query}"
        yield f"API: {name}", cost(_page(program, path)) | {"found": program.get(path).json()["count"]["number"]}
    # Calls are counted there, and these are not those of a minute.
    cache.clear()
    for name, ask in asks(site).items():
        if name != "sweep":
            yield f"page: {name}", cost(ask)


def _import(records: str) -> None:
    """Import the games, count the archive's statistics anew, and let PostgreSQL look at its tables, as it does by
    itself after a while."""
    from games import play

    cpu, begun = time.process_time(), time.monotonic()
    call_command("import_games", records, stdout=sys.stderr)
    cpu, took = time.process_time() - cpu, time.monotonic() - begun
    print(f"imported {GAMES / cpu:,.0f} games a second of CPU, {GAMES / took:,.0f} in real time", file=sys.stderr)
    logging.disable()  # of the copies in `bench/_big_site.py`, each a line: they have no moves to count
    play.count_archive(at=timezone.now())
    logging.disable(logging.NOTSET)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")


def _searches_of_moves() -> dict[str, str]:
    """Searches for a position of the first record, and for its opening moves."""
    from games.models import Game

    game = Game.objects.get(name="Bench 0")
    place = f"{game.slug}-6"
    first, second = (move.text.partition("=")[0] for move in game.moves.all()[:2])
    return {
        "a position": f"position={place}",
        "a position, nothing": f"position={place}&title=nowhere",
        "first move": f"opening={first}",
        "first move, nothing": f"opening={first}&title=nowhere&order=closest",
        "two moves": f"opening={first}+{second}",
        "a position, one player": f"position={place}&player=regular",
        "a position, a computer player": f"position={place}&player=computer+1",
        "a position, players and winner": f"position={place}&player=regular,player-7&winner=computer+1",
    }


if __name__ == "__main__":
    arguments: Any = sys.argv[1:]
    if arguments:
        json.dump(dict(_measure(*arguments)), sys.stdout)
