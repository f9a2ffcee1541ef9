"""What single answers cost that were once dear: CPU time and queries of a form, of preferences, and of a feed of seven
tables whose moves this process has not read.

Each time the feed is another player's, so that its moves are new; the others are asked for again and again.
"""

from __future__ import annotations

import gc
import random
import time
from statistics import median
from typing import TYPE_CHECKING, Any

from bench._here import new_site

if TYPE_CHECKING:
    from games.models import Player

PLAYERS = 12
TABLES = 7
MOVES = 20
TIMES = 40
MOST_MS, MOST_QUERIES = 8, 8


def main() -> None:
    with new_site():
        _measure()


def _measure() -> None:
    from django.conf import settings
    from django.core.management import call_command
    from django.test import Client

    from games.enqueue import without_enqueueing
    from games.pages.player.feeds import feed_address

    call_command("collectstatic", interactive=False, verbosity=0)
    with without_enqueueing():
        players = _players()
    client = Client(HTTP_HOST=settings.ALLOWED_HOSTS[0])
    feeds = ["/feeds/" + feed_address(player, "turns").partition("/feeds/")[2] for player in players]
    print(f"{'':34} CPU ms  least  queries  (at most {MOST_MS} ms and {MOST_QUERIES} queries)")
    _tell(f"feed of {TABLES} tables, moves not read", [_cost(client, path) for path in feeds][1:])
    _tell(f"feed of {TABLES} tables, again", [_cost(client, path) for path in feeds])
    client.force_login(players[0])
    for name, path in (("mail preferences", "/preferences/mail/"), ("new table", "/tables/new/")):
        _cost(client, path)
        _tell(name, [_cost(client, path) for _time in range(TIMES)])


def _players() -> list[Player]:
    """Each with as many tables as wait for them."""
    from games import play, rules
    from games.models import Player

    other = Player.objects.create_user("other", email="other@example.com")
    players, rng, at = [], random.Random(1), play.now()
    for number in range(PLAYERS):
        player = Player.objects.create_user(
            f"player{number}", email=f"player{number}@example.com", feed_key=f"{number:043}"
        )
        players.append(player)
        for _table in range(TABLES):
            game = play.open_table(player, name="Bench", size=2, at=at)
            play.join_table(game, player=other, at=at)
            game.refresh_from_db()
            while game.ply < MOVES or game.awaited_id != player.pk:
                move = rules.random_step(game.position(), rng).move
                seat = game.seats.get(number=game.to_move)
                play.play_move(game, seat=seat, move=move, ply=game.ply, key=str(game.ply), at=at)
                game.refresh_from_db()
    return players


def _cost(client: Any, path: str) -> tuple[float, int]:
    """Milliseconds of CPU, and queries."""
    from django.db import connection

    queries = 0

    def count(execute: Any, *args: Any) -> Any:
        nonlocal queries
        queries += 1
        return execute(*args)

    gc.collect()
    with connection.execute_wrapper(count):
        begun = time.thread_time()
        response = client.get(path)
        spent = time.thread_time() - begun
    assert response.status_code == 200, f"{path}: {response.status_code}"
    return spent * 1000, queries


def _tell(name: str, costs: list[tuple[float, int]]) -> None:
    times, queries = zip(*costs, strict=True)
    print(f"{name:34} {median(times):6.2f} {min(times):6.2f} {max(queries):8}")
