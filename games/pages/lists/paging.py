"""Pages of a list by key: a page costs the same, however long the list is and however far one has paged."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar

from django.db import connection
from django.db.models import Q, QuerySet

from games.caching import Prepared, Value, prepared
from games.models import Game, Seat
from games.pages.lists.summaries import ListedGame

Row = TypeVar("Row", bound=tuple[Any, ...])
Listing = Callable[..., QuerySet[Game] | QuerySet[Seat]]
"""A list of games, or of seats at them, given the keys of players: in an order of one direction that ends with the
games' own key."""

Ask = Callable[[str, Sequence[Value]], list[Any]]
"""The rows on that side of a key, one more than a page has."""

MOST_COUNTED: Final = 1000

_START = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_CURSOR = re.compile(r"(after|before)((?:-\d{1,16}){1,2})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Some rows of a list, and the cursors of the pages around them, empty where the list ends."""

    rows: list[Row]
    before: str = ""
    after: str = ""


def page_of(listing: Listing, *players: int, size: int, cursor: str = "") -> Page[ListedGame]:
    """The `size` games of `listing(*players)` at `cursor`, the first ones without one: one query, no count.

    A cursor that cannot be read, or before which there are no games any more, gives the first page.
    """
    names = _order(listing, len(players))
    return _page(
        names, lambda side, key: _beyond(listing, len(players), size, side)(*players, *key), size, cursor, ListedGame
    )


def page_in(games: QuerySet[Any], *, size: int, cursor: str = "") -> Page[ListedGame]:
    """As `page_of`, for a list that is queried in this way only once: its SQL is not cached."""
    return _page(_names(games), lambda side, key: _found(games, size, side, key), size, cursor, ListedGame)


def page_of_rows(found: QuerySet[Any], kind: type[Row], *, size: int, cursor: str) -> Page[Row]:
    """As `page_of`, for a list of anything: `kind` is a NamedTuple of its columns, those of the order among them."""
    columns: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
    return _page(_names(found), lambda side, key: list(_rows(found, size, side, key, columns)), size, cursor, kind)


def count_found(found: QuerySet[Any], page: Page[Any]) -> tuple[int, bool]:
    """How many games a list has, from its first page, and whether there are just as many or more. A query, no longer
    than it takes to find a thousand, where there are more pages."""
    # PostgreSQL would sort all games that fit. SQLite is fast in order: else it takes indexes that lack some columns.
    counted = found.order_by() if connection.vendor == "postgresql" else found
    number = counted[: MOST_COUNTED + 1].count() if page.after else len(page.rows)
    return min(number, MOST_COUNTED), number <= MOST_COUNTED


def can_read(cursor: str, found: QuerySet[Any]) -> bool:
    """Whether a cursor is one of that list, or none at all."""
    return not cursor or bool(_read(cursor, _names(found))[0])


def _page(names: tuple[str, ...], ask: Ask, size: int, cursor: str, kind: type[Row]) -> Page[Row]:
    side, key = _read(cursor, names)
    found = [kind._make(row) for row in ask(side, key)]  # type: ignore[attr-defined]
    more, shown = len(found) > size, found[:size]
    if side == "before":
        if not shown:
            return _page(names, ask, size, "", kind)
        shown.reverse()
    return Page(
        shown,
        before=_write("before", shown[0], names) if shown and (more if side == "before" else side) else "",
        after=_write("after", shown[-1], names) if shown and (more or side == "before") else "",
    )


@lru_cache(maxsize=64)
def _order(listing: Listing, players: int) -> tuple[str, ...]:
    return _names(listing(*range(players)))


def _names(found: QuerySet[Any]) -> tuple[str, ...]:
    """The names of the columns by which the games are in order, such as `ended_at` and `pk`."""
    names = [str(name).removeprefix("-").removeprefix("game__") for name in found.query.order_by]
    return tuple("pk" if name == "game_id" else name for name in names)


@lru_cache(maxsize=64)
def _beyond(listing: Listing, players: int, size: int, side: str) -> Prepared[..., Any]:
    return prepared(lambda *values: _rows(listing(*values[:players]), size, side, values[players:]))


def _rows(
    found: QuerySet[Any], size: int, side: str, key: Sequence[Value], columns: Sequence[str] = ListedGame._fields
) -> QuerySet[Any, tuple[Any, ...]]:
    """One row more than a page, on one side of a key or, without a side, from the start."""
    prefix = "game__" if found.model is Seat else ""
    if side:
        found = found.filter(_is_beyond(found.query.order_by, key, back=side == "before"))
    columns = [prefix + name for name in columns]
    return (found.reverse() if side == "before" else found).values_list(*columns)[: size + 1]


def _found(found: QuerySet[Any], size: int, side: str, key: Sequence[Value]) -> list[Any]:
    """As `_rows`, of a search. Of games it searches only the keys, in an index that has all columns of the search.
    Otherwise PostgreSQL reads the row of each game that does not fit, 100,000 if none fits."""
    if found.model is Seat:
        return list(_rows(found, size, side, key))
    keys = _rows(found, size, side, key, ("pk",))
    games = Game.objects.filter(pk__in=keys).order_by(*found.query.order_by)
    return list((games.reverse() if side == "before" else games).values_list(*ListedGame._fields))


def _is_beyond(names: Sequence[object], key: Sequence[Value], *, back: bool) -> Q:
    """What holds on the far side of `key`. The first condition alone lets an index find the place."""
    sign = "lt" if str(names[0]).startswith("-") != back else "gt"
    fields = [str(name).removeprefix("-") for name in names]
    if len(fields) == 1:
        return Q(**{f"{fields[0]}__{sign}": key[0]})
    apart, level = Q(**{f"{fields[0]}__{sign}": key[0]}), Q(**{f"{fields[1]}__{sign}": key[1]})
    return Q(**{f"{fields[0]}__{sign}e": key[0]}) & (apart | level)


def _write(side: str, row: tuple[Any, ...], names: Sequence[str]) -> str:
    values = [getattr(row, name) for name in names]
    numbers = [(value - _START) // _MICROSECOND if isinstance(value, datetime) else value for value in values]
    return "-".join([side, *map(str, numbers)])


def _read(cursor: str, names: Sequence[str]) -> tuple[str, list[Value]]:
    """The side and the key it stands for, both empty when there is none."""
    match = _CURSOR.fullmatch(cursor)
    numbers = [int(number) for number in match[2].split("-")[1:]] if match else []
    if match is None or len(numbers) != len(names):
        return "", []
    is_time = [name.endswith(("_at", "_since")) for name in names]
    return match[1], [_START + n * _MICROSECOND if time else n for n, time in zip(numbers, is_time, strict=True)]
