"""A PostgreSQL of one's own: on a free port, in a folder of its own, ended by its own process id."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from clans_site import run
from tests.servers import HOST, free_port, wait_until

USER = "clans"


def is_installed() -> bool:
    """Whether this machine has PostgreSQL's programs."""
    return shutil.which(_program("initdb")) is not None


@dataclass
class PostgresServer:
    """An empty database, and what can befall it."""

    data: Path
    log_file: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """As DATABASE_URL takes it."""
        return f"postgres://{USER}@{HOST}:{self.port}/postgres"

    def start(self) -> None:
        """Start it, with what it has stored before."""
        # Nothing has to outlive the machine; what is committed outlives a process all the same.
        settings = ["-c", f"listen_addresses={HOST}", "-c", f"unix_socket_directories={self.data}"]
        settings += ["-c", "max_connections=60", "-c", "fsync=off"]
        with self.log_file.open("ab") as log:
            self.process = subprocess.Popen(
                [_program("postgres"), "-D", self.data, "-p", str(self.port), *settings],
                stdout=log,
                stderr=log,
                user=_owner(self.data),
                preexec_fn=run.end_with_parent,
            )
        wait_until(lambda: _answers(self.port), what="answer of PostgreSQL")

    def stop(self) -> None:
        """End it as an update of the system does: whoever is connected is told, and waited for no longer."""
        self._end(signal.SIGINT)

    def crash(self) -> None:
        """End it at once, in the middle of what it does."""
        self._end(signal.SIGQUIT)

    def refuse_writes(self) -> None:
        """Let it only read, as an operator can tell it."""
        self._tell("ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()")
        wait_until(lambda: self._tell("SHOW transaction_read_only") == "on", what="word of PostgreSQL's settings")

    def stand_by(self) -> None:
        """Start it again as one that copies another server and waits for what that sends."""
        self.stop()
        (self.data / "standby.signal").touch()
        self.start()

    def take_writes(self) -> None:
        """Let it write again, whatever it was told."""
        self._tell("ALTER SYSTEM RESET default_transaction_read_only", "SELECT pg_reload_conf()")
        if self._tell("SELECT pg_is_in_recovery()"):
            self._tell("SELECT pg_promote()")
        wait_until(lambda: self._tell("SHOW transaction_read_only") == "off", what="word of PostgreSQL's settings")

    def _tell(self, *statements: str) -> object:
        """What the last of these statements answers first."""
        with psycopg.connect(self.url, autocommit=True) as told:
            answers = [told.execute(statement) for statement in statements]
            return next(iter(answers[-1].fetchone() or ()), None)

    def _end(self, by: signal.Signals) -> None:
        if self.process is not None:
            self.process.send_signal(by)
            self.process.wait(timeout=60)
            self.process = None


@contextmanager
def postgres_server(folder: Path) -> Iterator[PostgresServer]:
    """A server that runs; it has ended when the block is left. Its log comes into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="clans-postgres-") as data:
        server = PostgresServer(Path(data), folder / "postgres.log", free_port())
        options = ["--username", USER, "--auth", "trust", "--no-sync", "--encoding", "UTF8", "--locale", "C"]
        command = [_program("initdb"), "-D", data, *options]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, user=_owner(server.data))
        server.start()
        try:
            yield server
        finally:
            server.stop()


def _answers(port: int) -> bool:
    try:
        psycopg.connect(host=HOST, port=port, user=USER, dbname="postgres", connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


def _owner(data: Path) -> str | None:
    """PostgreSQL does not serve root: then it runs as another user, who must reach its folder. So it is no folder of
    pytest, which takes away the right to reach those whenever it is started once more."""
    if os.getuid() != 0:
        return None
    owner = "postgres" if any(user.pw_name == "postgres" for user in pwd.getpwall()) else "nobody"
    shutil.chown(data, owner)
    for parent in [*data.parents][:-1]:
        if not parent.stat().st_mode & 0o001:
            parent.chmod(parent.stat().st_mode | 0o011)
    return owner


def _program(name: str) -> str:
    """Debian keeps PostgreSQL's programs, each version's by themselves, away from the others."""
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(places[-1]) if places else shutil.which(name) or name
