"""Games that are over as lines of JSON, without a query for each (docs/records.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from django.db.models import QuerySet

from games import rules
from games.models import ARCHIVED, FormerHolder, Game, Move, by_game
from games.pov.looking import read_deal, read_imported, seats_with_players
from games.pov.one_record import tell_takeovers, write_game

AT_A_TIME: Final = 200


def archived_games() -> QuerySet[Game]:
    """What the archive lists, oldest first: public games that are over, but for those that were given up at once."""
    return Game.objects.filter(ARCHIVED).order_by("ended_at", "pk")


def finished_games() -> QuerySet[Game]:
    """All games that are over, oldest first, those by link among them."""
    return Game.objects.finished().order_by("ended_at", "pk")


def write_records(games: QuerySet[Game]) -> Iterator[str]:
    """A line of JSON without its end for each of these games, which are over. At most 3 queries for 200 games, however
    many there are, and memory for as many."""
    rows = games.select_related("deal", "imported").iterator(chunk_size=AT_A_TIME)
    while some := list(islice(rows, AT_A_TIME)):
        yield from map(json.dumps, _records_of(some))


def _records_of(games: list[Game]) -> Iterator[dict[str, Any]]:
    keys = [game.pk for game in games]
    seats = by_game((seat.game_id, seat) for seat in seats_with_players().filter(game__in=keys).order_by("number"))
    log = Move.objects.filter(game__in=keys).order_by("game", "ply").values_list("game_id", "text", "at")
    moves = by_game((game, (text, at)) for game, text, at in log)
    taken = [seat.pk for game in games for seat in seats[game.pk] if seat.taken_over_at]
    held = FormerHolder.objects.filter(seat__in=taken).order_by("pk")
    former = by_game((holder.seat_id, holder) for holder in held)
    for game in games:
        opening = game.opening()
        board = opening.ruleset.board
        yield write_game(
            game,
            opening=opening,
            steps=rules.fold(opening, [rules.Move.parse(text, board) for text, _at in moves[game.pk]]),
            times=[at for _text, at in moves[game.pk]],
            players=[(seat.name_in_deal, seat.clan) for seat in seats[game.pk]],
            deal=read_deal(game, seats[game.pk]),
            takeovers=[
                taken
                for seat in seats[game.pk]
                for taken in tell_takeovers(seat.number or 0, former[seat.pk], seat.name)
            ],
            extra=read_imported(game) if game.is_imported else None,
        )
