"""Run as a program: eight workers open the next table of one series at once. Prints what came of each, and how many
tables there are then."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import django

django.setup()

from django.db import connection  # noqa: E402
from django.utils import timezone  # noqa: E402

from games import play  # noqa: E402
from games.enqueue import without_enqueueing  # noqa: E402
from games.models import Game  # noqa: E402
from tests.cast import AT, make_player, next_deal, play_random  # noqa: E402

AT_ONCE = 8


def finished() -> Game:
    """The first game of a series, played out."""
    game = play.open_table(make_player("alice"), name="Friday", size=2, games=3, fixed=next_deal(), at=AT)
    play.join_table(game, player=make_player("bob"), at=AT)
    return play_random(game)


def open_next(series: int, start: Barrier) -> str:
    start.wait()
    try:
        with without_enqueueing():
            return "opened" if play.open_next_table(series, at=timezone.now()) else "nothing to do"
    finally:
        connection.close()


if __name__ == "__main__":
    with without_enqueueing():
        over = finished()
    start = Barrier(AT_ONCE)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        came = Counter(pool.map(lambda _worker: open_next(over.series_id or 0, start), range(AT_ONCE)))
    for came_of_it, count in sorted(came.items()):
        print(count, came_of_it)
    print(over.followed_by.count(), "tables")
