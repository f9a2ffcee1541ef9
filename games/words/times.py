"""Moments as people say them, as plain text: how long ago, on which day, by whose clock."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, tzinfo
from typing import Final, NamedTuple

from django.utils import dateformat, timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _, gettext_noop

from games.caching import cached
from games.words.spans import DAY, count_units, in_one_unit

LONG_AGO = 28 * DAY
"""From when on the day is told, and no longer how long ago it was."""
SHORT_FORM: Final = gettext_noop("D j\N{NO-BREAK SPACE}M, H:i")
"""How lists in mails write a moment, by Django's letters."""
SHORT_DAY: Final = gettext_noop("D j M")
"""How one line on a phone writes a day."""


class Moment(NamedTuple):
    """A moment in plain text: for machines, exactly with its zone, and as a page shows it.

    `is_rough` says that the shown text alone does not tell the exact one.
    """

    iso: str
    exact: str
    shown: str
    is_rough: bool


class Sentence(NamedTuple):
    """A sentence whose `%(name)s` places are filled by text or by moments, which a page shows as elements."""

    template: str
    places: Mapping[str, str | Moment] = {}

    def __bool__(self) -> bool:
        return bool(self.template)

    def __str__(self) -> str:
        """The whole sentence as plain text."""
        shown = {name: place if isinstance(place, str) else place.shown for name, place in self.places.items()}
        return self.template % shown


NO_SENTENCE: Final = Sentence("")


def moment_from_now(moment: datetime, *, now: datetime, zone: tzinfo) -> Moment:
    """The moment by its distance from `now`, `3 hours ago` or `in 4 days`; by its day if it is 28 days off or more."""
    fixed = _fixed(moment, zone)
    shown = say_distance(moment, now=now) if abs(moment - now) < LONG_AGO else fixed.day
    return Moment(fixed.iso, fixed.exact, shown, is_rough=True)


def moment_by_day(moment: datetime, *, now: datetime, zone: tzinfo) -> Moment:
    """The moment by day and hour: `today, 21:00`, `Tuesday 3 March, 07:00`."""
    fixed = _fixed(moment, zone)
    days = (moment.astimezone(zone).date() - now.astimezone(zone).date()).days
    local = moment.astimezone(zone).replace(second=0, microsecond=0, tzinfo=None)
    shown = _day_and_hour(local, days if abs(days) <= 1 else None)
    return Moment(fixed.iso, fixed.exact, shown, is_rough=False)


def moment_in_one_line(moment: datetime, *, now: datetime, zone: tzinfo) -> Moment:
    """The moment where there is little room: `today, 21:00`, or only the day, `Tue 3 Mar`."""
    fixed = _fixed(moment, zone)
    local = moment.astimezone(zone).replace(second=0, microsecond=0, tzinfo=None)
    days = (local.date() - now.astimezone(zone).date()).days
    is_near = abs(days) <= 1
    shown = _day_and_hour(local, days) if is_near else dateformat.format(local, _(SHORT_DAY))
    return Moment(fixed.iso, fixed.exact, shown, is_rough=not is_near)


def say_distance(moment: datetime, *, now: datetime) -> str:
    """How far off a moment is: `3 hours ago` or `in 4 days`."""
    unit, count = in_one_unit(abs(moment - now))
    if not count:
        return _("just now")
    return (_("in %(span)s") if moment > now else _("%(span)s ago")) % {"span": count_units(unit, count)}


def name_moment(moment: datetime) -> str:
    """The moment on the reader's clock: `Thursday 12 March, 20:00`."""
    return _day_and_hour(_on_the_wall(moment), None)


def name_moment_and_zone(moment: datetime) -> str:
    """`name_moment` and by whose clock: `Tuesday 24 November, 09:00, Vienna time`, or `... 09:00 UTC`."""
    region, _slash, place = timezone.get_current_timezone_name().rpartition("/")
    form = _("%(moment)s, %(place)s time") if region else _("%(moment)s %(place)s")
    return form % {"moment": name_moment(moment), "place": name_place(place)}


def name_place(place: str) -> str:
    """The place in the name of a time zone as people write it: `Buenos Aires` for `Buenos_Aires`."""
    return place.replace("_", " ").replace("DUrville", " d’Urville")


def name_moment_briefly(moment: datetime) -> str:
    """The moment on the reader's clock, for lists: `Mon 2 Mar, 23:00`."""
    return dateformat.format(_on_the_wall(moment), _(SHORT_FORM))


def name_days(first: date, last: date) -> str:
    """`3 March 2026`, or from when until when. No date falls apart at the end of a line."""
    begin, end = (date_format(day, "DATE_FORMAT").replace(" ", "\N{NO-BREAK SPACE}") for day in (first, last))
    return begin if first == last else _("%(first)s to %(last)s") % {"first": begin, "last": end}


def _on_the_wall(moment: datetime) -> datetime:
    """What the reader's clock shows, to the minute and without its zone."""
    return timezone.localtime(moment).replace(second=0, microsecond=0, tzinfo=None)


def _day_and_hour(local: datetime, days: int | None) -> str:
    """The day and the hour of a minute; a day so many `days` from today has a name of its own."""
    day = _(_NEAR_DAYS[days]) if days is not None else _name_day(local)
    return _("%(day)s, %(hour)s") % {"day": day, "hour": date_format(local, "TIME_FORMAT")}


_NEAR_DAYS: Final = {0: gettext_noop("today"), 1: gettext_noop("tomorrow"), -1: gettext_noop("yesterday")}


def _name_day(local: datetime) -> str:
    date = date_format(local, "MONTH_DAY_FORMAT").replace(" ", "\N{NO-BREAK SPACE}")
    parts = {"weekday": date_format(local, "l"), "date": date}
    return _("%(weekday)s %(date)s") % parts


class _Fixed(NamedTuple):
    """What of a moment never changes: for machines, to the minute with its zone, and its day."""

    iso: str
    exact: str
    day: str


@cached(most=4096)
def _fixed(moment: datetime, zone: tzinfo) -> _Fixed:
    local = moment.astimezone(zone)
    day, hour = date_format(local, "DATE_FORMAT"), date_format(local, "TIME_FORMAT")
    exact = _("%(day)s, %(hour)s %(zone)s") % {"day": day, "hour": hour, "zone": local.tzname() or ""}
    return _Fixed(local.isoformat(timespec="seconds"), exact, day)
