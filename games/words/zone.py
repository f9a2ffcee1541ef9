"""The time zone of whoever reads."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from functools import cached_property

from django.http import HttpRequest
from django.utils import timezone

from games.clocks import zone_named
from games.models import Player


class PlayerZone(tzinfo):
    """The time zone of whoever asks. Who that is gets looked up when the first time is shown, not before."""

    def __init__(self, request: HttpRequest) -> None:
        self.request = request

    @cached_property
    def zone(self) -> tzinfo:
        user = self.request.user
        return zone_named(user.time_zone) if isinstance(user, Player) else UTC

    def utcoffset(self, moment: datetime | None, /) -> timedelta | None:
        return self.zone.utcoffset(self._there(moment))

    def dst(self, moment: datetime | None, /) -> timedelta | None:
        return self.zone.dst(self._there(moment))

    def tzname(self, moment: datetime | None, /) -> str | None:
        return self.zone.tzname(self._there(moment))

    def fromutc(self, moment: datetime, /) -> datetime:
        return self.zone.fromutc(moment.replace(tzinfo=self.zone)).replace(tzinfo=self)

    def _there(self, moment: datetime | None) -> datetime | None:
        return moment and moment.replace(tzinfo=self.zone)


def zone_here() -> tzinfo:
    """The active time zone itself, which is quicker than the one that looks up the player each time."""
    zone = timezone.get_current_timezone()
    return zone.zone if isinstance(zone, PlayerZone) else zone
