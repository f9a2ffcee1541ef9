"""A Redis of one's own: on a free port, with nothing of it on the disk, ended by its own process id."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import redis

from clans_site import run
from tests.servers import HOST, free_port, wait_until


@dataclass
class RedisServer:
    """A broker, and what can befall it."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self.port}/0"

    @property
    def client(self) -> redis.Redis:
        return redis.Redis(HOST, self.port, socket_timeout=5)

    def start(self) -> None:
        """Start it, empty."""
        self.folder.mkdir(parents=True, exist_ok=True)
        options = {"--port": self.port, "--bind": HOST, "--dir": self.folder, "--save": "", "--appendonly": "no"}
        command = ["redis-server", *(str(part) for option in options.items() for part in option)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=run.end_with_parent)
        wait_until(self._answers, what="answer of Redis")

    def refuse(self) -> None:
        """End it: nobody listens at its port."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def hang(self) -> None:
        """Let it take connections and say nothing."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    def refuse_writes(self) -> None:
        """Let it answer, but refuse whatever it would have to keep, as with a full disk."""
        self.client.config_set("min-replicas-to-write", 1)

    def take_writes(self) -> None:
        self.client.config_set("min-replicas-to-write", 0)

    def forget(self) -> None:
        """Empty it."""
        self.client.flushall()

    def waiting(self) -> int:
        """How many messages no worker has taken yet, of all priorities."""
        return sum(int(self.client.llen(key)) for key in self.client.keys("celery*"))

    def _answers(self) -> bool:
        try:
            return bool(self.client.ping())
        except redis.RedisError:
            return False


@contextmanager
def redis_server(folder: Path) -> Iterator[RedisServer]:
    server = RedisServer(folder, free_port())
    server.start()
    try:
        yield server
    finally:
        server.refuse()
