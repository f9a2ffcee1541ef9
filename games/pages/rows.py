"""Rows of a list of tables, as HTML: joined as strings, because template loops cost ten times as much."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import lru_cache, partial
from html import escape

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext as _

from games.pages.lists import SeatLine, TableLine, table_url
from games.pages.middleware import zone_here
from games.pages.times import say_when


def table_rows(lines: Iterable[TableLine], *, with_ending: bool = False) -> SafeString:
    """A list item for each table. Names are the only text in it from outside, escaped where used."""
    language, now = get_language() or "", datetime.now(UTC)
    say = partial(say_when, now=now, zone=zone_here(), language=language)
    return mark_safe(  # noqa: S308
        "".join(
            f'{_row(language, line, with_ending)}<span class="table-since">{_time(line, now, say)}</span></li>'
            for line in lines
        )
    )


def _time(line: TableLine, now: datetime, say: Callable[[datetime], str]) -> str:
    """Until when a move may take where somebody's clock runs, elsewhere since when the table is as it is."""
    if line.due_at is None or line.free_until is None:
        return say(line.since)
    if line.due_at <= now:
        return escape(_("time is up"))
    if line.free_until <= now:
        return escape(_("on reserve, due %(when)s")) % {"when": say(line.due_at)}
    if line.due_at == line.free_until:
        return escape(_("due %(when)s")) % {"when": say(line.due_at)}
    return escape(_("%(when)s, then reserve")) % {"when": say(line.free_until)}


@lru_cache(maxsize=2048)
def _row(_language: str, line: TableLine, with_ending: bool) -> str:
    """All of a row but its time; kept, because a game that is over never changes."""
    waiting = " is-waiting" if line.is_my_turn else ""
    tags = "".join(f' <span class="tag">{escape(tag)}</span>' for tag in line.tags)
    note = f" <small>{escape(line.ending)}</small>" if with_ending and line.ending else ""
    return (
        f'<li class="table-row{waiting}"><a class="table-name" href="{table_url(line.slug)}">{escape(line.name)}</a>'
        f'<span class="table-who">{", ".join(map(_seat, line.seats))}{tags}</span>'
        f'<span class="table-turn">{escape(line.state)}{note}</span>'
    )


def _seat(seat: SeatLine) -> str:
    if seat.total is None:
        return escape(seat.named)
    result = f'{escape(seat.name)}:&nbsp;<span class="total">{seat.total}</span>'
    return f'<strong class="winner">{result}</strong>' if seat.has_won else result
