"""What the site remembers, as plain values to compare: all tables, and what lies in the folders beside them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core import mail
from django.db import connection

Rows = list[dict[str, Any]]
SESSIONS = frozenset({"django_session"})


def dump(*, without: Collection[str] = SESSIONS) -> dict[str, Rows]:
    """Every row of every table of the database but those `without`, each as its columns by name."""
    with connection.cursor() as cursor:
        return {name: _rows(cursor, name) for name in _tables() if name not in without}


@cache
def _tables() -> list[str]:
    return sorted(connection.introspection.table_names())


def _rows(cursor: Any, table: str) -> Rows:
    cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} ORDER BY 1")  # noqa: S608 - the schema's own names
    columns = [column[0] for column in cursor.description]
    return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]


def changes(before: dict[str, Rows], after: dict[str, Rows]) -> list[str]:
    """What differs between two dumps, one line for each row that came, went or changed."""
    lines = []
    for table in sorted(before.keys() | after.keys()):
        old, new = before.get(table, []), after.get(table, [])
        if old != new:
            lines += [f"- {table} {row}" for row in old if row not in new]
            lines += [f"+ {table} {row}" for row in new if row not in old]
    return lines


@contextmanager
def writes() -> Iterator[list[tuple[str, str]]]:
    """What the database is told to remember in the block: statements with their values."""
    written: list[tuple[str, str]] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.lstrip().partition(" ")[0] in {"INSERT", "UPDATE", "DELETE", "REPLACE"}:
            # Packed contents by what they are, not by where they lie in memory.
            told = [bytes(value) if isinstance(value, memoryview) else value for value in params or ()]
            written.append((sql, repr(told)))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield written


@contextmanager
def null_bytes() -> Iterator[list[str]]:
    """The statements of the block in which there is a value with a null byte: PostgreSQL refuses them, SQLite does
    not."""
    found: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if any(isinstance(value, str) and "\0" in value for value in params or ()):
            found.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield found


def queue_folder() -> Path:
    """Where Celery's messages lie until a worker takes them."""
    return Path(settings.VAR_DIR, "broker", "queue")


def cache_folder() -> Path:
    """Where the cache keeps its files."""
    return Path(settings.VAR_DIR, "cache")


def files(folder: Path) -> dict[str, bytes]:
    """All files under `folder` with what stands in them."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def sent_mails() -> list[bytes]:
    """What the test's mail backend has taken so far."""
    return [message.message().as_bytes() for message in mail.outbox]
