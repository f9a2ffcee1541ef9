"""Playing again with the same people: a table that follows a finished game, and where its players find it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from games.caching import prepared
from games.models import Game, GameQuerySet, Invitation, Player, Seat, Terms, is_to_address_of, next_name
from games.pages.lists.new_table_form import choices_of

LAST = 24
"""How many of a player's last games are checked for tables that follow them."""


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


def tables_asking(player: int) -> GameQuerySet:
    """Open tables at which the player does not sit yet, or is not yet ready, newest first: those that follow one of
    their last games, and those that they are invited to and have not answered; none of somebody whom they have
    blocked."""
    last = Seat.objects.filter(player=player, ended_at__isnull=False).order_by("-ended_at", "-game")
    open_ones = Invitation.objects.filter(answer=Invitation.Answer.NONE).order_by()
    by_name = open_ones.filter(player=player)
    by_address = open_ones.exclude(address="").filter(is_to_address_of(player))
    again = Game.objects.filter(follows__in=last.values("game")[:LAST])
    # Not "or": a database would look through all games for it.
    asking = again.order_by().values("pk").union(by_name.values("game"), by_address.values("game"))
    blocked = Player.objects.blocked_by(player)
    after = Game.objects.filter(pk__in=asking, status=Game.Status.OPEN).exclude(opener__in=blocked)
    sits = Seat.objects.filter(game=OuterRef("pk"), player=player, is_ready=True)
    return after.exclude(Exists(sits)).order_by("-pk")


def game_to_follow(slug: str, player: Player) -> Game | None:
    """The finished game of that address if `player` has played in it. One query."""
    finished = Game.objects.filter(slug=slug, status=Game.Status.FINISHED, seats__player=player)
    # No address has another sign, and PostgreSQL takes no null byte.
    return finished.first() if slug.isalnum() else None


def others_of(game: Game, player: Player) -> list[str]:
    """The names of the people whom a table that follows `game` asks: nobody who has closed the account. One query."""
    others = game.seats.filter(player__isnull=False, player__closed_at=None).exclude(player=player).order_by("number")
    return list(others.values_list("name", flat=True))


def choices_again(game: Game) -> dict[str, Any]:
    """What the form of a new table begins with to play as in `game`. One query."""
    terms = Terms.of(game)
    seats = {"size": game.size, "bots": game.seats.filter(player=None).count()}
    return {"name": next_name(game.name), "games": 1} | seats | choices_of(terms)
