"""Playing again with the same people: a table that follows a finished game; asked.py says where its players find it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.caching import prepared
from games.models import Game, Player, Terms, next_name
from games.pages.lists.new_table_form import choices_of


@dataclass(frozen=True, slots=True)
class FollowingTable:
    """The newest table that follows a finished game."""

    slug: str
    opener: str
    is_open: bool
    is_mine: bool
    """Whether the viewer has opened it."""
    is_series: bool
    """Whether it is the next game of a series, whose table opens by itself."""


def following_table(game: Game, *, viewer: Player) -> FollowingTable | None:
    """The table that follows a finished game, for `viewer`, who has played in that one; no open table of somebody whom
    they have blocked. One query."""
    found = _tables_after(game.pk, viewer.pk)
    if not found:
        return None
    slug, status, opener, name, number = found[0]
    is_open, is_series = status == Game.Status.OPEN, number is not None and number > 1
    return FollowingTable(slug, name, is_open=is_open, is_mine=opener == viewer.pk, is_series=is_series)


@prepared
def _tables_after(game: int, viewer: int) -> QuerySet[Game, tuple[str, str, int, str, int | None]]:
    after = Game.objects.filter(follows=game).exclude(status=Game.Status.CLOSED).order_by("-pk")
    after = after.exclude(status=Game.Status.OPEN, opener__in=Player.objects.blocked_by(viewer))
    return after.values_list("slug", "status", "opener_id", "opener__username", "series_number")[:1]


def game_to_follow(slug: str, player: Player) -> Game | None:
    """The finished game of that address if `player` has played in it. One query."""
    finished = Game.objects.filter(slug=slug, status=Game.Status.FINISHED, seats__player=player)
    finished = finished.select_related("season_table")
    # No address has another sign, and PostgreSQL takes no null byte.
    return finished.first() if slug.isalnum() else None


def others_of(game: Game, player: Player) -> list[str]:
    """The names of the people whom a table that follows `game` asks: nobody who has closed the account. One query."""
    others = game.seats.filter(player__isnull=False, player__closed_at=None).exclude(player=player).order_by("number")
    return list(others.values_list("name", flat=True))


def choices_again(game: Game) -> dict[str, Any]:
    """What the form of a new table begins with to play as in `game`. One query, if `game_to_follow` has read the
    game."""
    terms = Terms.of(game)
    seats = {"size": game.size, "bots": game.seats.filter(player=None).count()}
    return {"name": _name_again(game), "games": 1} | seats | choices_of(terms)


def _name_again(game: Game) -> str:
    """What the table is called that follows `game`. That of a season is called by round and table, and no further table
    is part of the season."""
    if hasattr(game, "season_table"):
        return (_("Rematch of %(game)s") % {"game": game.name})[:60]
    return next_name(game.name)
