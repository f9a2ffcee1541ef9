"""What Celery does around each task."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import free_port

ROOT = Path(__file__).parents[2]
RUN_A_TASK = """
from celery.fixups.django import DjangoWorkerFixup
from celery.signals import task_postrun, task_prerun
from clans_site.celery import app
app.loader.import_default_modules()
from django.db import connection

fixup, task = DjangoWorkerFixup(app), app.tasks["games.tasks.sweep"]
connection.ensure_connection()
mine = connection.connection
BEFORE
for signal, close in ((task_prerun, fixup.on_task_prerun), (task_postrun, fixup.on_task_postrun)):
    signal.send(sender=task)
    close(sender=task)
print("kept" if connection.connection is mine else "closed")
"""

WORK_FOR_HOURS = """
import os, sys
from kombu.utils import functional
from clans_site.celery import app

waited = 0.0

def pass_time(seconds):
    global waited
    waited += seconds
    if waited > 4 * 3600:
        print("still there", flush=True)
        os._exit(0)

functional.sleep = pass_time
app.worker_main(["--quiet", "--skip-checks", "worker", "--pool", "solo", "--loglevel", "CRITICAL"])
"""


@pytest.mark.parametrize(("before", "said"), [("", "kept"), ("connection.close_at = 0", "closed")])
def test_a_connection_is_kept_from_one_task_to_the_next_until_it_is_old(before: str, said: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUN_A_TASK.replace("BEFORE", before)],
        cwd=ROOT,
        env={"VAR_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == said


def test_a_worker_waits_for_hours_for_a_broker_that_is_away(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WORK_FOR_HOURS],
        cwd=ROOT,
        env={"VAR_DIR": str(tmp_path), "REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "still there", done.stderr
