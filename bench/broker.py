"""How long a move takes while the broker, a real Redis, refuses, hangs or has been emptied: seconds from the request to
the whole answer, at a real web process of two workers."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

MOVES = 30
"""After the first one."""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(DJANGO_SETTINGS_MODULE="clans_site.settings", VAR_DIR=folder, MAIL_WAIT_SECONDS="0")
        import django

        django.setup()
        print(f"{'broker':10} {'first move':>12} {'then at most':>12}   (seconds, {MOVES} moves)")
        measure(Path(folder))


def measure(folder: Path) -> None:
    from tests.faults.brokers import Scene, staged
    from tests.redis_server import RedisServer

    def seconds(scene: Scene) -> float:
        began = time.perf_counter()
        scene.move(1)
        return time.perf_counter() - began

    faults: dict[str, Callable[[RedisServer], object]] = {
        "sound": RedisServer.waiting,
        "refuses": RedisServer.refuse,
        "hangs": RedisServer.hang,
        "emptied": RedisServer.forget,
    }
    for name, befall in faults.items():
        with staged(folder / name, moves=MOVES + 6, processes=("web",)) as scene:
            scene.move(5)
            befall(scene.broker)
            first = seconds(scene)
            print(f"{name:10} {first:12.3f} {max(seconds(scene) for _move in range(MOVES)):12.3f}")
            scene.check_nothing_is_lost(MOVES + 6)
