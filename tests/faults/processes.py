"""What processes of this machine hold."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def children_of(pid: int) -> list[int]:
    """The processes that this one has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def memory_of(pids: Iterable[int]) -> int:
    """Bytes of memory that are these processes' own."""
    return sum(_memory_of(pid) for pid in pids)


def _memory_of(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon:")) * 1024
