"""Running games in which somebody may take over a seat (design 2.26)."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import LEFT_SEAT, Game, Seat


def free_seats() -> QuerySet[Seat]:
    """A seat that anybody may take over in each public game that has one, the newest game first."""
    others = Seat.objects.filter(LEFT_SEAT, game=OuterRef("game"), pk__lt=OuterRef("pk"))
    listed = Q(game__status=Game.Status.RUNNING, game__is_public=True, game__allows_takeover=True)
    return Seat.objects.filter(LEFT_SEAT, listed, ~Exists(others)).order_by("-game_id")


def free_seats_of_others(player: int) -> QuerySet[Seat]:
    """Of these the seats that the player may take over, by the rule of `play.check_takeover`: none where they have or
    had a seat themselves, or where somebody has blocked them."""
    here = Seat.objects.filter(game=OuterRef("game"))
    keeps_out = Q(player=player) | Q(former_holders__player=player)
    blocks = Q(player__mutes__other=player, player__mutes__blocks=True)
    return free_seats().exclude(Exists(here.filter(keeps_out | blocks)))
