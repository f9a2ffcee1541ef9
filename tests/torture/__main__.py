from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

import django


def main() -> int:
    parser = argparse.ArgumentParser(description=sys.modules["tests.torture"].__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--moves", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=("sqlite", "postgres"), action="append")
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clans_site.settings")
    # The site of the players is served with DEBUG off, and takes the key of this process.
    os.environ.setdefault("SECRET_KEY", "of-the-torture-" * 4)
    django.setup()
    from tests.torture.run import torture

    failed = False
    for database in asked.database or ("sqlite", "postgres"):
        folder = Path(tempfile.mkdtemp(prefix="clans-torture-"))
        # Stays when something is wrong: the logs and the database tell more than a line.
        print(f"--- {database}, in {folder} ---", flush=True)
        outcome = torture(folder, kills=asked.kills, moves=asked.moves, database=database, seed=asked.seed)
        print(outcome, flush=True)
        failed = failed or bool(outcome.faults)
        if not outcome.faults:
            shutil.rmtree(folder, ignore_errors=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
