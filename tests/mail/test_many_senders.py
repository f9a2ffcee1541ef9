"""Many senders at once, as real processes on a database in a file: each mail goes out exactly once (design 3.1)."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.mail.post_office import PostOffice, open_post_office

ROOT = Path(__file__).resolve().parents[2]
GAMES = 36
SENDERS = 4
BUSY = 10


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    waits = {"MAIL_WAIT_SECONDS": "0"}
    return (
        kept | waits | {"VAR_DIR": str(tmp_path), "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error::ResourceWarning"}
    )


def run(*command: str, environment: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> tuple[str, str]:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out, err


def sweep_together(environment: dict[str, str], office: PostOffice) -> str:
    """What the senders, all started at once, complain of."""
    to_office = environment | {"EMAIL_URL": f"smtp://127.0.0.1:{office.port}"}
    senders = [run("manage.py", "sweep", environment=to_office) for _sender in range(SENDERS)]
    return "".join(finish(sender)[1] for sender in senders)


def states(directory: str) -> Counter[tuple[str, int]]:
    with sqlite3.connect(Path(directory) / "clans.sqlite3") as database:
        return Counter(database.execute("SELECT state, attempts FROM games_mail").fetchall())


def test_it_sends_each_mail_once_however_many_send(environment: dict[str, str]) -> None:
    owed = int(finish(run("-m", "tests.mail.owe_many", str(GAMES), environment=environment))[0])
    assert owed == 2 * GAMES
    with open_post_office() as office:
        office.answers = ["451 busy", "250 OK"] * BUSY
        complaints = sweep_together(environment, office)
    assert complaints.count("is put off: 451 busy") == BUSY
    assert len(office.ids) == len(set(office.ids)) == owed - BUSY
    assert states(environment["VAR_DIR"]) == {("sent", 0): owed - BUSY, ("due", 1): BUSY}
    assert office.connections >= SENDERS
