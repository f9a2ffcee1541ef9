"""Tables that wait for a player on a phone, held in one hand."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from django.utils import timezone
from playwright.sync_api import Browser, Page, ViewportSize, expect
from pytest_django import DjangoDbBlocker

from games import play, rules
from games.models import Game, Player
from tests.browser.hotseat import PHONE, SEED, Hotseat, at_the_database, hotseat, some_move
from tests.cast import make_game, make_player


class Scene(NamedTuple):
    """Tables of alice, each with the address of what is to be seen there; `move` asks for an order at one of them."""

    addresses: dict[str, str]
    move: rules.Move
    slugs: dict[str, str]


class Tables(NamedTuple):
    """A site with these tables, and alice's phone."""

    two: Hotseat
    scene: Scene
    hand: Page

    def upright(self) -> Page:
        """alice's page, upright."""
        self.hand.set_viewport_size(ViewportSize(width=390, height=664))
        return self.hand

    def address(self, state: str) -> str:
        return self.two.site.url + self.scene.addresses[state]

    def position(self, state: str) -> rules.Position:
        slug = self.scene.slugs[state]
        return at_the_database(self.two.site, self.two.unblock, lambda: Game.objects.get(slug=slug).position())

    def open(self, state: str) -> None:
        """Open the page of a table in that state, and wait until it is ready."""
        page = self.hand
        page.goto(self.address(state))
        page.evaluate("document.fonts.ready")
        expect(page.locator(".prompt-step > p, .prompt-step .action-bar > *").first).to_be_visible()
        if state == "six moved":
            page.evaluate("document.querySelector('#move [name=ply]').value -= 6")
            page.get_by_role("button", name="Move ").tap()
            expect(page.locator(".missed li")).to_have_count(6)
            expect(page.get_by_role("alert")).to_be_visible()


@contextmanager
def tables_in_one_hand(browser: Browser, folder: Path, blocker: DjangoDbBlocker) -> Iterator[Tables]:
    """A site of its own with tables that wait for alice, and her phone."""
    with hotseat(browser, folder, blocker, device=PHONE) as two:
        names = at_the_database(two.site, two.unblock, seat_names)
        scene = at_the_database(two.site, two.unblock, set_tables)
        yield Tables(two, scene, two.seats[names.index("alice")].page)


def seat_names() -> list[str]:
    return [seat.name for seat in Game.objects.earliest("pk").seats.order_by("number")]


def set_tables() -> Scene:
    """Tables that wait for alice, after a different number of moves, one of them with villages to found at once."""
    players = [Player.objects.get(username="alice"), Player.objects.get(username="bob"), make_player("carol")]
    games = {
        "nobody moved": game_at(players[:2], 0),
        "one moved": game_at(players[:2], 5),
        "two moved": game_at(players, 5),
        "six moved": game_at(players[:2], 8),
    }
    asks, move = game_that_asks(players[:2])
    games["an order"] = asks
    steps = {"an origin": games["one moved"], "a target": games["one moved"], "six moved": games["six moved"]}
    addresses = {state: game.get_absolute_url() for state, game in (games | steps).items()}
    moves = {state: rules.legal_moves(game.position())[40] for state, game in steps.items()}
    addresses["an origin"] += f"?from={moves['an origin'].origin}"
    for state in ("a target", "six moved"):
        addresses[state] += f"?from={moves[state].origin}&to={moves[state].target}"
    addresses["an order"] += f"?from={move.origin}&to={move.target}"
    return Scene(addresses, move, {state: game.slug for state, game in games.items()})


def game_at(players: list[Player], plies: int) -> Game:
    """A game in which so many moves were played, and alice is to move."""
    game = make_game(*players, at=timezone.now())
    number = game.seats.get(player=players[0]).number or 0
    opening = rules.random_opening(random.Random(SEED), seats=len(players))
    first = (number - plies) % len(players)
    mover = game.seats.get(number=first).player
    Game.objects.filter(pk=game.pk).update(huts=opening.huts, first=first, to_move=first, awaited=mover)
    rng = random.Random(SEED)
    for _ply in range(plies):
        game.refresh_from_db()
        move, seat = some_move(game.position(), rng), game.seats.get(number=game.to_move)
        play.play_move(game, seat=seat, move=move, ply=game.ply, key=f"hand-{game.ply}", at=timezone.now())
    game.refresh_from_db()
    return game


def game_that_asks(players: list[Player]) -> tuple[Game, rules.Move]:
    """A game in which alice can found several villages by one move, and that move."""
    for plies in range(10, 30):
        game = game_at(players, plies)
        move = some_move(game.position(), random.Random(SEED))
        if move.order:
            return game, move
        game.delete()
    raise AssertionError("no order is asked for")
