"""One player, found by a name: who may see their page, and which of their games everybody may see."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.db import models
from django.db.models import Q, QuerySet
from django.db.models.functions import Lower

from games.caching import prepared
from games.models import Favorite, FormerName, Meeting, Mute, PageFor, Player, Seat, player_once_called

HIDDEN: Final = 403
"""The status of a page that its player hides."""
IN_PUBLIC: Final = Q(game__is_public=True, game__is_listed=True)
"""Seats at public tables; not those that were given up at once."""


def find_player(name: str, viewer: Player | None = None) -> Player | None:
    """The player of that name in any case, or who was called that before; also one who has closed the account.
    `formerly` is what they were called last, and `is_muted` and `is_blocked` say what the viewer has done to them. One
    query, and some more for a player who was called that before, or has never signed in: an unfinished sign-up is not a
    player."""
    by = viewer.pk if viewer else 0
    found = _named(name, by) if "\0" not in name else []
    if not found and "\0" not in name and (player := player_once_called(name)):
        found = _named(player.username, by)
    return found[0] if found and not _is_unfinished(found[0]) else None


def find_players(names: Iterable[str]) -> dict[str, Player]:
    """Those of these names that `find_player` knows, by their names in lower case. One query. With `has_namesake`:
    whether somebody in imported games that everybody may see is called so, too."""
    wanted = {name.lower() for name in names if "\0" not in name}
    return {vars(player)["called"].lower(): player for player in _called(*wanted)} if wanted else {}


@prepared
def _called(*names: str) -> QuerySet[Player]:
    """Those who are called so, and those who once were, in whatever case; `called` is that name."""
    unfinished = Player.objects.never_confirmed().filter(pk=models.OuterRef("pk"))
    now = _called_by("username", Player.objects.exclude(models.Exists(unfinished)), names)
    # The filter makes it an inner join, which begins with the names.
    before = _called_by("former_names__name", Player.objects.filter(former_names__isnull=False), names)
    return now.union(before, all=True)


def _called_by(column: str, players: QuerySet[Player], names: Iterable[str]) -> QuerySet[Player]:
    imported = Seat.objects.finished_without_account(models.OuterRef("username")).filter(IN_PUBLIC)
    named = players.annotate(called=models.F(column), lower=Lower(column), has_namesake=models.Exists(imported))
    return named.filter(lower__in=[Lower(models.Value(name)) for name in names])


def _is_unfinished(player: Player) -> bool:
    if player.last_login is not None or player.seats.exists():
        return False
    return Player.objects.never_confirmed().filter(pk=player.pk).exists()


_FORMERLY: Final = FormerName.objects.filter(player=models.OuterRef("pk")).order_by("-at").values("name")[:1]


@prepared
def _named(name: str, viewer: int) -> QuerySet[Player]:
    """With the answer times, the rating, and what `find_player` tells besides."""
    mutes = Mute.objects.filter(player=viewer, other=models.OuterRef("pk"))
    said = {"is_muted": models.Exists(mutes), "is_blocked": models.Exists(mutes.filter(blocks=True))}
    return (
        Player.objects.annotate(lower=Lower("username"), formerly=models.Subquery(_FORMERLY), **said)
        .filter(lower=Lower(models.Value(name)))
        .select_related("answer_times", "rating")
    )


def may_see(player: Player, *, viewer: Player | None, meeting: Meeting | None = None) -> bool:
    """Whether the viewer may see the page of `player`, whom they know by `meeting`, if that was already queried. At
    most one query."""
    if player.closed_at is not None:
        return False
    if player.page_for == PageFor.EVERYBODY or player == viewer:
        return True
    if player.page_for == PageFor.NOBODY or viewer is None:
        return False
    return (meeting or meeting_of(player, viewer)) is not None


def meeting_of(player: Player, viewer: Player | None) -> Meeting | None:
    """What the two have played together; None if they have never sat at a table that started. `is_favorite`
    says whether the player is on the viewer’s list. One query."""
    if viewer is None or viewer == player:
        return None
    first, second = sorted((player.pk, viewer.pk))
    found = _meetings(first, second, player.pk, viewer.pk)
    return found[0] if found else None


@prepared
def _meetings(first: int, second: int, player: int, viewer: int) -> QuerySet[Meeting]:
    listed = Favorite.objects.filter(player=viewer, other=player)
    return Meeting.objects.annotate(is_favorite=models.Exists(listed)).filter(first=first, second=second)


def finished_in_public_by(player: int) -> QuerySet[Seat]:
    """The player's seats in public games that are over; not those that were given up at once."""
    return Seat.objects.filter(IN_PUBLIC, player=player, ended_at__isnull=False).order_by("-ended_at", "-game_id")


def running_in_public_by(player: int) -> QuerySet[Seat]:
    """The player's seats in games that everybody may watch, newest first."""
    public = Q(game__is_public=True, game__status="running")
    return Seat.objects.filter(public, player=player, total__isnull=True).order_by("-game_id")
