"""What lists show of a season."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.safestring import SafeString

from games.models import Season
from games.pages.access import link_player
from games.words.pace import name_pace


class ListedSeason(NamedTuple):
    """What lists read of a season, by the names of its columns."""

    id: int
    slug: str
    name: str
    status: str
    format: str
    size: int
    move_hours: int
    reserve_hours: int
    opener__username: str

    @property
    def status_label(self) -> str:
        return str(Season.Status(self.status).label)

    @property
    def format_label(self) -> str:
        return str(Season.Format(self.format).label)

    @property
    def pace(self) -> str:
        return name_pace(self.move_hours, self.reserve_hours)

    @property
    def opener(self) -> SafeString:
        """The name of its opener, as a link to their page."""
        return link_player(self.opener__username)
