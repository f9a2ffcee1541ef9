from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import time_machine
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker, Settings

from tests.faults.callers import AT_ONCE
from tests.faults.scenery import NOW, Scenery, make_scenery
from tests.postgres_server import PostgresServer, is_installed, postgres_server
from tests.servers import Site, site


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A real server of as many processes as there are requests at once; no worker, so that only requests write."""
    arguments = {"web": ("--workers", str(AT_ONCE))}
    with site(tmp_path_factory.mktemp("served"), processes=("web",), arguments=arguments) as served:
        yield served


@pytest.fixture
def database(tmp_path: Path) -> Iterator[PostgresServer]:
    """A PostgreSQL of the test's own, which it may stop."""
    if not is_installed():
        pytest.skip("PostgreSQL is not installed")
    with postgres_server(tmp_path / "postgres") as server:
        yield server


@pytest.fixture
def frozen(settings: Settings) -> Iterator[None]:
    """No time passes between worlds, and nobody is told to come back later."""
    settings.ACCOUNT_RATE_LIMITS = False
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture(scope="module")
def _painted(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scenery]:
    """Made once for a module: each test has its own savepoint in the transaction around it."""
    with django_db_blocker.unblock(), transaction.atomic():
        scenery = make_scenery()
        # What would follow a commit that never comes: each savepoint that is rolled back would look through all of it.
        connection.run_on_commit.clear()
        yield scenery
        transaction.set_rollback(True)


@pytest.fixture
def scenery(_painted: Scenery, db: None) -> Scenery:
    """Tables in every state, and those who look at them."""
    return _painted
