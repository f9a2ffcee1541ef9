"""Scenes that many tests begin with: played once in a process, and written back row by row for every further test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.apps import apps
from django.db import connection

Rows = dict[str, list[tuple[Any, ...]]]

_scenes: dict[Callable[[], object], Rows] = {}


def made_once(make: Callable[[], object]) -> None:
    """Let the database hold what `make` puts into one without players, same keys and same deals each time.

    PostgreSQL, whose sequences do not follow rows that bring their keys, plays the scene again. Raises IntegrityError
    where somebody is there before.
    """
    if connection.vendor != "sqlite":
        make()
    elif make in _scenes:
        _write(_scenes[make])
    else:
        before = _read()
        make()
        _scenes[make] = {table: [row for row in rows if row not in before[table]] for table, rows in _read().items()}


def _read() -> Rows:
    with connection.cursor() as cursor:
        return {table: cursor.execute(f'SELECT * FROM "{table}"').fetchall() for table in _tables()}  # noqa: S608


def _write(scene: Rows) -> None:
    with connection.cursor() as cursor:
        for table, rows in scene.items():
            if rows:
                marks = ", ".join(["%s"] * len(rows[0]))
                cursor.executemany(f'INSERT INTO "{table}" VALUES ({marks})', rows)  # noqa: S608


def _tables() -> list[str]:
    return [model._meta.db_table for model in apps.get_models(include_auto_created=True)]
