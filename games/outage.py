"""A database that nobody can use just now, apart from one that refuses what it was asked: the first mends itself, or an
operator mends it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from logging import Logger
from typing import Final, TypeVar

from django.db import Error as DatabaseFault, InterfaceError, InternalError, OperationalError, connection

Result = TypeVar("Result")

IN_VAIN: Final = 3
"""Things in a row for which the database fails; then a sweep ends. On a full disk each would fail and be logged."""
_READ_ONLY: Final = "25006"
"""How PostgreSQL refuses to write (SQLSTATE read_only_sql_transaction)."""


def try_each(keys: Iterable[int], do: Callable[[int], Result], *, failed: str, logger: Logger) -> list[Result]:
    """What comes back of each key. One that fails is logged as `failed` and leaves the others alone; but once the
    database has failed IN_VAIN times in a row, the rest is left for another time."""
    results, in_vain = list[Result](), 0
    for key in keys:
        if in_vain == IN_VAIN:
            break
        try:
            results.append(do(key))
            in_vain = 0
        except Exception as error:
            in_vain += is_outage(error)
            logger.exception(failed, key)
    return results


def is_outage(error: BaseException | None) -> bool:
    """Whether the database is away, locked or full, or takes no writes at all."""
    return isinstance(error, InterfaceError | OperationalError) or refuses_writes(error)


def refuses_writes(error: BaseException | None) -> bool:
    """Whether PostgreSQL only reads: it copies another server, or was told to write nothing. All else that Django calls
    an InternalError, such as a broken index, is a fault of the program or of the data."""
    return isinstance(error, InternalError) and getattr(error.__cause__, "sqlstate", "") == _READ_ONLY


def only_reads() -> bool:
    """Whether PostgreSQL would refuse to write now. A query there, none on SQLite. Raises what the database raises."""
    if connection.vendor != "postgresql":
        return False
    with connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")
        return bool(cursor.fetchone() == ("on",))


def explain_fault(error: DatabaseFault) -> str:
    """The name of the fault in Django and, where the database has a closer one, in the database; no text, which may
    have values of rows in it."""
    name, cause = type(error).__name__, error.__cause__
    closer = getattr(cause, "sqlite_errorname", type(cause).__name__)
    return name if cause is None or closer == name else f"{name} ({closer})"
