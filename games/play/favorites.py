"""The people with whom a player likes to play. Nobody else learns of it (design 5.5)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from games.limits import FAVORITES
from games.models import Favorite, Meeting, Mute, Player
from games.words.refusals import BlockedByYou, FavoritesFull, NeverMet


def add_favorite(player: Player, other: int, *, at: datetime) -> Player:
    """Put the player of that key on the list of `player`, whether that one blocks them or not; returns who it is.
    Raises NeverMet, also where there is no such player any more, BlockedByYou and FavoritesFull."""
    with _list_of(player):
        first, second = sorted((player.pk, other))
        found = Player.objects.filter(pk=other, is_active=True).first()
        if found is None or not Meeting.objects.filter(first=first, second=second).exists():
            raise NeverMet
        if Mute.objects.filter(player=player, other=found, blocks=True).exists():
            raise BlockedByYou
        listed = Favorite.objects.of(player)
        if not listed.filter(other=found).exists():
            if listed.count() >= FAVORITES.rates[0].amount:
                raise FavoritesFull
            Favorite.objects.create(player=player, other=found, at=at)
    return found


def remove_favorite(player: Player, other: int) -> Player | None:
    """Take the player of that key off the list of `player`; returns who it was, None if they were not on it."""
    with _list_of(player):
        found = Favorite.objects.of(player).filter(other=other).select_related("other").first()
        if found is None:
            return None
        found.delete()
    return found.other


@contextmanager
def _list_of(player: Player) -> Iterator[None]:
    """A transaction that alone changes the list of `player`; it sets `Player.has_favorites`, too."""
    with player.locked():
        yield
        player.has_favorites = Favorite.objects.filter(player=player).exists()
        player.save(update_fields=("has_favorites",))
