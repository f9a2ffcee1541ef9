"""Run as a program, which may wait for no lock: tries to move in a game that somebody else has locked, and in the same
game once it is free; then makes eight moves at once. Prints what came of each."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import django

django.setup()

from django.db import DatabaseError, connection  # noqa: E402
from django.utils import timezone  # noqa: E402

from games import play, rules  # noqa: E402
from games.enqueue import without_enqueueing  # noqa: E402
from games.models import Game  # noqa: E402
from games.play.lock import locked  # noqa: E402
from tests.cast import make_game, make_player, seat_to_move  # noqa: E402

AT_ONCE = 8
HURRY = {"postgresql": "SET lock_timeout = '50ms'", "sqlite": "PRAGMA busy_timeout = 50"}


def move(game: Game, number: int = 0, *, start: Barrier | None = None, hurries: bool = False) -> str:
    """What comes of the next move in `game`, on a connection of its own: nothing, or the name of the error."""
    seat, legal = seat_to_move(game), rules.legal_moves(game.position())[number]
    if hurries:
        connection.cursor().execute(HURRY[connection.vendor])
    if start:
        start.wait()
    try:
        with without_enqueueing():
            play.play_move(game, seat=seat, move=legal, ply=game.ply, key=f"key-{number}", at=timezone.now())
    except (play.StaleMove, DatabaseError) as error:
        return type(error).__name__
    finally:
        connection.close()
    return "played"


def at_once(game: Game) -> Counter[str]:
    start = Barrier(AT_ONCE)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return Counter(pool.map(lambda number: move(game, number, start=start), range(AT_ONCE)))


if __name__ == "__main__":
    with without_enqueueing():
        games = [make_game(make_player(f"alice{table}"), make_player(f"bob{table}")) for table in range(2)]
    with ThreadPoolExecutor(1) as pool:
        with locked(games[0]):
            print(pool.submit(move, games[0], hurries=True).result())
        print(pool.submit(move, games[0]).result())
    for came_of_it, count in sorted(at_once(games[1]).items()):
        print(count, came_of_it)
