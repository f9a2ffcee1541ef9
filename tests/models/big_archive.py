"""Run as a program: makes a site of its own in a folder, on SQLite or at the address of a PostgreSQL, searches its
archive of 3,000 games, and prints what it has found, and how."""

from __future__ import annotations

import json
import sys
from typing import Any

from bench._here import set_up_site

GAMES = 3000
SEARCHES = (
    "title=nowhere",
    "title=nowhere&order=longest",
    "title=nowhere&order=closest",
    "title=nowhere&order=points",
    "title=BENCH+3160&order=closest",
    "title=bench&order=closest",
    "title=bench&size=2&order=longest",
    "title=bench&clan=red",
    "player=computer+1",
    "player=computer+1&order=points",
    "player=computer+1&title=9&order=closest",
)


def make_archive() -> None:
    """Nearly all games are over, as where many were imported. Each has a title of its own, and a computer player sat at
    one in three."""
    from django.db.models import F, TextField, Value
    from django.db.models.functions import Cast, Concat
    from django.utils import timezone

    from bench import _big_site
    from games.models import Game, Seat

    _big_site.KINDS |= {"running": "i % 100 < 5", "finished": "(i % 100 BETWEEN 5 AND 39 OR i % 100 > 45)"}
    at = timezone.now()
    _big_site.grow(_big_site.begin_site(at=at), GAMES, at=at)
    games = Game.objects.filter(status=Game.Status.FINISHED)
    title = Concat(Value("Bench "), Cast("pk", TextField()))
    games.update(name=title, margin=F("pk") % 40, winning_total=F("pk") % 50 + 20, winning_clans="r")
    seats = Seat.objects.filter(ended_at__isnull=False, joined=1).annotate(third=F("game") % 3)
    seats.filter(third=0).update(player=None, is_bot=True, name="computer 1")


def search(query: str) -> dict[str, Any]:
    """The titles of the first games, how many there are, and PostgreSQL's plans of the queries that look for them."""
    from django.db import connection
    from django.http import QueryDict

    from bench.grows import recorded
    from games.pages.lists.paging import count_found, page_in
    from games.pages.lists.search import SearchForm, find_games

    form = SearchForm(QueryDict(query))
    assert form.is_valid()
    games = find_games(form.cleaned_data, viewer=None, mine=False)
    with recorded() as queries:
        page = page_in(games, size=20)
        count = count_found(games, page)
    plans = [plan_of(*each) for each in queries] if connection.vendor == "postgresql" else []
    return {"titles": [row.name for row in page.rows], "count": count, "plans": plans}


def plan_of(sql: str, values: Any) -> str:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {sql}", values)
        return "\n".join(step for (step,) in cursor.fetchall())


def main(folder: str, url: str = "") -> None:
    set_up_site(folder, url)
    from django.db import connection

    make_archive()
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM FULL")
            cursor.execute("VACUUM ANALYZE")
    json.dump({query: search(query) for query in SEARCHES}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
