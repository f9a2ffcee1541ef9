"""Whoever is at the one door of a game holds it alone (design 2.4), on either database."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.postgres_server import is_installed, postgres_server
from tests.servers import site


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_it_lets_one_at_a_time_move_in_a_game(tmp_path: Path, database: str) -> None:
    if database == "postgres" and not is_installed():
        pytest.skip("PostgreSQL is not installed")
    with ExitStack() as stack:
        is_server = database == "postgres"
        environment = {"DATABASE_URL": stack.enter_context(postgres_server(tmp_path))} if is_server else {}
        served = stack.enter_context(site(tmp_path / "site", processes=(), environment=environment))
        said = served.python("-m", "tests.faults.locking").splitlines()
    assert said == ["OperationalError", "played", "7 StaleMove", "1 played"]


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_it_lets_one_worker_open_the_next_table_of_a_series(tmp_path: Path, database: str) -> None:
    if database == "postgres" and not is_installed():
        pytest.skip("PostgreSQL is not installed")
    with ExitStack() as stack:
        is_server = database == "postgres"
        environment = {"DATABASE_URL": stack.enter_context(postgres_server(tmp_path))} if is_server else {}
        served = stack.enter_context(site(tmp_path / "site", processes=(), environment=environment))
        said = served.python("-m", "tests.faults.next_tables").splitlines()
    assert said == ["7 nothing to do", "1 opened", "1 tables"]
