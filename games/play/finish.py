"""The end of a game: every game that ends, played or abandoned, comes through `finish_game`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from games import rules
from games.enqueue import enqueue
from games.models import Game, SeasonTable, Seat, note_positions, set_result
from games.play.announce import announce_end
from games.play.deadlines import clear_clock
from games.play.ratings import rate_game
from games.play.series import go_on_with_series
from games.play.totals import add_to_totals

SEASON_TASK = "games.tasks.advance_season"
MOVES_TO_BE_LISTED = 8
"""If one person has made so many moves, the archive lists the game although it was given up."""


def finish_game(game: Game, seats: list[Seat], position: rules.Position, *, end: str, at: datetime) -> None:
    """End the running `game` with `position` and write its result; from then on the cards and the seed are shown (rules
    7.3). `end` is one of `Game.End`; `seats` are all seats in the order of play, with their players.

    Call it once, inside `locked`: it runs in the transaction of the move, the resignation or the sweep that ends the
    game. What shall follow each finished game is called from here; what takes longer than a query is enqueued.
    """
    for seat, standing in zip(seats, rules.standings(position, [seat.clan for seat in seats]), strict=True):
        seat.chips, seat.total = standing.chips, standing.total
        seat.rank = None if end == Game.End.ABANDONED else standing.rank
        seat.ended_at = at
    Seat.objects.bulk_update(seats, ("chips", "total", "rank", "ended_at"))
    game.status, game.end, game.ended_at = Game.Status.FINISHED, end, at
    game.to_move = game.awaited = game.turn_since = None
    game.is_listed = not _is_given_up(game, seats)
    set_result(game, seats)
    clear_clock(game)
    rate_game(game, seats, at=at)
    game.save()
    note_positions(game)
    add_to_totals(game, seats)
    go_on_with_series(game)
    _go_on_with_season(game)
    announce_end(game, seats, at=at)


def _go_on_with_season(game: Game) -> None:
    """Ask the worker to advance the season that `game` belongs to, if there is one; the sweep looks for it, too."""
    for season in SeasonTable.objects.filter(game=game).values_list("round__season", flat=True):
        enqueue(SEASON_TASK, season)


def _is_given_up(game: Game, seats: Sequence[Seat]) -> bool:
    """Whether a game that ends was resigned, or abandoned by the one person at it, before anybody's eighth move."""
    people = [seat for seat in seats if seat.player_id is not None]
    if game.end != Game.End.ABANDONED or (len(people) > 1 and not any(seat.resigned_at for seat in people)):
        return False
    moves = Counter(game.moves.filter(by_bot=False).values_list("seat", flat=True))
    return max(moves.values(), default=0) < MOVES_TO_BE_LISTED
