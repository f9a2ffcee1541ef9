"""The cache without a server: files, shared by all processes of one machine."""

import fcntl
from pathlib import Path
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.filebased import FileBasedCache


class FileCache(FileBasedCache):
    """Django's file cache with an atomic `add`, which rate limits use as a lock."""

    def __init__(self, location: str | Path, params: dict[str, Any]) -> None:
        super().__init__(str(location), params)
        self._lock = Path(location, "lock")

    def add(self, key: str, value: object, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Whether the key was free; of two processes at the same time only one gets True."""
        self._lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._lock.open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return super().add(key, value, timeout, version)
