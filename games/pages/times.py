"""Times as people say them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from html import escape
from typing import NamedTuple

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext as _, ngettext

from games.pages.middleware import zone_here

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
IN_DAYS, LONG_AGO = 3 * DAY, 28 * DAY
"""From when on whole days are told and no longer hours, and the day itself and no longer how many."""


def when(moment: datetime) -> SafeString:
    """A `time` element: about how long ago in sight, the exact local time in the title and for those who listen."""
    return say_when(moment, now=datetime.now(UTC), zone=zone_here(), language=get_language() or "")


def say_when(moment: datetime, *, now: datetime, zone: tzinfo, language: str) -> SafeString:
    """`when` for long lists: what is the same for all of it is looked up once, and what is said is kept for the next
    reader. `language` is the active one."""
    told = _told(moment, zone, language)
    ago = now - moment
    rough = told.day if abs(ago) >= LONG_AGO else _roughly(*_count(ago), language)
    return mark_safe(  # noqa: S308
        f'<time datetime="{told.iso}" title="{told.exact}">{rough}'
        f'<span class="visually-hidden"> ({told.exact})</span></time>'
    )


def say_moment(moment: datetime, *, now: datetime, zone: tzinfo, language: str) -> SafeString:
    """A `time` element that says the moment itself in sight: `today, 21:00`, `Tuesday 3 March, 07:00`"""
    told = _told(moment, zone, language)
    days = (moment.astimezone(zone).date() - now.astimezone(zone).date()).days
    seen = _seen(moment.replace(second=0, microsecond=0), zone, days if abs(days) <= 1 else None, language)
    return mark_safe(f'<time datetime="{told.iso}" title="{told.exact}">{seen}</time>')  # noqa: S308


@lru_cache(maxsize=4096)
def _seen(moment: datetime, zone: tzinfo, days: int | None, _language: str) -> str:
    """The hour and the day, which has a name of its own when it is so many `days` from today."""
    local = moment.astimezone(zone)
    names = {0: _("today"), 1: _("tomorrow"), -1: _("yesterday"), None: _day(local)}
    return escape(_("%(day)s, %(hour)s") % {"day": names[days], "hour": date_format(local, "TIME_FORMAT")})


def name_moment(moment: datetime) -> str:
    """The moment on the reader's clock, in plain text, as pages say it: `Thursday 12 March, 20:00`"""
    local = timezone.localtime(moment)
    return _("%(day)s, %(hour)s") % {"day": _day(local), "hour": date_format(local, "TIME_FORMAT")}


def _day(local: datetime) -> str:
    parts = {"weekday": date_format(local, "l"), "date": date_format(local, "MONTH_DAY_FORMAT")}
    return _("%(weekday)s %(date)s") % parts


def roughly(moment: datetime, *, now: datetime) -> str:
    """About how far off a moment is, escaped: `3 hours ago` or `in 4 days`."""
    return _roughly(*_count(now - moment), get_language() or "")


def _count(ago: timedelta) -> tuple[str, int, bool]:
    """A span in whole minutes, hours or days, and whether it lies ahead."""
    span, ahead = abs(ago), ago < timedelta()
    if span < HOUR:
        return "minute", span // MINUTE, ahead
    if span < IN_DAYS:
        return "hour", span // HOUR, ahead
    return "day", span // DAY, ahead


@lru_cache(maxsize=1024)
def _roughly(unit: str, count: int, ahead: bool, language: str) -> str:
    """`3 hours ago` or `in 4 days`. `language` is the active one, here and below."""
    if unit == "minute" and not count:
        return escape(_("just now"))
    span = {
        "minute": ngettext("%(count)s minute", "%(count)s minutes", count),
        "hour": ngettext("%(count)s hour", "%(count)s hours", count),
        "day": ngettext("%(count)s day", "%(count)s days", count),
    }[unit] % {"count": count}
    return escape((_("in %(span)s") if ahead else _("%(span)s ago")) % {"span": span})


class Told(NamedTuple):
    """A moment for machines, to the minute with its zone, and by its day."""

    iso: str
    exact: str
    day: str


@lru_cache(maxsize=4096)
def _told(moment: datetime, zone: tzinfo, language: str) -> Told:
    local = moment.astimezone(zone)
    day, hour = date_format(local, "DATE_FORMAT"), date_format(local, "TIME_FORMAT")
    exact = _("%(day)s, %(hour)s %(zone)s") % {"day": day, "hour": hour, "zone": local.tzname() or ""}
    return Told(local.isoformat(timespec="seconds"), escape(exact), escape(day))
