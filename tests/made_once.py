"""Scenes that many tests begin with: played once in a process, and written back row by row for every further test."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import time
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar

from django.apps import apps
from django.conf import settings
from django.db import connection, transaction

from games.caching import Latest
from games.models import Game
from games.pov import looking
from tests.chance import CHANCE

Rows = dict[str, list[tuple[Any, ...]]]
T = TypeVar("T")


class Change(NamedTuple):
    """What a scene returned, and which rows of which tables it took away and which it wrote."""

    made: Any
    gone: Rows
    new: Rows


_changes: dict[str, Change] = {}


def made_once(make: Callable[[], T], *, name: str = "") -> T:
    """Let `make` change the database, with the same keys and deals each time; what it returned, which must be nothing
    that a test can change.

    Where this process has done so before, to the same rows and under the same name, which is its own if none is given,
    the rows are written that it changed. PostgreSQL, whose sequences do not follow rows that bring their keys, plays
    the scene again.
    """
    key = name or f"{make.__module__}.{make.__qualname__}"
    if connection.vendor != "sqlite":
        with CHANCE.stream(key):
            return make()
    before = _read()
    state = sha256(repr((key, before)).encode()).hexdigest()
    if change := _changes.get(state):
        _write(change)
    else:
        with CHANCE.stream(state):
            made = make()
        after = _read()
        change = _changes[state] = Change(made, gone=_without(before, after), new=_without(after, before))
    found: T = change.made
    return found


def scene(name: str, play: Callable[[], Game]) -> Game:
    """A game that is made once under this name."""
    # What was cached of one that began in the same way and went on in another.
    looking._logs = Latest(256)
    shutil.rmtree(settings.PICTURES_DIR, ignore_errors=True)
    return Game.objects.get(pk=made_once(lambda: play().pk, name=name))


def _read() -> Rows:
    with connection.cursor() as cursor:
        return {
            table: cursor.execute(f'SELECT {columns} FROM "{table}"').fetchall()  # noqa: S608
            for table, columns in _tables().items()
        }


def _without(rows: Rows, others: Rows) -> Rows:
    """The rows of each table that are not among the others."""
    found = {table: [row for row in rows[table] if row not in others[table]] for table in rows}
    return {table: [tuple(map(_as_written, row)) for row in found[table]] for table in found if found[table]}


def _as_written(value: Any) -> Any:
    """What SQLite takes for it: it gives back times of day that it would not take."""
    return str(value) if isinstance(value, time) else value


def _write(change: Change) -> None:
    tables = _tables()
    with transaction.atomic(), connection.cursor() as cursor:
        for table, rows in change.gone.items():
            where = f"({tables[table]}) IS ({_marks(rows)})"
            cursor.executemany(f'DELETE FROM "{table}" WHERE {where}', rows)  # noqa: S608
        for table, rows in change.new.items():
            cursor.executemany(f'INSERT INTO "{table}" ({tables[table]}) VALUES ({_marks(rows)})', rows)  # noqa: S608


def _marks(rows: list[tuple[Any, ...]]) -> str:
    return ", ".join(["%s"] * len(rows[0]))


@cache
def _tables() -> dict[str, str]:
    """Each table with the names of its columns that are written."""
    return {
        model._meta.db_table: ", ".join(
            f'"{field.column}"' for field in model._meta.concrete_fields if field.column and not field.generated
        )
        for model in apps.get_models(include_auto_created=True)
    }
