"""What tests of webhooks say again and again."""

from __future__ import annotations

import json

from games import hooks
from games.models import Game, Player, Webhook
from tests.cast import AT, play_random, seat_to_move
from tests.hooks.ear import Ear, Heard


def add(player: Player, url: str, kind: str = Webhook.Kind.JSON) -> Webhook:
    return hooks.add_hook(player, kind=kind, url=url, at=AT)


def payload_of(heard: Heard) -> dict[str, object]:
    found = json.loads(heard.body)
    assert isinstance(found, dict)
    return found


def events(ear: Ear) -> list[object]:
    return [payload_of(heard)["event"] for heard in ear.heard]


def last_turn(ear: Ear) -> Heard:
    """The last call to a turn."""
    return [heard for heard in ear.heard if heard.headers["X-Clans-Event"] == "turn"][-1]


def to_alice(game: Game) -> Game:
    """The game, when it is alice's turn."""
    return game if seat_to_move(game).name == "alice" else play_random(game, 1)
