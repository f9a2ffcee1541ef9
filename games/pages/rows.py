"""Rows of a list of tables, as HTML: joined as strings, because template loops cost ten times as much."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.pages.lists import SeatLine, TableLine
from games.pages.times import when


def table_rows(lines: Iterable[TableLine], *, with_ending: bool = False) -> SafeString:
    """A list item for each table. Names are the only text in it from outside, escaped where used."""
    return mark_safe("".join(_row(line, line.ending if with_ending else "") for line in lines))  # noqa: S308


def _row(line: TableLine, ending: str) -> str:
    waiting = " is-waiting" if line.is_my_turn else ""
    tags = "".join(f' <span class="tag">{escape(tag)}</span>' for tag in line.tags)
    note = f" <small>{escape(ending)}</small>" if ending else ""
    return (
        f'<li class="table-row{waiting}"><a class="table-name" href="{line.url}">{escape(line.name)}</a>'
        f'<span class="table-who">{", ".join(map(_seat, line.seats))}{tags}</span>'
        f'<span class="table-turn">{escape(line.state)}{note}</span>'
        f'<span class="table-since">{when(line.since)}</span></li>'
    )


def _seat(seat: SeatLine) -> str:
    name = escape(seat.name)
    if seat.total is not None:
        result = f'{name} <span class="total">{seat.total}</span>'
        return f'<strong class="winner">{result}</strong>' if seat.has_won else result
    return _("%(name)s (resigned)") % {"name": name} if seat.has_resigned else name
