"""How SQLite finds the rows that are asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

asks_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite is asked, and this is another database")


def steps_of(deed: Callable[[], Any], *, of: str = "games_") -> list[str]:
    """A line for each table of ours that `deed` reads or changes, such as `SEARCH games_seat USING INDEX …`: for each
    that tells the name `of` it. In a subquery tables have other names."""
    with CaptureQueriesContext(connection) as made:
        deed()
    asked = [query["sql"] for query in made if query["sql"].startswith(("SELECT", "UPDATE"))]
    return [step for sql in asked for step in _plan_of(sql) if of in step]


def _plan_of(sql: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        return [step for *_place, step in cursor.fetchall()]
