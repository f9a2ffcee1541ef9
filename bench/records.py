"""How many games a second are imported, exported and verified: `python -m bench records    # GAMES=100000 for more`.

Random games of two, three and four seats, as `simulate` makes them. CPU time is that of one process, which on SQLite is
the database, too; beside it stand real time, and the memory that this process came to need.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from io import StringIO
from pathlib import Path

from django.core.management import call_command
from django.utils import timezone

from bench._here import databases, set_up_site

GAMES = int(os.environ.get("GAMES", "3000"))
TARGET = "import at least 300 games a second, export 1,000"


def main() -> None:
    for database, folder, url in databases():
        print(f"{database}, {GAMES:,} games: {TARGET}", flush=True)
        subprocess.run([sys.executable, "-m", "bench.records", str(folder), url], check=True)


def _measure(folder: str, url: str) -> None:
    set_up_site(folder, url)
    from games import pov
    from games.rules import simulate

    made, exported = Path(folder) / "made.jsonl", Path(folder) / "exported.jsonl"
    _write(made, (simulate(number, seed=1) for number in range(GAMES)))
    _tell("import", lambda: call_command("import_games", str(made), stdout=StringIO()))
    with exported.open("w") as file:
        _tell("export", lambda: call_command("export_games", stdout=file))
    _tell("write the files of the archive", lambda: pov.publish_archive(at=timezone.now()))
    _tell("verify", lambda: call_command("verify_archive", stdout=StringIO()))
    print(f"    exported is what was imported: {made.read_bytes() == exported.read_bytes()}")


def _write(file: Path, records: Iterable[object]) -> None:
    with file.open("w") as into:
        into.writelines(f"{json.dumps(record)}\n" for record in records)


def _tell(what: str, do: Callable[[], object]) -> None:
    cpu, begun = time.process_time(), time.monotonic()
    do()
    cpu, took = time.process_time() - cpu, time.monotonic() - begun
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"    {what:32}{GAMES / cpu:7,.0f} a second of CPU, {GAMES / took:7,.0f} in real time, {memory:.0f} MB")


if __name__ == "__main__" and sys.argv[1:]:
    _measure(*sys.argv[1:])
