"""Run as a program: ends overdue turns at the moment in which a file appears, as a sweep would; prints how many."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import django

django.setup()

from django.db import connection  # noqa: E402

from games import play  # noqa: E402

PATIENCE = 60

if __name__ == "__main__":
    signal = Path(sys.argv[1])
    connection.ensure_connection()
    print("ready", flush=True)
    deadline = time.monotonic() + PATIENCE
    while not signal.exists() and time.monotonic() < deadline:
        time.sleep(0.001)
    print(play.end_overdue_turns(at=play.now()), flush=True)
