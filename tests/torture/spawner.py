"""Run as a program: starts workers and sweeps as often as it is told, without the seconds that Django takes to load.

It reads names from its standard input, one a line, and prints the process id of each process that it has begun.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback

import django

django.setup()

from clans_site import run  # noqa: E402
from clans_site.celery import app  # noqa: E402
from games import tasks  # noqa: E402

WORKER = ["--quiet", "worker", "--loglevel", "WARNING", "--pool", "threads", "--concurrency", "2"]
QUIET = ["--without-gossip", "--without-mingle", "--without-heartbeat"]


def worker() -> None:
    app.worker_main([*WORKER, *QUIET])


def sweep() -> None:
    while True:
        tasks.sweep_all()
        time.sleep(0.2)


ROLES = {"worker": worker, "sweep": sweep}


def begin(name: str) -> int:
    pid = os.fork()
    if pid:
        return pid
    run.end_with_parent()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    try:
        ROLES[name]()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


if __name__ == "__main__":
    # The dead are buried by the kernel.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        print(begin(line.strip()), flush=True)
