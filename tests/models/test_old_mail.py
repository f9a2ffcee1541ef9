"""What was owed, on its way or sent before mails had rows of their own goes on as it was."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mail.post_office import PostOffice, open_post_office

ROOT = Path(__file__).resolve().parents[2]


def run(folder: Path, *command: str, office: PostOffice) -> None:
    environment = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    environment |= {"VAR_DIR": str(folder), "PYTHONPATH": str(ROOT), "MAIL_WAIT_SECONDS": "0"}
    environment["EMAIL_URL"] = f"smtp://127.0.0.1:{office.port}"
    subprocess.run([sys.executable, *command], cwd=ROOT, env=environment, check=True, timeout=300)


def rows(folder: Path, asked: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(folder / "clans.sqlite3") as database:
        return database.execute(asked).fetchall()


NOTICES = "SELECT number, state, mail_id - (SELECT min(id) FROM games_notice) FROM games_notice ORDER BY number"
MAILS = "SELECT message_id, state, error, detail, attempts, crashes, dated_at IS NOT NULL FROM games_mail ORDER BY id"


@pytest.fixture
def office() -> Iterator[PostOffice]:
    with open_post_office() as office:
        yield office


def test_it_takes_over_notices_in_every_state(tmp_path: Path, office: PostOffice) -> None:
    run(tmp_path, "-m", "tests.models.old_mail", office=office)
    run(tmp_path, "manage.py", "migrate", "--verbosity", "0", office=office)
    assert rows(tmp_path, NOTICES) == [
        (0, "due", None),
        (1, "sent", 1),
        (2, "sent", 1),
        (3, "sent", 3),
        (4, "due", 4),
        (5, "due", 4),
        (6, "due", 6),
        (7, "due", 6),
        (8, "due", 8),
        (9, "due", 9),
        (10, "quarantined", 10),
        (11, "quarantined", 11),
        (12, "superseded", 12),
        (13, "superseded", None),
    ]
    assert rows(tmp_path, MAILS) == [
        ("<1@x>", "sent", "", "", 0, 0, 1),
        ("<3@x>", "sent", "returned", "550 5.1.1 no such user", 0, 0, 1),
        ("<4@x>", "due", "no_answer", "NoAnswer: timed out", 1, 0, 1),
        ("<6@x>", "claimed", "", "", 0, 0, 1),
        ("<8@x>", "due", "busy", "451 busy", 2, 0, 0),
        ("<9@x>", "due", "", "", 0, 2, 0),
        ("<10@x>", "quarantined", "refused", "554 5.7.1 spam", 1, 0, 1),
        ("<11@x>", "quarantined", "crashed", "", 1, 3, 1),
        ("<12@x>", "superseded", "", "", 0, 0, 1),
    ]
    run(tmp_path, "manage.py", "sweep", office=office)
    # What may be out keeps its Message-ID, with all that it told; what senders died of gets its chance alone.
    assert sorted(office.ids) == ["<11@x>", "<4@x>", "<6@x>", "<8@x>", "<9@x>"]
    assert rows(tmp_path, "SELECT number FROM games_notice WHERE state = 'sent' ORDER BY number") == [
        (number,) for number in (1, 2, 3, 4, 5, 6, 7, 8, 9, 11)
    ]


def test_it_gives_no_mail_the_key_of_a_notice_of_before(tmp_path: Path, office: PostOffice) -> None:
    """Envelope senders of mails that are out name it."""
    run(tmp_path, "-m", "tests.models.old_mail", office=office)
    run(tmp_path, "manage.py", "migrate", "--verbosity", "0", office=office)
    [(last,)] = rows(tmp_path, "SELECT max(id) FROM games_notice")
    assert rows(tmp_path, "SELECT seq FROM sqlite_sequence WHERE name = 'games_mail'") == [(last,)]
