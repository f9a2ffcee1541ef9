"""A real PostgreSQL that takes no writes, because it was told to or because it copies another server: pages can be
read, what would write says why not, and all goes on once it writes again."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import InternalError, ProgrammingError, connection
from pytest_django import DjangoDbBlocker

from clans_site import run
from clans_site.database_errors import ONLY_READS, explain
from clans_site.logs import ShortFormatter
from games.enqueue import without_enqueueing
from games.models import Game
from games.outage import is_outage
from tests.faults.brokers import some_moves
from tests.faults.test_database_away import ask
from tests.pages.helpers import table_url
from tests.postgres_server import PostgresServer
from tests.servers import Site, site

pytestmark = pytest.mark.timeout(300)

NO_WRITES = "The database takes no writes: nobody can sign in or play.\n"
SENTENCE = "this site can show what it has stored, but store nothing"


@pytest.fixture
def served(tmp_path: Path, database: PostgresServer) -> Iterator[Site]:
    with site(tmp_path / "site", processes=("web",), environment={"DATABASE_URL": database.url}) as served:
        yield served


def test_it_says_that_nothing_can_be_stored_and_goes_on(
    django_db_blocker: DjangoDbBlocker, database: PostgresServer, served: Site
) -> None:
    with django_db_blocker.unblock(), served.database(), without_enqueueing():
        first, *moves = some_moves(served, 3)
        table = table_url(Game.objects.order_by("pk")[0])
    pages = ["/", table, f"{table}poll/visitor/", "/archive/", "/api/v1/games"]
    assert first()().status == 303
    for move, begin in zip(moves, (database.refuse_writes, database.stand_by), strict=True):
        begin()
        assert {ask(served, page).status for page in pages} == {200}
        begun = served.log("web")
        refused = move()()
        assert refused.status == 503
        assert SENTENCE in refused.text
        [line] = served.log("web").removeprefix(begun).splitlines()
        assert "move/: InternalError (cannot execute SELECT FOR UPDATE in a read-only transaction)" in line
        assert ask(served, "/health/") == (503, "", "text/plain; charset=utf-8", NO_WRITES)
        assert sweep(served) == (os.EX_TEMPFAIL, f"{ONLY_READS}\n")
        database.take_writes()
        assert move()().status == 303
        assert ask(served, "/health/").status == 200
        assert sweep(served) == (os.EX_OK, "")
    with django_db_blocker.unblock(), served.database():
        check_another_internal_error()


def check_another_internal_error() -> None:
    """One statement after another that failed in the same transaction: a fault of the program."""
    with connection.cursor() as cursor:
        cursor.execute("BEGIN")
        with pytest.raises(ProgrammingError):
            cursor.execute("SELECT nothing")
        with pytest.raises(InternalError) as raised:
            cursor.execute("SELECT 1")
        cursor.execute("ROLLBACK")
    assert not is_outage(raised.value)
    assert explain(raised.value, migrates=False) == ""
    told = ShortFormatter().formatException((raised.type, raised.value, raised.tb))
    assert told.startswith("Traceback: InternalError (InFailedSqlTransaction) at ")


def sweep(served: Site) -> tuple[int, str]:
    """What its command ends with and what it complains of."""
    command = [sys.executable, "manage.py", "sweep"]
    done = subprocess.run(
        command, cwd=run.BASE_DIR, env=served.environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr
