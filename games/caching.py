"""What is done once and used again: the SQL of queries (`@prepared`), and values in the reader's language (`@cached`).

Parts of pages are cached by the tag `{% cached %}` (`games.templatetags.caching`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial, update_wrapper
from itertools import count
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar, overload

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import QuerySet, sql
from django.db.models.query import get_related_populators
from django.utils.translation import get_language

Value = int | str | datetime
Update = tuple[QuerySet[Any, Any], dict[str, Any]]
"""The rows to change, and their new values by field, as `QuerySet.update` takes them."""
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


@overload
def prepared(function: Callable[P, QuerySet[Any, Row]]) -> Prepared[P, list[Row]]: ...
@overload
def prepared(function: Callable[P, Update]) -> Prepared[P, int]: ...
def prepared(function: Callable[P, Any]) -> Prepared[P, Any]:
    """Write the SQL of a query or an update once: for a short one Django takes several times as long to write it as a
    database to carry it out.

    Called with values, the function then returns the rows of its queryset (models with what it selects along and
    annotates, or rows of columns); or, where it returns an `Update`, makes it and returns the number of rows changed.
    Its SQL may depend on the types of the values, but not on what they are: it is called with stand-ins, once for each
    kind of database.
    """
    return Prepared(function)


class Prepared(Generic[P, Result]):
    """A query or an update whose SQL is written once."""

    def __init__(self, function: Callable[P, Any]) -> None:
        update_wrapper(self, function)
        self.queryset = function
        """The function itself, for a subquery."""
        self._statements: dict[tuple[Any, ...], _Statement] = {}

    def __call__(self, *values: P.args, **_no_keywords: P.kwargs) -> Result:
        statement = self._statement(values)
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute(statement.sql, statement.fill(values))
            result: Result = statement.result(cursor)
        return result

    def statement(self, *values: P.args, **_no_keywords: P.kwargs) -> tuple[str, list[Any]]:
        """The SQL and its parameters."""
        statement = self._statement(values)
        return statement.sql, statement.fill(values)

    def _statement(self, values: Sequence[Any]) -> _Statement:
        key = (connections[DEFAULT_DB_ALIAS].vendor, *map(type, values))
        if key not in self._statements:
            self._statements[key] = _write(self.queryset, list(_stand_ins(map(type, values))))
        return self._statements[key]


@dataclass(frozen=True, slots=True)
class _Statement:
    """SQL with stand-ins among its parameters, the stand-ins in the order of the values, and what a cursor gives that
    has carried it out."""

    sql: str
    params: Sequence[Any]
    stand_ins: Sequence[Any]
    result: Callable[[Any], Any]

    def fill(self, values: Sequence[Any]) -> list[Any]:
        filled = dict(zip(self.stand_ins, map(_adapt, values), strict=True))
        return [filled.get(param, param) for param in self.params]


def _write(function: Callable[..., Any], stand_ins: list[Value]) -> _Statement:
    query = function(*stand_ins)
    compiler, result = _update_compiler(*query) if isinstance(query, tuple) else _select_compiler(query)
    statement, params = compiler.as_sql()
    adapted = list(map(_adapt, stand_ins))
    if missing := set(adapted) - set(params):
        raise ValueError(f"the query of {function} does not take {missing} as it is")
    return _Statement(statement, params, adapted, result(compiler))


def _update_compiler(rows: QuerySet[Any, Any], fields: dict[str, Any]) -> tuple[Any, Callable[[Any], Any]]:
    """As `QuerySet.update` makes it."""
    query: Any = rows.order_by().query.chain(sql.UpdateQuery)
    query.add_update_values(fields)
    return query.get_compiler(using=DEFAULT_DB_ALIAS), lambda _compiler: lambda cursor: int(cursor.rowcount)


def _select_compiler(rows: QuerySet[Any, Any]) -> tuple[Any, Callable[[Any], Any]]:
    return rows.query.get_compiler(using=DEFAULT_DB_ALIAS), _reader


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
    return connections[DEFAULT_DB_ALIAS].ops.adapt_datetimefield_value(value) if is_time else value
