"""Tables and seasons to which a player is invited, and tables at which they are asked to play again."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet, TextField, Value
from django.db.models.functions import Coalesce, Now

from games.caching import prepared
from games.models import Entrant, Game, Invitation, Mute, Player, Season, Seat
from games.pages.lists.listed_season import ListedSeason
from games.pages.lists.summaries import ListedGame

LAST: Final = 24
"""How many of a player's last games are checked for tables that follow them."""
MOST: Final = 12
"""So many tables, and so many seasons, are listed at most."""

_TABLE: Final = len(ListedGame._fields)
"""So many columns of the query are those of a table."""


class _Asking(NamedTuple):
    """A table or season, and how it asks the player."""

    place: ListedGame | ListedSeason
    answer: str
    """What became of the invitation (`Invitation.Answer`); empty, too, where a table follows one of their games."""
    is_by_name: bool
    """Whether they are asked as a player, and not by their address."""


def asked(player: Player) -> tuple[list[ListedGame], list[ListedSeason]]:
    """What asks the player, newest first: the open tables that follow one of their last games, and those, and the open
    seasons, that they are invited to and have not answered (`choose_those_to`); none where they are already, and none
    of somebody whom they have blocked. One query."""
    found = [_read(columns) for columns in _asked(player.pk, player.email)]
    found = [each for each in found if each.answer != Invitation.Answer.WITHDRAWN]
    by_name = {each.place for each in found if each.is_by_name}
    unanswered = [each for each in found if each.answer == Invitation.Answer.NONE]
    places = {each.place for each in unanswered if each.is_by_name or each.place not in by_name}
    # By their keys, which are their first columns.
    tables = sorted((place for place in places if isinstance(place, ListedGame)), reverse=True)
    seasons = sorted((place for place in places if isinstance(place, ListedSeason)), reverse=True)
    return tables[:MOST], seasons[:MOST]


def _read(columns: tuple[Any, ...]) -> _Asking:
    """A row of `_asked`, in which the columns of the table or those of the season are empty."""
    table, season, (answer, player) = columns[:_TABLE], columns[_TABLE:-2], columns[-2:]
    place = ListedSeason._make(season) if table[0] is None else ListedGame._make(table)
    return _Asking(place, answer, is_by_name=player is not None)


@prepared
def _asked(player: int, address: str) -> QuerySet[Any, tuple[Any, ...]]:
    """The columns of a table, those of a season, the answer, and the player if they are asked by name."""
    none = Value(None, output_field=TextField())
    again = _again(player).values_list(
        *ListedGame._fields, *[none] * len(ListedSeason._fields), Value("", output_field=TextField()), Value(player)
    )
    of_table = [f"game__{name}" for name in ListedGame._fields]
    of_season = [f"season__{name}" for name in ListedSeason._fields]
    return again.union(_invited(player, address).values_list(*of_table, *of_season, "answer", "player"), all=True)


def _again(player: int) -> QuerySet[Game]:
    last = Seat.objects.filter(player=player, ended_at__isnull=False).order_by("-ended_at", "-game")
    following = Game.objects.filter(follows__in=last.values("game")[:LAST], status=Game.Status.OPEN).order_by()
    return following.exclude(opener__in=_blocked(player)).exclude(Exists(_sits(player, at="pk")))


def _invited(player: int, address: str) -> QuerySet[Invitation]:
    """Those to the name and to the address, also if they are answered."""
    is_open = Q(game__status=Game.Status.OPEN) | Q(season__status=Season.Status.OPEN)
    # Nothing is asked of the answer: indexes have conditions on it, too, and SQLite would plan it anew each time.
    found = Invitation.objects.to_name_or_address(player, address).filter(is_open, expires_at__gt=Now()).order_by()
    found = found.annotate(opener=Coalesce("game__opener", "season__opener")).exclude(opener__in=_blocked(player))
    plays = Entrant.objects.filter(season=OuterRef("season"), player=player, left_at=None)
    return found.exclude(Exists(_sits(player, at="game"))).exclude(Exists(plays))


def _sits(player: int, *, at: str) -> QuerySet[Seat]:
    """The seat of the player at that table, if they are ready."""
    return Seat.objects.filter(game=OuterRef(at), player=player, is_ready=True)


def _blocked(player: int) -> QuerySet[Mute, Any]:
    return Mute.objects.filter(player=player, blocks=True).values("other")
