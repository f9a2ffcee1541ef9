"""The turns of computer players: they move by `play_move` like everybody, and know only what their seat may know."""

from __future__ import annotations

import random
from datetime import datetime

from games import bots
from games.models import Game, Seat
from games.play.turns import Played, play_move
from games.rules import CLANS, Move, Position
from games.words.refusals import GameNotRunning, NotYourTurn, StaleMove


def bots_to_move() -> list[int]:
    """Keys of the running games in which a computer player is to move, longest waiting first: one query."""
    waiting = Game.objects.filter(status=Game.Status.RUNNING, awaited__isnull=True).order_by("turn_since")
    return list(waiting.values_list("pk", flat=True))


def play_bot_turn(game_pk: int, *, at: datetime) -> Played | None:
    """Play the turn of a computer player, or of the autopilot for a player whose time has run out; None when neither is
    to move.

    The move is chosen outside the transaction, so nobody waits for it; when two processes choose at once, one of them
    plays. The choice is random and not reproducible. Otherwise others could repeat it for each card and so find out the
    card. Costs 3 to 5 ms of CPU, at most 0.1 s. Raises Game.DoesNotExist.
    """
    game = Game.objects.get(pk=game_pk)
    seat = Seat.objects.filter(game=game, number=game.to_move).first()
    if not game.is_running or seat is None or seat.number is None:
        return None
    is_late = game.due_at is not None and game.due_at <= at and game.overdue == Game.Overdue.AUTOPILOT
    if not (seat.is_automatic or is_late):
        return None
    position = game.position()
    if position.over or position.ply != game.ply:
        # Somebody has moved since the game was read.
        return None
    move = choose_for(seat, position, rng=random.SystemRandom())
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


def choose_for(seat: Seat, position: Position, *, rng: random.Random) -> Move:
    """The move of the computer player that moves for `seat`, whose turn it is.

    In a seat of its own it plays for its card, so that its moves hint at that. For a person who has resigned or is late
    it plays each move for a clan drawn by lot: their card stays out of it. Costs what `bots.choose_move` costs.
    """
    clan = seat.clan if seat.player_id is None else rng.choice(CLANS)
    return bots.choose_move(position, seat=position.to_move, clan=clan, rng=rng)
