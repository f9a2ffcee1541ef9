"""A PostgreSQL of one's own: on a free port, in a folder of its own, ended by its own process id."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from clans_site import run
from tests.servers import HOST, free_port, wait_until

USER = "clans"


def is_installed() -> bool:
    """Whether this machine has PostgreSQL's programs."""
    return shutil.which(_program("initdb")) is not None


@contextmanager
def postgres_server(folder: Path) -> Iterator[str]:
    """The address of an empty database, as DATABASE_URL takes it; the server has ended when the block is left. Its log
    comes into the folder."""
    with TemporaryDirectory(prefix="clans-postgres-") as data:
        yield from _served(Path(data), folder / "postgres.log")


def _served(data: Path, log_file: Path) -> Iterator[str]:
    port, owner = free_port(), _owner(data)
    options = ["--username", USER, "--auth", "trust", "--no-sync", "--encoding", "UTF8", "--locale", "C"]
    subprocess.run([_program("initdb"), "-D", data, *options], check=True, stdout=subprocess.DEVNULL, user=owner)
    # Nothing has to outlive the machine; what is committed outlives a process all the same.
    settings = ["-c", f"listen_addresses={HOST}", "-c", f"unix_socket_directories={data}", "-c", "max_connections=60"]
    settings += ["-c", "fsync=off"]
    log_file.parent.mkdir(parents=True, exist_ok=True)
    with log_file.open("ab") as log:
        server = subprocess.Popen(
            [_program("postgres"), "-D", data, "-p", str(port), *settings],
            stdout=log,
            stderr=log,
            user=owner,
            preexec_fn=run.end_with_parent,
        )
    try:
        wait_until(lambda: _answers(port), what="answer of PostgreSQL")
        yield f"postgres://{USER}@{HOST}:{port}/postgres"
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(timeout=60)


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
