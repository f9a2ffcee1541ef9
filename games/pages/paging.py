"""Pages of a list by key: a page costs the same however long the list is and however deep in it one reads."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db.models import Q

from games.models import Game
from games.models.game import GameQuerySet

Key = tuple[datetime | int, ...]

_START = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_CURSOR = re.compile(r"(after|before)((?:-\d{1,16}){1,2})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Page:
    """Some games of a list, and the cursors of the pages around them, empty where the list ends."""

    games: list[Game]
    before: str = ""
    after: str = ""


def page_of(games: GameQuerySet, *, size: int, cursor: str = "") -> Page:
    """The `size` games at `cursor`, the first ones without one: one query, no count.

    `games` must be in an order of one direction that ends with the key. A cursor that cannot be read, or from before
    which the games have gone, gives the first page.
    """
    names = [str(name) for name in games.query.order_by]
    back, key = _read(cursor, names)
    beyond = _beyond(games, names, key, back=back) if key else games
    found = list((beyond.reverse() if back else beyond)[: size + 1])
    more = len(found) > size
    shown = found[:size]
    if back and not shown:
        return page_of(games, size=size)
    if back:
        shown.reverse()
    return Page(
        shown,
        before=_write("before", shown[0], names) if shown and (more if back else key) else "",
        after=_write("after", shown[-1], names) if shown and (more or back) else "",
    )


def _beyond(games: GameQuerySet, names: list[str], key: Key, *, back: bool) -> GameQuerySet:
    """The games on the far side of `key`. The first condition alone lets an index find the place."""
    sign = "lt" if names[0].startswith("-") != back else "gt"
    fields = [name.removeprefix("-") for name in names]
    if len(fields) == 1:
        return games.filter(**{f"{fields[0]}__{sign}": key[0]})
    apart, level = Q(**{f"{fields[0]}__{sign}": key[0]}), Q(**{f"{fields[1]}__{sign}": key[1]})
    return games.filter(apart | level, **{f"{fields[0]}__{sign}e": key[0]})


def _write(side: str, game: Game, names: list[str]) -> str:
    values = [getattr(game, name.removeprefix("-")) for name in names]
    numbers = [(value - _START) // _MICROSECOND if isinstance(value, datetime) else value for value in values]
    return "-".join([side, *map(str, numbers)])


def _read(cursor: str, names: list[str]) -> tuple[bool, Key]:
    """Whether it leads back, and the key it starts from, empty when there is none."""
    match = _CURSOR.fullmatch(cursor)
    numbers = [int(number) for number in match[2].split("-")[1:]] if match else []
    if match is None or len(numbers) != len(names):
        return False, ()
    is_time = [name.removeprefix("-") != "pk" for name in names]
    key = [_START + number * _MICROSECOND if time else number for number, time in zip(numbers, is_time, strict=True)]
    return match[1] == "before", tuple(key)
