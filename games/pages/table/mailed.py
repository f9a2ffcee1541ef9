"""A move that its player has sent by mail, and that waits until they confirm it on the site (design 3.2)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db.models import QuerySet

from games.caching import prepared
from games.models import Game, InboundMail, Player
from games.pov import Pov

WAITS: Final = (InboundMail.Outcome.ASKED, InboundMail.Outcome.UNPROVED)


def move_sent_by_mail(game: Game, pov: Pov, viewer: Player | None) -> str:
    """The move that `viewer` has sent for this turn last; empty without one, and for everybody else. One query where it
    is their turn and the site takes answers by mail."""
    if viewer is None or not (pov.is_my_turn and game.turn_since and settings.REPLY_ADDRESS):
        return ""
    every = (one for (results,) in _results_since(viewer.pk, game.turn_since) for one in results)
    return next((one["read"] for one in every if one["code"] == "asked" and one["slug"] == game.slug), "")


@prepared
def _results_since(player: int, began: datetime) -> QuerySet[InboundMail, tuple[Any, ...]]:
    """What was read from the mails that wait, last first. One of an earlier turn would have been refused in this."""
    sent = InboundMail.objects.filter(player=player, received_at__gte=began, outcome__in=WAITS)
    return sent.order_by("-received_at", "-pk").values_list("results")
