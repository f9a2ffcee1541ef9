"""The season of a league that a table belongs to."""

from __future__ import annotations

from typing import NamedTuple

from games.models import Game
from games.pov import Pov


class SeasonPlace(NamedTuple):
    """A table's place in its season."""

    name: str
    url: str
    round: int


def place_in_season(game: Game, pov: Pov) -> SeasonPlace | None:
    """The season of `game`. Somebody who has only the link of a table by link learns nothing of its season. No query if
    `game_of` has read the game."""
    table = getattr(game, "season_table", None)
    if table is None or not (pov.is_public or pov.me):
        return None
    return SeasonPlace(table.round.season.name, table.round.season.get_absolute_url(), table.round.number)
