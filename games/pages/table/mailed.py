"""A move that its player has sent by mail, and that waits until they confirm it on the site (design 3.2)."""

from __future__ import annotations

from typing import Final

from django.conf import settings

from games.models import Game, InboundMail, Player
from games.pov import Pov

WAITS: Final = (InboundMail.Outcome.ASKED, InboundMail.Outcome.UNPROVED)


def move_sent_by_mail(game: Game, pov: Pov, viewer: Player | None) -> str:
    """The move that `viewer` has sent for this turn last; empty without one, and for everybody else. One query where it
    is their turn and the site takes answers by mail."""
    if viewer is None or not (pov.is_my_turn and game.turn_since and settings.REPLY_ADDRESS):
        return ""
    # Such a mail came in while this turn lasted: for an earlier one it would have been refused.
    sent = InboundMail.objects.filter(player=viewer, received_at__gte=game.turn_since, outcome__in=WAITS)
    every = (
        one for results in sent.order_by("-received_at", "-pk").values_list("results", flat=True) for one in results
    )
    return next((one["read"] for one in every if one["code"] == "asked" and one["slug"] == game.slug), "")
