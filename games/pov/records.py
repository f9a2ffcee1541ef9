"""Games that are over as lines of JSON, without a query for each (docs/records.md)."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, Final, NamedTuple

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import QuerySet

from games import rules
from games.models import ARCHIVED, FormerHolder, Game, Move, Seat, by_game
from games.pov.looking import read_deal, read_imported, seats_with_players
from games.pov.one_record import tell_takeovers, write_game

logger = logging.getLogger(__name__)

AT_A_TIME: Final = 200


class WrittenRecord(NamedTuple):
    """A game by its address, and its record as a line of JSON without its end; None where its rows cannot be read, as
    after a move was changed in the database."""

    slug: str
    line: str | None


def archived_games() -> QuerySet[Game]:
    """What the archive lists, oldest first: public games that are over, but for those that were given up at once."""
    return Game.objects.filter(ARCHIVED).order_by("ended_at", "pk")


def finished_games() -> QuerySet[Game]:
    """All games that are over, oldest first, those by link among them."""
    return Game.objects.finished().order_by("ended_at", "pk")


def write_records(games: QuerySet[Game]) -> Iterator[WrittenRecord]:
    """The records of these games, which are over. At most 3 queries for 200 games, however many there are, and memory
    for as many. A game that cannot be read is logged, and the others follow."""
    rows = games.select_related("deal", "imported").iterator(chunk_size=AT_A_TIME)
    while some := list(islice(rows, AT_A_TIME)):
        yield from _write_some(some)


def _write_some(games: list[Game]) -> Iterator[WrittenRecord]:
    keys = [game.pk for game in games]
    seats = by_game((seat.game_id, seat) for seat in seats_with_players().filter(game__in=keys).order_by("number"))
    log = Move.objects.filter(game__in=keys).order_by("game", "ply").values_list("game_id", "text", "at")
    moves = by_game((game, (text, at)) for game, text, at in log)
    taken = [seat.pk for game in games for seat in seats[game.pk] if seat.taken_over_at]
    held = FormerHolder.objects.filter(seat__in=taken).order_by("pk")
    former = by_game((holder.seat_id, holder) for holder in held)
    for game in games:
        try:
            line = json.dumps(_record_of(game, seats[game.pk], moves[game.pk], former))
        except (LookupError, TypeError, ValueError, ObjectDoesNotExist) as error:  # those of the rules are ValueErrors
            logger.error("the game %s cannot be read: %r", game.slug, error)
            yield WrittenRecord(game.slug, None)
        else:
            yield WrittenRecord(game.slug, line)


def _record_of(
    game: Game,
    seats: Sequence[Seat],
    moves: Sequence[tuple[str, datetime]],
    former: Mapping[int, Sequence[FormerHolder]],
) -> dict[str, Any]:
    opening = game.opening()
    board = opening.ruleset.board
    return write_game(
        game,
        opening=opening,
        steps=rules.fold(opening, [rules.Move.parse(text, board) for text, _at in moves]),
        times=[at for _text, at in moves],
        players=[(seat.name_in_deal, seat.clan) for seat in seats],
        deal=read_deal(game, seats),
        takeovers=[
            taken for seat in seats for taken in tell_takeovers(seat.number or 0, former.get(seat.pk, ()), seat.name)
        ],
        extra=read_imported(game) if game.is_imported else None,
    )
