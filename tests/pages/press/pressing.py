"""Moving without signing in, as a browser does it: open the link of the mail, and send a move."""

from __future__ import annotations

from typing import Any

from django.test import Client

from games.models import Game, Player, TurnToken, make_turn_token
from tests.cast import AT
from tests.pages.helpers import hidden, next_move, text_of

COOKIE = "turn"


def secret_for(game: Game, player: Player, use: TurnToken.Use = TurnToken.Use.PRESS) -> str:
    seat = game.seats.select_related("game").get(player=player)
    return make_turn_token(player, {1: seat}, use=use, at=AT)


def press_url(game: Game, verb: str = "") -> str:
    return f"/turn/{game.slug}/{verb}"


def enter(client: Client, game: Game, secret: str) -> Any:
    return client.post(press_url(game, "open/"), {"secret": secret})


def send_move(client: Client, game: Game, move: object = None) -> Any:
    """Preview and confirm the move as the page has it."""
    shown = client.get(press_url(game), {"move": str(move or next_move(game))})
    return client.post(press_url(game, "move/"), hidden(shown))


def why(response: Any) -> str:
    return text_of(response, ".lead")


def send_directly(client: Client, game: Game) -> Any:
    """The next move of the game, as a form that was loaded long ago would send it."""
    game.refresh_from_db()
    return client.post(press_url(game, "move/"), {"ply": str(game.ply), "move": str(next_move(game))})
