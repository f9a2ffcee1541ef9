"""The turns of computer players: the same door as for everybody, the same knowledge as their seat."""

from __future__ import annotations

import random
from datetime import datetime

from games import bots
from games.models import Game, Seat
from games.play.errors import GameNotRunning, NotYourTurn, StaleMove
from games.play.turns import Played, play_move


def bots_to_move() -> list[int]:
    """Keys of the running games in which a computer player is to move, longest waiting first: one query."""
    waiting = Game.objects.filter(status=Game.Status.RUNNING, awaited__isnull=True).order_by("turn_since")
    return list(waiting.values_list("pk", flat=True))


def play_bot_turn(game_pk: int, *, at: datetime) -> Played | None:
    """Let the computer player move that is to move in the game, be it the autopilot of a player whose time has run out;
    None if there is none.

    It thinks outside the transaction, so it blocks nobody; when two think at once, one of
    them plays. Among equal moves it draws unseen, so that nobody can replay its thoughts for each card.
    Its choice depends on the position and its own card alone. Costs about 0.1 s of CPU. Raises Game.DoesNotExist.
    """
    game = Game.objects.get(pk=game_pk)
    seat = Seat.objects.filter(game=game, number=game.to_move).first()
    if game.status != Game.Status.RUNNING or seat is None or seat.number is None:
        return None
    is_late = game.due_at is not None and game.due_at <= at and game.overdue == Game.Overdue.AUTOPILOT
    if not (seat.is_automatic or is_late):
        return None
    position = game.position()
    if position.over or position.ply != game.ply:
        # Another has moved since the game was read.
        return None
    move = bots.choose_move(position, seat=seat.number, clan=seat.clan, rng=random.SystemRandom())
    try:
        return play_move(
            game,
            seat=seat,
            move=move,
            ply=game.ply,
            key=f"bot-{game.edition}-{game.ply}",
            at=at,
            edition=game.edition,
            autopilot=not seat.is_bot,
        )
    except (StaleMove, NotYourTurn, GameNotRunning):
        return None
