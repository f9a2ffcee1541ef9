"""What all public games that are over tell together. Nothing is counted here: one stored row has it."""

from __future__ import annotations

import csv
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.drawing import Bar, draw_intervals, lines_for
from games.pages.statistics.sections import ALL, PEOPLE, EstimatedRow, Section, last_count, sections_of

COLUMNS = ("players", "section", "row", "unit", "counted", "value", "interval_from", "interval_to")


@require_safe
def archive_statistics(request: HttpRequest) -> HttpResponse:
    """The statistics with charts; `?players=people` those of games without computer players, any other value but `all`
    is refused. One query."""
    chosen = request.GET.get("players", ALL)
    if chosen not in (ALL, PEOPLE):
        raise BadRequest(f"no such players: {chosen!r}")
    about: dict[str, Any] = {"is_people": chosen == PEOPLE}
    if counted := last_count():
        about["counted_at"] = counted.counted_at
        about["games"] = counted.counts[chosen]["games"]
        about["sections"] = [_show(section) for section in sections_of(counted, chosen)]
    return render(request, "games/archive_statistics.html", about)


@require_safe
def archive_statistics_csv(request: HttpRequest) -> HttpResponse:
    """The same numbers as a file, in no language. One query."""
    headers = {"Content-Disposition": 'attachment; filename="clans-statistics.csv"'}
    response = HttpResponse(content_type="text/csv; charset=utf-8", headers=headers)
    writer = csv.writer(response)
    writer.writerow(COLUMNS)
    if counted := last_count():
        for chosen in (ALL, PEOPLE):
            for section in sections_of(counted, chosen):
                for row in section.rows:
                    known = (row.found.value, *(row.found.interval or ()))
                    numbers = (f"{number:.6g}" for number in known)
                    writer.writerow((chosen, section.key, row.key, section.unit, row.of, *numbers))
    return response


def _show(section: Section) -> dict[str, object]:
    """A section as the page shows it."""
    bars = [
        Bar(row.label, number_format(row.of, force_grouping=True), *row.found, even=row.even) for row in section.rows
    ]
    lines = lines_for(bars)
    chart = draw_intervals(bars, lines=lines, names=[section.write_roughly(line) for line in lines])
    rows = [_row(section, row) for row in section.rows]
    return {"key": section.key, "title": section.title, "note": section.note, "chart": chart, "rows": rows}


def _row(section: Section, row: EstimatedRow) -> dict[str, object]:
    """A row of the table behind a chart; `interval` is empty where none can be said."""
    interval = ""
    if row.found.interval:
        low, high = map(section.write, row.found.interval)
        interval = _("%(low)s to %(high)s") % {"low": low, "high": high}
    return {"label": row.label, "of": row.of, "value": section.write(row.found.value), "interval": interval}
