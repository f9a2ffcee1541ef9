"""`manage.py import_games` on PostgreSQL, which takes moves and positions in another way than SQLite does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.importing.helpers import KEPT, counts
from tests.postgres_server import is_installed, postgres_server
from tests.servers import site


def test_export_and_import_give_the_same_bytes_there(tmp_path: Path) -> None:
    if not is_installed():
        pytest.skip("PostgreSQL is not installed")
    with (
        postgres_server(tmp_path) as server,
        site(tmp_path / "site", processes=(), environment={"DATABASE_URL": server.url}) as served,
    ):
        assert counts(served.manage("import_games", str(KEPT))) == (12, 0, 0)
        assert served.manage("verify_archive") == "All 12 games are as they were played.\n"
        assert served.manage("export_games") == KEPT.read_text()
