"""Searches of an archive on PostgreSQL: they find what SQLite finds, and by which indexes. The planner of PostgreSQL
chooses by what it has counted, so the archive is not small."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.models.big_archive import SEARCHES
from tests.postgres_server import is_installed, postgres_server

pytestmark = pytest.mark.timeout(300)

ONLY = "Index Only Scan using"


@pytest.fixture(scope="module")
def on_postgresql(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    if not is_installed():
        pytest.skip("PostgreSQL is not installed")
    folder = tmp_path_factory.mktemp("postgresql")
    with postgres_server(folder) as server:
        return search_all(folder, server.url)


def search_all(folder: Path, url: str = "") -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.models.big_archive", str(folder), url]
    found: dict[str, Any] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return found


def test_it_finds_what_sqlite_finds(on_postgresql: dict[str, Any], tmp_path: Path) -> None:
    on_sqlite = search_all(tmp_path)
    assert [*on_sqlite] == [*SEARCHES]
    for query, found in on_sqlite.items():
        assert {**on_postgresql[query], "plans": []} == found
    assert len({str(found["titles"]) for found in on_sqlite.values()}) > 6


@pytest.mark.parametrize("order", ["", "longest", "closest", "points"])
def test_a_title_that_no_game_has_is_looked_for_in_the_smallest_index(
    on_postgresql: dict[str, Any], order: str
) -> None:
    [plan] = on_postgresql["title=nowhere" + (f"&order={order}" if order else "")]["plans"]
    assert f"{ONLY} game_archive_by_key" in plan


def test_a_title_that_many_have_is_looked_for_in_its_order(on_postgresql: dict[str, Any]) -> None:
    """It finds a page at once; the smallest index would have to be read to its end, and sorted."""
    assert f"{ONLY} game_archive_by_margin" in on_postgresql["title=bench&order=closest"]["plans"][0]


@pytest.mark.parametrize("query", ["player=computer+1", "player=computer+1&order=points"])
def test_games_of_somebody_without_account_are_found_by_indexes_alone(
    on_postgresql: dict[str, Any], query: str
) -> None:
    plans = on_postgresql[query]["plans"]
    assert len(plans) == 2
    for plan in plans:
        assert f"{ONLY} seat_without_account" in plan
        assert f"{ONLY} game_archive_by_key" in plan


def test_to_count_games_it_sorts_none(on_postgresql: dict[str, Any]) -> None:
    _page, count = on_postgresql["player=computer+1"]["plans"]
    assert "Limit" in count
    assert "Sort" not in count
