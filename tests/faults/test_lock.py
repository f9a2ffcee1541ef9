"""Whoever changes a game has locked it for themselves alone (design 2.1), on either database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.postgres_server import is_installed, postgres_server
from tests.servers import Site, site


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site on that database, without processes."""
    is_server, folder = request.param == "postgres", tmp_path_factory.mktemp(request.param)
    if is_server and not is_installed():
        pytest.skip("PostgreSQL is not installed")
    with ExitStack() as stack:
        environment = {"DATABASE_URL": stack.enter_context(postgres_server(folder)).url} if is_server else {}
        yield stack.enter_context(site(folder / "site", processes=(), environment=environment))


def test_it_lets_one_at_a_time_move_in_a_game(served: Site) -> None:
    said = served.python("-m", "tests.faults.locking").splitlines()
    assert said == ["OperationalError", "played", "7 StaleMove", "1 played"]


def test_it_lets_one_worker_open_the_next_table_of_a_series(served: Site) -> None:
    said = served.python("-m", "tests.faults.next_tables").splitlines()
    assert said == ["7 nothing to do", "1 opened", "1 tables"]
