"""Scenes that many tests begin with: played once in a process, and written back row by row for every further test."""

from __future__ import annotations

from collections.abc import Callable
from datetime import time
from typing import Any, TypeVar

from django.apps import apps
from django.db import connection, transaction

from tests.chance import CHANCE

Rows = dict[str, list[tuple[Any, ...]]]
T = TypeVar("T")

_scenes: dict[Callable[[], Any], tuple[Any, Rows]] = {}


def made_once(make: Callable[[], T]) -> T:
    """Let the database hold what `make` puts into one without players, with the same keys and deals each time; what
    `make` returned, which must be nothing that a test can change.

    PostgreSQL, whose sequences do not follow rows that bring their keys, plays the scene again. Raises IntegrityError
    where somebody is there before.
    """
    with CHANCE.stream(make.__qualname__):
        return _made(make)


def _made(make: Callable[[], T]) -> T:
    if connection.vendor != "sqlite":
        return make()
    if make in _scenes:
        _write(_scenes[make][1])
    else:
        before = _read()
        made = make()
        _scenes[make] = (
            made,
            {
                name: [tuple(map(_as_written, row)) for row in rows if row not in before[name]]
                for name, rows in _read().items()
            },
        )
    found: T = _scenes[make][0]
    return found


def _read() -> Rows:
    with connection.cursor() as cursor:
        return {table: cursor.execute(f'SELECT * FROM "{table}"').fetchall() for table in _tables()}  # noqa: S608


def _as_written(value: Any) -> Any:
    """What SQLite takes for it: it gives back times of day that it would not take."""
    return str(value) if isinstance(value, time) else value


def _write(scene: Rows) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        for table, rows in scene.items():
            if rows:
                marks = ", ".join(["%s"] * len(rows[0]))
                cursor.executemany(f'INSERT INTO "{table}" VALUES ({marks})', rows)  # noqa: S608


def _tables() -> list[str]:
    return [model._meta.db_table for model in apps.get_models(include_auto_created=True)]
