"""What small boards cost on the first page: 30 tables with their boards beside the same 30 without, in one run.

    python -m bench home

The two kinds take turns, so a busy machine slows both. "First" is with no row in the cache of rows, "again" with all of
them. The boards themselves are pictures that a browser asks for once; they are no part of this.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from statistics import median
from typing import TYPE_CHECKING, Any

from bench._here import new_site

if TYPE_CHECKING:
    from django.test import Client

PAGES = 150
"""So many of each kind count."""
MOST = 1.3
"""How many times a page with small boards may cost what one without costs."""
RUNNING, OPEN, FINISHED = 12, 1, 5
"""Tables that wait for the reader, and as many that wait for others; tables that they can join; their last games."""
ROW = "games/_table_row.html"
BOARD = '<img class="table-board"'


@dataclass(frozen=True, slots=True)
class Kind:
    """How rows are rendered: by a template with or without the board, whose address is then not made either."""

    template: Any
    address: Any

    def use(self) -> None:
        """Render rows in this way from now on, none of which is cached."""
        from games.caching import cached

        rows: Any = import_module("games.pages.lists.rows")
        rows.render_to_string = lambda _name, about: self.template.render(about)
        rows.small_board_url = self.address
        rows.table_row = cached(most=2048)(rows.table_row.__wrapped__)


def main() -> None:
    with new_site():
        sys.exit(0 if _measure() else 1)


def _measure() -> bool:
    from django.conf import settings
    from django.test import Client

    from bench._scene import set_scene

    scene = set_scene()
    _seat_at_tables([scene.alice, scene.bob, scene.carol])
    client = Client(HTTP_HOST=settings.ALLOWED_HOSTS[0])
    client.force_login(scene.alice)
    with_boards, without = _kinds()
    queries = [_queries(client, kind, boards=boards) for kind, boards in ((without, 0), (with_boards, _tables()))]
    print(f"queries: {queries[0]} without, {queries[1]} with {_tables()} small boards")
    good = [
        _report(name, *zip(*_costs(client, without, with_boards, again=name == "again"), strict=True))
        for name in ("first", "again")
    ]
    return all(good) and queries[0] == queries[1]


def _tables() -> int:
    return 2 * RUNNING + OPEN + FINISHED


def _seat_at_tables(players: list[Any]) -> None:
    """Let the first player have so many tables of each kind; the archive has games of theirs already."""
    from bench._scene import AT, _table
    from games import play
    from games.enqueue import without_enqueueing
    from games.models import Game

    reader, rng = players[0], random.Random(6)
    with without_enqueueing():
        for _number in range(OPEN):
            play.open_table(players[1], name="Open", size=3, at=AT)
        awaited, others = Game.objects.awaiting(reader), Game.objects.unfinished_of(reader).exclude(awaited=reader)
        while awaited.count() < RUNNING or others.count() < RUNNING:
            _table(players, rng)


def _kinds() -> tuple[Kind, Kind]:
    """Rows with boards, as they are, and without."""
    from django.template import engines
    from django.template.loader import get_template

    from games.pages.lists.small_board import small_board_url

    row: Any = get_template(ROW)
    source: str = row.template.source
    board, _rest = source.partition(BOARD)[2].split("\n", 1)
    plain = source.replace(BOARD + board, "")
    engine = engines["django"]
    return Kind(engine.from_string(source), small_board_url), Kind(engine.from_string(plain), lambda _table: "")


def _queries(client: Client, kind: Kind, *, boards: int) -> int:
    """The queries of the page, which shows so many boards."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    kind.use()
    client.get("/")
    with CaptureQueriesContext(connection) as found:
        shown = client.get("/").content.decode()
    assert (shown.count('class="table-row'), shown.count(BOARD)) == (_tables(), boards)
    return len(found)


def _costs(client: Client, *kinds: Kind, again: bool) -> Iterator[list[float]]:
    """The CPU time of a page of each kind in turn, in milliseconds; `again` with its rows in the cache."""
    for _number in range(PAGES):
        spent = []
        for kind in kinds:
            kind.use()
            if again:
                client.get("/")
            begun = time.process_time()
            client.get("/")
            spent.append(1000 * (time.process_time() - begun))
        yield spent


def _report(name: str, without: tuple[float, ...], with_boards: tuple[float, ...]) -> bool:
    """Whether the ratio is within its bound; prints it."""
    plain, drawn = median(without), median(with_boards)
    ratio = drawn / plain
    print(f"{name}: {plain:.1f} ms without, {drawn:.1f} with small boards: {ratio:.2f}, at most {MOST}")
    return ratio <= MOST


if __name__ == "__main__":
    main()
