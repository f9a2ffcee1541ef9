from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from clans_site.cache import FileCache


def test_it_lets_one_of_many_win(tmp_path: Path) -> None:
    for attempt in range(10):
        barrier = Barrier(8)

        def ask(_: int, attempt: int = attempt, barrier: Barrier = barrier) -> bool:
            cache = FileCache(tmp_path, {})
            barrier.wait()
            return cache.add(f"lock-{attempt}", True)

        with ThreadPoolExecutor(8) as pool:
            assert sum(pool.map(ask, range(8))) == 1


def test_it_shares_what_it_holds(tmp_path: Path) -> None:
    FileCache(tmp_path, {}).set("attempts", 3)
    assert FileCache(tmp_path, {}).get("attempts") == 3
