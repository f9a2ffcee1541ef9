"""What talk costs: tables with 200 postcards beside tables without any, in one run.

    python -m bench talk

The tables take turns, so a busy machine slows both kinds. "First" is each table shown for the first time in its
process, "again" the same tables once more.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from datetime import timedelta
from statistics import median
from typing import TYPE_CHECKING

from bench._here import new_site

if TYPE_CHECKING:
    from bench._scene import Table

POSTCARDS = 200
TABLES = 60
"""So many of each kind count; two more of each fill the caches that all tables share."""
MOST = 1.15
"""How many times a table with talk may cost what one without costs."""
WORDS = (
    "Who builds in the steppe, of all places?",
    "Your turn, I think.",
    "Well played! See https://example.com/clans.",
)


def main() -> None:
    with new_site():
        sys.exit(0 if _measure() else 1)


def _measure() -> bool:
    from django.core.management import call_command

    from bench._scene import open_tables

    call_command("collectstatic", interactive=False, verbosity=0)
    tables = open_tables(2 * TABLES + 4)
    for table in tables[1::2]:
        _talk(table)
    good = [_report(name, _costs(tables)[4:]) for name in ("first", "again")]
    return all(good)


def _talk(table: Table) -> None:
    """Let the players have written, and read, so many postcards; no two tables have the same words."""
    from bench._scene import AT
    from games.models import Game, Postcard

    game, seats = table.game, list(table.game.seats.all())
    Postcard.objects.bulk_create(
        Postcard(
            game=game,
            seat=seats[number % len(seats)],
            number=number,
            ply=game.ply * number // POSTCARDS,
            text=f"{game.slug} {number}. {WORDS[number % len(WORDS)]}",
            at=AT + timedelta(seconds=number),
        )
        for number in range(1, POSTCARDS + 1)
    )
    Game.objects.filter(pk=game.pk).update(said=POSTCARDS)
    game.seats.update(heard=POSTCARDS)


def _costs(tables: Iterable[Table]) -> list[float]:
    """The CPU time of each table's page for who is to move, in milliseconds."""
    from django.conf import settings
    from django.test import Client

    spent, client = [], Client(HTTP_HOST=settings.ALLOWED_HOSTS[0])
    for table in tables:
        client.force_login(table.mover)
        begun = time.process_time()
        answer = client.get(table.game.get_absolute_url())
        spent.append(1000 * (time.process_time() - begun))
        assert answer.status_code == 200
    return spent


def _report(name: str, costs: list[float]) -> bool:
    """Whether the ratio is within its bound; prints it."""
    without, with_talk = median(costs[::2]), median(costs[1::2])
    ratio = with_talk / without
    print(f"{name}: {without:.1f} ms without, {with_talk:.1f} with {POSTCARDS} postcards: {ratio:.2f}, at most {MOST}")
    return ratio <= MOST


if __name__ == "__main__":
    main()
