"""What a player's page adds up: brought up to date when a game starts and ends, and counted again from the log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from django.apps import apps
from django.db import connection, transaction
from django.db.models import F

from games.models import (
    AnswerTimes,
    FormerHolder,
    Game,
    Meeting,
    Seat,
    Tally,
    Totals,
    add_counts,
    count_totals,
    write_totals,
)


def note_meetings(seats: Iterable[Seat]) -> None:
    """Note that the players of these seats have met, at a table that starts. One query."""
    players = sorted(seat.player_id for seat in seats if seat.player_id)
    meetings = [Meeting(first_id=one, second_id=other) for one, other in combinations(players, 2)]
    Meeting.objects.bulk_create(meetings, ignore_conflicts=True)


def add_to_totals(game: Game, seats: Sequence[Seat]) -> None:
    """Add a game that has just ended, in its transaction. Some 8 queries for two players, 17 for four.

    Rows are locked in one order: tallies, then answer times, then meetings, each by the keys of their players. So
    games that end at the same time wait for each other and are not caught in a deadlock.
    """
    totals = Totals()
    has_takeovers = any(seat.taken_over_at for seat in seats)
    former = FormerHolder.objects.filter(seat__game=game) if has_takeovers else ()
    totals.add(game, seats, game.moves.all() if game.is_public and game.is_listed else (), former=former)
    _add_tallies(totals)
    _add_answers(totals)
    for (first, second), sums in sorted(totals.meetings.items()):
        if sums:
            more = {name: F(name) + count for name, count in sums.items()}
            Meeting.objects.filter(first=first, second=second).update(**more)


def _add_tallies(totals: Totals) -> None:
    names = ("player_id", "size", "with_computers", "pace")
    rows = [(dict(zip(names, key, strict=True)), sums) for key, sums in sorted(totals.tallies.items())]
    Tally.objects.bulk_create([Tally(**key) for key, _sums in rows], ignore_conflicts=True)
    for key, sums in rows:
        Tally.objects.filter(**key).update(**{name: F(name) + count for name, count in sums.items()})


def _add_answers(totals: Totals) -> None:
    players = sorted(totals.answers)
    AnswerTimes.objects.bulk_create([AnswerTimes(player_id=player) for player in players], ignore_conflicts=True)
    rows = list(AnswerTimes.objects.select_for_update().filter(player__in=players).order_by("player"))
    for row in rows:
        row.counts = add_counts(row.counts, totals.answers[row.player_id])
    AnswerTimes.objects.bulk_update(rows, ("counts",))


def recount_totals() -> int:
    """Compute all totals again from the log; returns of how many games. Games that end meanwhile wait for it."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("LOCK TABLE games_tally, games_answertimes, games_meeting IN EXCLUSIVE MODE")
        totals = count_totals(of=apps)
        write_totals(totals, into=apps)
    return Game.objects.filter(status__in=(Game.Status.RUNNING, Game.Status.FINISHED)).count()
