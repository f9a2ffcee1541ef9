"""Browsers that are signed in, reading pages, and positions in which something special can be done."""

from __future__ import annotations

import random
import re
from datetime import datetime
from functools import cache
from typing import Any, Protocol

from django.test import Client

from games import play, rules
from games.models import Game, Player, Seat
from tests.cast import AT, make_game
from tests.elements import Element, parse

_TEMPLATE = re.compile("<template.*?</template>", re.DOTALL)


class Page(Protocol):
    """What a view or the test client answers."""

    @property
    def content(self) -> Any: ...


def signed_in(player: Player | None) -> Client:
    """A browser in which the player is signed in, or nobody."""
    client = Client()
    if player:
        client.force_login(player)
    return client


def soup(response: Page) -> Element:
    """The page without the patterns that only scripts use."""
    page: Element = soup_of(response.content)
    return page


def soup_of(html: str | bytes) -> Any:
    """The same of markup; a test that finds nothing in it fails where it looks."""
    text = html.decode() if isinstance(html, bytes) else html
    return parse(_TEMPLATE.sub("", text))


def text_of(response: Page, selector: str = "main") -> str:
    """The words of a part of the page, with single spaces."""
    found = soup(response).select_one(selector)
    return " ".join(found.get_text(" ").split()) if found else ""


def links(response: Page, selector: str = "main") -> list[str]:
    found = soup(response).select_one(selector)
    return [str(link["href"]) for link in found.select("a[href]")] if found else []


def hidden(response: Page, form: str = "form#move") -> dict[str, str]:
    """What the form would send without anything being filled in."""
    found = soup(response).select_one(form)
    assert found, f"there is no {form}"
    fields = found.select("input[name]")
    return {
        str(field["name"]): str(field.get("value", ""))
        for field in fields
        if field.get("type") == "hidden" or field.has_attr("checked")
    }


def table_url(game: Game, verb: str = "") -> str:
    return f"/tables/{game.slug}/{verb}"


def seat_of(game: Game, player: Player) -> Seat:
    return game.seats.get(player=player)


def to_move(game: Game) -> Player:
    """The person whose turn it is."""
    game.refresh_from_db()
    assert game.awaited is not None
    return game.awaited


def next_move(game: Game) -> rules.Move:
    """The first legal move that needs no founding order."""
    position = game.position()
    return next(move for move in rules.legal_moves(position) if not rules.founding_orders(position, move))


def play_next(game: Game, *, at: datetime = AT) -> rules.Move:
    """Play `next_move` by `play_move`."""
    game.refresh_from_db()
    move = next_move(game)
    seat = game.seats.get(number=game.to_move)
    play.play_move(game, seat=seat, move=move, ply=game.ply, key=f"test-{game.ply}", at=at)
    return move


@cache
def moves_before_a_choice() -> tuple[rules.Opening, tuple[rules.Move, ...], rules.Move]:
    """An opening of three, moves, and then a move that founds several villages in an order to be chosen."""
    rng = random.Random(1)
    while True:
        opening = rules.random_opening(rng, seats=3)
        position = rules.set_up(opening)
        moves: list[rules.Move] = []
        while not position.over:
            for move in rules.legal_moves(position):
                if rules.founding_orders(position, move):
                    return opening, tuple(moves), move
            step = rules.random_step(position, rng)
            position, moves = step.position, [*moves, step.move]


def game_before_a_choice(*players: Player) -> tuple[Game, rules.Move]:
    """A game of three in which the next move can found several villages."""
    opening, moves, choice = moves_before_a_choice()
    game = make_game(*players)
    Game.objects.filter(pk=game.pk).update(huts=opening.huts, first=opening.first, to_move=opening.first)
    for ply, move in enumerate(moves):
        game.refresh_from_db()
        seat = game.seats.get(number=game.to_move)
        play.play_move(game, seat=seat, move=move, ply=ply, key=f"choice-{ply}", at=AT)
    game.refresh_from_db()
    return game, choice
