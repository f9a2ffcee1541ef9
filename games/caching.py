"""What is done once and used again: the SQL of queries (`@prepared`), and values in the reader's language (`@cached`).

Parts of pages are cached by the tag `{% cached %}` (`games.templatetags.caching`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial, update_wrapper, wraps
from itertools import count
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.models import QuerySet, sql
from django.db.models.query import get_related_populators
from django.utils.translation import get_language

Value = int | str | datetime
P = ParamSpec("P")
Key = TypeVar("Key", bound=Hashable)
Row = TypeVar("Row")
Result = TypeVar("Result")


dialect: ContextVar[str] = ContextVar("dialect", default="")
"""How texts in one language differ from reader to reader (`words.speaking`): empty, or the end of a language tag."""


# --- Values --------------------------------------------------------------------------------------


def active_language() -> str:
    """The tag of the language and the dialect that texts are in now: `en`, `en-x-white`."""
    return f"{get_language()}{dialect.get()}"


def cached(*, most: int) -> Callable[[Callable[P, Result]], Cached[P, Result]]:
    """Keep what a function returns for its arguments and the active language, `most` results at a time.

    The function may depend on nothing else: no request, no time. Its arguments are hashed at each call.
    """
    return lambda function: Cached(function, most)


class Cached(Generic[P, Result]):
    """A function whose results are cached for each language."""

    def __init__(self, function: Callable[P, Result], most: int) -> None:
        update_wrapper(self, function)
        self._result: Callable[..., Result] = lru_cache(most)(lambda _language, *args, **kw: function(*args, **kw))

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Result:
        return self._result(active_language(), *args, **kwargs)

    def here(self) -> Callable[P, Result]:
        """The function for the language that is active now, for loops: to look that up is two thirds of a call."""
        return partial(self._result, active_language())


class Latest(Generic[Key, Result]):
    """What was found or used last, by key, at most so many; for threads. Unlike `lru_cache` it can be asked whether it
    has something, and be told what was found together with other things."""

    def __init__(self, most: int) -> None:
        self._most, self._found, self._lock = most, OrderedDict[Key, Result](), Lock()

    def __contains__(self, key: Key) -> bool:
        return key in self._found

    def find(self, key: Key) -> Result | None:
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def store(self, key: Key, result: Result) -> None:
        with self._lock:
            self._found[key] = result
            if len(self._found) > self._most:
                self._found.popitem(last=False)


# --- Queries -------------------------------------------------------------------------------------


def prepared(function: Callable[P, QuerySet[Any, Row]]) -> Prepared[P, Row]:
    """Write the SQL of a query once: for a short one Django takes several times as long to write it as a database to
    carry it out.

    Called with values, the function then returns the rows of its queryset: models with what it selects along and
    annotates, or rows of columns. Its SQL may depend on the types of the values, but not on what they are: it is called
    with stand-ins, once for each kind of database.
    """
    return Prepared(function)


def prepared_update(function: Callable[..., QuerySet[Any, Any]]) -> Callable[..., int]:
    """Write the SQL once that changes the rows of a queryset.

    Called with values and with new values by field, the function then does what `QuerySet.update` does, and returns the
    number of rows changed. A new value may be None, but no expression.
    """
    statements: dict[tuple[Any, ...], tuple[list[models.Field[Any, Any]], _Statement]] = {}

    @wraps(function)
    def update(*values: Value, **fields: Any) -> int:
        key = (connection.vendor, *map(type, values), *fields)
        if key not in statements:
            stand_ins = list(_stand_ins(map(type, values)))
            rows = function(*stand_ins)
            columns = [rows.model._meta.get_field(name) for name in fields]  # noqa: SLF001
            statements[key] = columns, _write(_update_compiler(rows, fields), stand_ins, before=len(fields))
        columns, statement = statements[key]
        new = [
            column.get_db_prep_save(value, connection) for column, value in zip(columns, fields.values(), strict=True)
        ]
        with connection.cursor() as cursor:
            cursor.execute(statement.sql, new + statement.fill(values))
            return int(cursor.rowcount)

    return update


class Prepared(Generic[P, Row]):
    """A query whose SQL is written once."""

    def __init__(self, function: Callable[P, QuerySet[Any, Row]]) -> None:
        update_wrapper(self, function)
        self.queryset = function
        """The function itself, for a subquery."""
        self._statements: dict[tuple[Any, ...], tuple[_Statement, Callable[[Any], list[Row]]]] = {}

    def __call__(self, *values: P.args, **_no_keywords: P.kwargs) -> list[Row]:
        statement, read = self._written(values)
        with connection.cursor() as cursor:
            cursor.execute(statement.sql, statement.fill(values))
            return read(cursor)

    def statement(self, *values: P.args, **_no_keywords: P.kwargs) -> tuple[str, list[Any]]:
        """The SQL and its parameters."""
        statement, _read = self._written(values)
        return statement.sql, statement.fill(values)

    def _written(self, values: Sequence[Any]) -> tuple[_Statement, Callable[[Any], list[Row]]]:
        key = (connection.vendor, *map(type, values))
        if key not in self._statements:
            stand_ins = list(_stand_ins(map(type, values)))
            asked: Callable[..., QuerySet[Any, Row]] = self.queryset
            compiler = asked(*stand_ins).query.get_compiler(using=DEFAULT_DB_ALIAS)
            # Only SQL that was written says what there is to read.
            self._statements[key] = _write(compiler, stand_ins), _reader(compiler)
        return self._statements[key]


@dataclass(frozen=True, slots=True)
class _Statement:
    """SQL with stand-ins among its parameters, the stand-ins in the order of the values."""

    sql: str
    params: Sequence[Any]
    stand_ins: Sequence[Any]

    def fill(self, values: Sequence[Any]) -> list[Any]:
        filled = dict(zip(self.stand_ins, map(_adapt, values), strict=True))
        return [filled.get(param, param) for param in self.params]


def _write(compiler: Any, stand_ins: Sequence[Value], *, before: int = 0) -> _Statement:
    """What the compiler says; `before` so many parameters come that the caller puts there."""
    statement, params = compiler.as_sql()
    adapted = list(map(_adapt, stand_ins))
    if missing := set(adapted) - set(params):
        raise ValueError(f"this query does not take {missing} as it is: {statement}")
    return _Statement(statement, params[before:], adapted)


def _update_compiler(rows: QuerySet[Any, Any], names: Iterable[str]) -> Any:
    """As `QuerySet.update` makes it, with a parameter for each of the fields first."""
    query: Any = rows.order_by().query.chain(sql.UpdateQuery)
    query.add_update_values({name: models.Value(0) for name in names})
    return query.get_compiler(using=DEFAULT_DB_ALIAS)


def _reader(compiler: Any) -> Callable[[Any], list[Any]]:
    """What makes of the rows what Django makes of them, by what the compiler knows of its columns."""
    converters = compiler.get_converters([column[0] for column in compiler.select])
    read = _read_models(compiler) if compiler.query.default_cols else tuple

    def rows(cursor: Any) -> list[Any]:
        fetched: Iterable[Any] = cursor.fetchall()
        return list(map(read, compiler.apply_converters(fetched, converters) if converters else fetched))

    return rows


def _read_models(compiler: Any) -> Callable[[Sequence[Any]], Any]:
    """As Django's own `ModelIterable`."""
    info, select = compiler.klass_info, compiler.select
    own = slice(info["select_fields"][0], info["select_fields"][-1] + 1)
    names = [column[0].target.attname for column in select[own]]
    # The stubs describe a later Django.
    related = get_related_populators(info, select, compiler.using)  # type: ignore[call-arg]
    annotated = list(compiler.annotation_col_map.items())

    def read(row: Sequence[Any]) -> Any:
        model = info["model"].from_db(DEFAULT_DB_ALIAS, names, row[own])
        for populator in related:
            populator.populate(row, model)
        for name, place in annotated:
            setattr(model, name, row[place])
        return model

    return read


def _stand_ins(kinds: Iterable[type]) -> Iterator[Value]:
    """Values that no query has by itself: a different one for each place."""
    for number, kind in zip(count(1), kinds):
        if kind is datetime:
            yield datetime(1, 1, 1, tzinfo=UTC) + timedelta(microseconds=number)
        else:
            yield f"\0{number}" if kind is str else -number


def _adapt(value: Any) -> Any:
    """The value as it stands among the parameters."""
    is_time = isinstance(value, datetime)
    return connection.ops.adapt_datetimefield_value(value) if is_time else value
