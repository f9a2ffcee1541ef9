"""What is owed to whom when a turn begins, a game starts or a game ends: mails, and a knock for computer players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from games.knock import knock
from games.mail import owe
from games.models import Game, Notice, Seat

BOT_TASK = "games.tasks.play_bot_turn"


def announce_start(game: Game, seats: Sequence[Seat], *, at: datetime) -> None:
    """Tell everybody that the game has started; whoever begins learns it with the call to move."""
    others = [seat for seat in seats if seat.number != game.to_move]
    _owe_people(others, Notice.Kind.STARTED, game, at=at)
    announce_turn(game, seats, at=at)


def announce_turn(game: Game, seats: Sequence[Seat], *, at: datetime) -> None:
    """Call who is to move: a person by mail, a computer player by a knock."""
    seat = next(seat for seat in seats if seat.number == game.to_move)
    if seat.is_bot:
        knock(BOT_TASK, game.pk)
    else:
        _owe_people([seat], Notice.Kind.TURN, game, at=at)


def announce_end(game: Game, seats: Sequence[Seat], *, at: datetime) -> None:
    """Tell everybody who sat at the table that the game is over."""
    _owe_people(seats, Notice.Kind.FINISHED, game, at=at)


def _owe_people(seats: Iterable[Seat], kind: Notice.Kind, game: Game, *, at: datetime) -> None:
    owe([seat for seat in seats if seat.player_id], kind=kind, ply=game.ply, at=at)
