"""Two people at two browsers, who play a whole game against each other by whatever means they are given."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, Page, Request, expect
from pytest_django import DjangoDbBlocker

from games import rules
from games.drawing.outlines import WIDTH as WIDTH_OF_MAP, outlines_of
from games.drawing.svg import MARGIN
from games.models import Game, Player
from tests.cast import make_game, make_player
from tests.servers import MailServer, Site, site

SEED = 316
"""Of an opening and a game of 29 moves in which founding orders are chosen twice."""
MINE = "It is your move."
# A page that comes back to the net asks at once, and not only after its pause.
ASKS_UNTIL_MINE = f"""
() => {{
  if (document.getElementById("turn").textContent === "{MINE}") return true;
  dispatchEvent(new Event("online"));
  return false;
}}
"""
WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 1000}, "reduced_motion": "reduce"}
PHONE: dict[str, Any] = WIDE | {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


Found = TypeVar("Found")


class Hand(Protocol):
    """A way to make a move on a page where it is one's turn."""

    def __call__(self, page: Page, move: rules.Move) -> None: ...


@dataclass
class Seat:
    """Somebody at a browser; `asked` are its requests, but for files, and `trouble` is what it complains of."""

    page: Page
    asked: list[Request] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("request", self._count)
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on("console", lambda said: self.trouble.append(said.text) if said.type == "error" else None)

    def _count(self, request: Request) -> None:
        waits = any(name in request.url for name in ("/poll/", "/seen/"))
        if request.resource_type in {"document", "fetch", "xhr"} and not request.redirected_from and not waits:
            self.asked.append(request)

    def asked_once(self) -> bool:
        """Whether the first request was the move, and the only one: later the page may look what others have done."""
        methods = [request.method for request in self.asked]
        return methods[:1] == ["POST"] and methods.count("POST") == 1


@dataclass
class Hotseat:
    """A running game of two, each at a page of their own."""

    site: Site
    game: Game
    seats: list[Seat]
    position: rules.Position
    unblock: DjangoDbBlocker

    def turn(self) -> Seat:
        """Who is to move, once their page has seen that it is their turn."""
        seat = self.seats[self.position.to_move]
        seat.page.wait_for_function(ASKS_UNTIL_MINE, polling=400)
        seat.asked.clear()
        return seat

    def play(self, hand: Hand, *, rng: random.Random) -> None:
        """One move by hand, in exactly one request."""
        seat, move = self.turn(), some_move(self.position, rng)
        hand(seat.page, move)
        step = rules.play(self.position, move)
        expect(seat.page.locator("#turn")).not_to_have_text(MINE)
        assert seat.asked_once(), (str(move), seat.asked)
        self.position = step.position

    def play_to_the_end(self, hand: Hand) -> None:
        """A whole game; the site has then recorded just these moves, and no browser has complained."""
        rng, steps = random.Random(SEED), 0
        while not self.position.over:
            self.play(hand, rng=rng)
            steps += 1
        assert [seat.trouble for seat in self.seats] == [[], []]
        game = at_the_database(self.site, self.unblock, lambda: _read(self.game.slug))
        assert game == (Game.Status.FINISHED, steps, self.position)


def _read(slug: str) -> tuple[str, int, rules.Position]:
    game = Game.objects.get(slug=slug)
    return game.status, game.ply, game.position()


def at_the_database(served: Site, blocker: DjangoDbBlocker, does: Callable[[], Found]) -> Found:
    """What `does` answers at the site's database, in a thread of its own: a browser's has a running event loop."""

    def run() -> Found:
        with blocker.unblock(), served.database():
            return does()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


def some_move(position: rules.Position, rng: random.Random) -> rules.Move:
    """A legal move, one that founds the most villages rather than another, so that games come to an end."""
    moves = rules.legal_moves(position)
    rng.shuffle(moves)
    choices = [(move, rules.founding_orders(position, move)) for move in moves]
    move, orders = max(choices, key=lambda choice: len(choice[1]))
    if orders:
        return move._replace(order=rng.choice(orders))
    return max(moves, key=lambda move: len(rules.play(position, move).villages))


@contextmanager
def hotseat(
    browser: Browser,
    where: Path | Site,
    blocker: DjangoDbBlocker,
    *,
    device: dict[str, Any] = WIDE,
    smtp: MailServer | None = None,
    **wishes: Any,
) -> Iterator[Hotseat]:
    """A game of alice and bob, both with a `device` of that kind and with these `wishes`, and no other: at a site that
    runs, or at one of its own in a folder. Where there is a mail server, they wait for its mails; else they look at the
    table."""
    with ExitStack() as stack:
        if isinstance(where, Site):
            served = where
        else:
            served = stack.enter_context(site(where / "site", smtp=smtp, processes=["web"]))
        game, position, keys = at_the_database(served, blocker, lambda: _set_table(wishes))
        seats = []
        for key in keys:
            context = browser.new_context(**device)
            stack.callback(context.close)
            context.add_cookies([{"name": "sessionid", "value": key, "url": served.url}])
            seats.append(Seat(context.new_page()))
            if smtp is None:
                seats[-1].page.goto(served.url + game.get_absolute_url())
        yield Hotseat(served, game, seats, position, blocker)


def _set_table(wishes: dict[str, Any]) -> tuple[Game, rules.Position, list[str]]:
    """A running game, where it stands, and the sessions of those who play it, in seat order; no other player or game is
    left."""
    Game.objects.all().delete()
    Player.objects.all().delete()
    players = [make_player(name) for name in ("alice", "bob")]
    Player.objects.update(**{"mail_mode": "nothing", **wishes})
    game = make_game(*players, at=timezone.now())
    in_order = [seat.player for seat in game.seats.order_by("number").select_related("player")]
    opening = rules.random_opening(random.Random(SEED), seats=2)
    game.huts, game.first, game.to_move, game.awaited = (
        opening.huts,
        opening.first,
        opening.first,
        in_order[opening.first],
    )
    game.save()
    return game, game.position(), [sign_in(player) for player in in_order if player]


def sign_in(player: Player) -> str:
    """The session of a browser in which the player has signed in."""
    client = Client()
    client.force_login(player)
    return client.cookies["sessionid"].value


def huts_at(page: Page, territory: str) -> tuple[float, float]:
    """Where in the window the huts of a territory stand."""
    box = page.locator("svg.clans-board").bounding_box()
    assert box
    scale = box["width"] / (WIDTH_OF_MAP + 2 * MARGIN)
    x, y = outlines_of(rules.STANDARD.board).territories[territory].huts
    return box["x"] + (x + MARGIN) * scale, box["y"] + (y + MARGIN) * scale
