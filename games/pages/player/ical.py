"""The deadlines of a player as a calendar (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Self

from django.conf import settings
from django.utils.translation import gettext as _
from icalendar import Alarm, Calendar, Event, Timezone, TimezoneStandard, vDuration

from games.models import Game, Player
from games.words import one_line
from games.words.time_left import say_in_calendar

ALARMS = (timedelta(days=1), timedelta(hours=2))
"""How long before a deadline a calendar rings."""
REFRESH = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """What waits at one table: first the moment when the reserve begins to be drawn on, then the one when it is used
    up. `revised` is when that was last another moment."""

    slug: str
    url: str
    title: str
    text: str
    when: datetime
    revised: datetime
    sequence: int

    @classmethod
    def of(cls, game: Game, *, at: datetime) -> Self:
        """The deadline of the turn that runs in `game`, as it is at `at`."""
        if game.due_at is None or game.turn_since is None or game.started_at is None:
            raise ValueError(f"no clock runs in {game}")
        is_free = game.free_until is not None and at < game.free_until < game.due_at
        when = game.free_until if is_free and game.free_until else game.due_at
        revised = game.clock_set_at or game.turn_since
        if not is_free and game.free_until is not None and game.free_until < game.due_at:
            revised = max(revised, game.free_until)
        places = {"table": one_line(game.name)}
        return cls(
            slug=game.slug,
            url=settings.SITE_URL + game.get_absolute_url(),
            title=(_("Your move: %(table)s") if is_free else _("Time is up: %(table)s")) % places,
            text=say_in_calendar(game, is_free=is_free),
            when=when,
            revised=revised,
            # Grows with each revision, as long as there is the table.
            sequence=int((revised - game.started_at).total_seconds()),
        )


def write_calendar(deadlines: Iterable[CalendarEvent], player: Player) -> bytes:
    """The calendar, in the active language; times are in UTC, which every calendar shows by its reader's clock."""
    calendar = Calendar()
    calendar.add("prodid", "-//Clans by mail//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    for name in ("name", "x-wr-calname"):
        calendar.add(name, _("Clans by mail"))
    calendar.add("x-wr-timezone", player.time_zone)
    calendar.add("refresh-interval", vDuration(REFRESH), parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", vDuration(REFRESH))
    for deadline in deadlines:
        calendar.add_component(_event(deadline))
    if not calendar.subcomponents:
        calendar.add_component(_utc())
    return bytes(calendar.to_ical())


def _utc() -> Timezone:
    """What stands in a calendar without events, which must have one component at least (RFC 5545, 3.6)."""
    utc, always = Timezone(), TimezoneStandard()
    utc.add("tzid", "UTC")
    always.add("dtstart", datetime(1970, 1, 1))  # noqa: DTZ001  by the clock of that zone
    for offset in ("tzoffsetfrom", "tzoffsetto"):
        always.add(offset, timedelta())
    utc.add_component(always)
    return utc


def _event(deadline: CalendarEvent) -> Event:
    event = Event()
    event.add("uid", f"deadline-{deadline.slug}@{settings.MAIL_DOMAIN}")
    event.add("dtstamp", deadline.revised.astimezone(UTC))
    event.add("last-modified", deadline.revised.astimezone(UTC))
    event.add("sequence", deadline.sequence)
    event.add("dtstart", deadline.when.astimezone(UTC))
    event.add("summary", deadline.title)
    event.add("description", f"{deadline.text}\n{deadline.url}")
    event.add("url", deadline.url)
    event.add("transp", "TRANSPARENT")
    for before in ALARMS:
        event.add_component(_alarm(deadline, before))
    return event


def _alarm(deadline: CalendarEvent, before: timedelta) -> Alarm:
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", deadline.title)
    alarm.add("trigger", -before)
    return alarm
