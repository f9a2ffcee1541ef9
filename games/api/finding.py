"""Games that a caller of the API may see. Who may not see one gets what they get for one that there is not."""

from __future__ import annotations

import re
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404

from games.caching import prepared
from games.models import FormerHolder, Game, Player, Seat

SLUG: Final = re.compile(r"[a-z0-9]{1,26}", re.ASCII)


def find_game(slug: str, *, viewer: Player | None) -> Game:
    """The game of that address with its deal: a public one, or one at which the viewer has, or had, a seat. Raises
    Http404. One query, whichever it is."""
    found = _visible(slug, viewer.pk if viewer else 0) if SLUG.fullmatch(slug) else []
    if not found:
        raise Http404
    return found[0]


@prepared
def _visible(slug: str, player: int) -> QuerySet[Game]:
    return visible_to(player).select_related("deal", "imported", "series").filter(slug=slug)


def visible_to(player: int) -> QuerySet[Game]:
    """Public games, and those at which the player of this key has, or had, a seat."""
    seat = Seat.objects.filter(game=OuterRef("pk"), player=player)
    held = FormerHolder.objects.filter(seat__game=OuterRef("pk"), player=player)
    return Game.objects.filter(Q(is_public=True) | Exists(seat) | Exists(held))
