"""How long a mail takes from the commit of what causes it to the mail server, when it waits for nobody: with Redis as
the broker, and with the broker dead. Real web, worker and beat, and a real mail server."""

from __future__ import annotations

import os
import tempfile
import time
from math import ceil
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.faults.brokers import Scene

MOVES = 120
PAUSE = 0.25
AWAY = 8
"""Moves that are made while the broker is dead, spread over more than the time between two sweeps."""
AWAY_PAUSE = 4.0


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(DJANGO_SETTINGS_MODULE="clans_site.settings", VAR_DIR=folder, MAIL_WAIT_SECONDS="0")
        import django

        django.setup()
        measure(Path(folder))


def measure(folder: Path) -> None:
    from tests.faults.brokers import staged

    with staged(folder, moves=MOVES + AWAY, processes=("web", "worker", "beat")) as scene:
        _wait(scene)
        began = time.time()
        for _move in range(MOVES):
            scene.move(1)
            time.sleep(PAUSE)
        _wait(scene)
        report("broker alive", _waits(scene, since=began))
        scene.broker.refuse()
        began = time.time()
        for _move in range(AWAY):
            scene.move(1)
            time.sleep(AWAY_PAUSE)
        _wait(scene)
        report("broker dead", _waits(scene, since=began))


def _wait(scene: Scene) -> None:
    from tests.servers import wait_until

    wait_until(scene.has_sent_all, what="last mail", patience=120)


def _waits(scene: Scene, *, since: float) -> list[float]:
    """Seconds from commit to the stamp that the mail server has it, of every notice that was sent."""
    from games.models import Notice

    with scene.site.database():
        rows = list(Notice.objects.filter(state="sent").values_list("created_at", "sent_at"))
    return [(sent - owed).total_seconds() for owed, sent in rows if sent and owed.timestamp() > since]


def report(name: str, waits: list[float]) -> None:
    share = sorted(waits)[ceil(0.99 * len(waits)) - 1]
    figures = f"median {median(waits):6.2f} s, 99 % within {share:6.2f} s, longest {max(waits):6.2f} s"
    print(f"{name:14} {len(waits):4} mails: {figures}")
