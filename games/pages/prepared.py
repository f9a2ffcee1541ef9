"""Queries that are asked again and again: Django takes several times as long to write a short query as a database to
answer it, so their SQL is written once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import count
from typing import Any

from django.db import connection
from django.db.models import QuerySet

Value = int | datetime
Question = Callable[..., QuerySet[Any, Any]]


def prepare(question: Question, *values: Value) -> tuple[str, list[Any]]:
    """The SQL of `question(*values)` and its parameters.

    `question` must be the same object each time, and its SQL may depend on the kinds of `values` but not on what they
    are: it is called with stand-ins, once for each kind of database.
    """
    sql, params, marks = _written(question, tuple(map(type, values)), connection.vendor)
    found = dict(zip(marks, map(_adapted, values), strict=True))
    return sql, [found.get(param, param) for param in params]


@lru_cache(maxsize=256)
def _written(question: Question, kinds: tuple[type, ...], vendor: str) -> tuple[str, Sequence[Any], Sequence[Any]]:
    """The SQL with stand-ins among its parameters, and the stand-ins in the order of the values."""
    marks = list(_marks(kinds))
    sql, params = question(*marks).query.sql_with_params()
    marks = list(map(_adapted, marks))
    if missing := set(marks) - set(params):
        raise ValueError(f"the query of {question} does not take {missing} as it is")
    return sql, params, marks


def _marks(kinds: Sequence[type]) -> Iterator[Value]:
    """Values that no query has by itself: a different one for each place."""
    for number, kind in zip(count(1), kinds):
        yield datetime(1, 1, 1, tzinfo=UTC) + timedelta(microseconds=number) if kind is datetime else -number


def _adapted(value: Value) -> Any:
    """The value as it stands among the parameters."""
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value
