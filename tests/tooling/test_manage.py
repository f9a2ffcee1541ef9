"""What `manage.py` says and how it ends when something is wrong, for people and for programs that call it."""

from __future__ import annotations

import os
import re
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import load_command_class
from django.db import OperationalError, connection, transaction

from clans_site.database_errors import explain
from tests.servers import free_port
from tests.tooling.programs import ROOT, of_the_site


@pytest.mark.parametrize("command", [("import_games", "tests/importing/kept.jsonl"), ("verify_archive",), ("demo",)])
def test_a_command_says_in_a_sentence_that_the_tables_are_missing(tmp_path: Path, command: tuple[str, ...]) -> None:
    done = of_the_site(tmp_path, "manage.py", *command)
    assert done.returncode == os.EX_TEMPFAIL
    assert re.fullmatch("The database lacks tables [^\n]*: run `manage.py migrate` first.\n", done.stderr)
    assert "Traceback" in of_the_site(tmp_path, "manage.py", *command, "--traceback").stderr


def test_a_migration_that_fails_says_why(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "clans.sqlite3")) as database:
        database.execute("CREATE TABLE django_content_type (id INTEGER)")
    done = of_the_site(tmp_path, "manage.py", "migrate")
    assert done.returncode
    assert 'table "django_content_type" already exists' in done.stderr
    assert "run `manage.py migrate` first" not in done.stderr


def test_a_migration_says_in_a_sentence_that_the_database_is_locked(tmp_path: Path) -> None:
    at_once = "from django.conf import settings; settings.DATABASES['default']['OPTIONS']['timeout'] = 0.1"
    with closing(sqlite3.connect(tmp_path / "clans.sqlite3")) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("BEGIN IMMEDIATE")
        done = of_the_site(tmp_path, "-c", f"{at_once}; import manage; exit(manage.run(['manage.py', 'migrate']))")
    assert done.returncode == os.EX_TEMPFAIL
    assert re.fullmatch("The database is locked: [^\n]*\n", done.stderr)


def test_a_command_says_in_a_sentence_that_the_database_is_away(tmp_path: Path) -> None:
    nowhere = f"postgres://clans:secret@127.0.0.1:{free_port()}/clans"
    done = of_the_site(tmp_path, "manage.py", "migrate", DATABASE_URL=nowhere)
    assert done.returncode == os.EX_TEMPFAIL
    assert re.fullmatch("The database cannot be reached: [^\n]*refused[^\n]*\n", done.stderr)
    assert "secret" not in done.stderr


def test_a_test_mail_without_a_mail_server_says_where_it_is(tmp_path: Path) -> None:
    done = of_the_site(tmp_path, "manage.py", "sendtestemail", "alice@example.com")
    assert (done.returncode, done.stdout) == (os.EX_OK, f"The mail was stored in {tmp_path}/mailbox.\n")
    assert len(list((tmp_path / "mailbox").iterdir())) == 1


def test_a_command_gives_up_a_database_that_says_nothing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        nowhere = f"postgres://clans@127.0.0.1:{silent.getsockname()[1]}/clans"
        done = of_the_site(tmp_path, "manage.py", "migrate", DATABASE_URL=nowhere)
    assert done.returncode == os.EX_TEMPFAIL
    assert re.fullmatch("The database cannot be reached: [^\n]*timeout[^\n]*\n", done.stderr)


def test_a_command_ends_in_silence_when_nobody_reads_on(tmp_path: Path) -> None:
    """As in `simulate 300 | head -1`."""
    command = ["sh", "-c", f"{sys.executable} manage.py simulate 300 | head -1"]
    done = subprocess.run(command, cwd=ROOT, env={"VAR_DIR": str(tmp_path)}, capture_output=True, check=True)
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""


@pytest.mark.parametrize("more", [(), ("--traceback",)])
def test_it_says_in_a_sentence_that_the_disk_is_full(tmp_path: Path, more: tuple[str, ...]) -> None:
    command = [sys.executable, "manage.py", "simulate", "9", *more]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={"VAR_DIR": str(tmp_path)},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, "Traceback" in done.stderr) == ((1, True) if more else (os.EX_IOERR, False))
    assert more or done.stderr == "The disk is full.\n"


def test_it_says_in_a_sentence_that_there_is_no_room_for_the_files_of_the_database(tmp_path: Path) -> None:
    """SQLite cannot make those that it writes beside it."""
    with closing(sqlite3.connect(tmp_path / "clans.sqlite3")) as database:
        database.execute("PRAGMA journal_mode = WAL")
    without_room = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"
    done = of_the_site(tmp_path, "-c", f"{without_room}; import manage; exit(manage.run(['manage.py', 'sweep']))")
    assert done.returncode == os.EX_TEMPFAIL
    assert done.stderr == "The database cannot be read or written: is the disk full?\n"


@pytest.mark.parametrize("name", ["bounced", "poll_mailbox", "receive_mail", "receive_mails", "sweep"])
def test_what_starts_often_runs_no_checks_of_the_code_first(name: str) -> None:
    """They take longer than most of these commands, and the web process and the worker run none either."""
    assert not load_command_class("games", name).requires_system_checks


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("max_page_count = 1", "max_page_count = 1073741823", "The database cannot be written: the disk is full."),
        (
            "query_only = ON",
            "query_only = OFF",
            "The database cannot be written: do its files belong to another user?",
        ),
    ],
)
def test_it_is_said_in_a_sentence_that_the_database_cannot_be_written(before: str, after: str, said: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {before}")
        try:
            with pytest.raises(OperationalError) as raised, transaction.atomic():
                cursor.execute("CREATE TABLE more AS SELECT zeroblob(1000000) AS words")
        finally:
            cursor.execute(f"PRAGMA {after}")
    assert explain(raised.value, migrates=True) == said
