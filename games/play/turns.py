"""The one door for every move, and the ways a game ends without one (design 2.4)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from games import rules
from games.knock import knock
from games.models import Game, Move, Player, Seat
from games.play.announce import BOT_TASK, announce_end, announce_turn
from games.play.errors import GameNotRunning, NoSuchSeat, NotYourTurn, StaleMove
from games.play.lock import locked


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a move: the step, and whether it had been played before under the same key."""

    step: rules.Step
    again: bool = False


def play_move(game: Game, *, seat: Seat, move: rules.Move | str, ply: int, key: str, at: datetime) -> Played:
    """Play `move` for `seat`, made for a game of `ply` moves, whoever asks: page, mail, bot or sweep.

    The same `key` from the same seat again gets the first answer again. Raises rules.InvalidMove and
    rules.IllegalMove, GameNotRunning, StaleMove, NotYourTurn, Game.DoesNotExist; nothing is applied then.
    Costs about 8 queries in one transaction.
    """
    with locked(game) as game:
        played = _played_before(game, seat, key)
        if played is not None:
            return played
        _check_turn(game, seat, ply)
        step = rules.play(game.position(), rules.Move.parse(move) if isinstance(move, str) else move)
        _append(game, seat, step, key=key, at=at)
        return Played(step)


def resign(game: Game, *, player: Player, at: datetime) -> None:
    """A computer player takes over the seat of `player` for the rest. Raises GameNotRunning, NoSuchSeat."""
    with locked(game) as game:
        seat = _seat_of(game, player)
        seat.is_bot, seat.resigned_at, seat.agrees_to_abandon = True, at, False
        seat.save(update_fields=("is_bot", "resigned_at", "agrees_to_abandon"))
        if game.to_move == seat.number:
            game.awaited = None
            game.save(update_fields=("awaited",))
            knock(BOT_TASK, game.pk)
        _abandon_if_all_agree(game, at=at)


def agree_to_abandon(game: Game, *, player: Player, agrees: bool, at: datetime) -> None:
    """Say or take back that the game may be abandoned; it is, once every person at the table agrees.

    The cards are then shown and nobody wins. Raises GameNotRunning, NoSuchSeat.
    """
    with locked(game) as game:
        seat = _seat_of(game, player)
        seat.agrees_to_abandon = agrees
        seat.save(update_fields=("agrees_to_abandon",))
        _abandon_if_all_agree(game, at=at)


def _played_before(game: Game, seat: Seat, key: str) -> Played | None:
    if seat.number is None:
        raise GameNotRunning
    ply = Move.objects.filter(game=game, seat=seat.number, key=key).values_list("ply", flat=True).first()
    return None if ply is None else Played(game.steps()[ply], again=True)


def _check_turn(game: Game, seat: Seat, ply: int) -> None:
    if game.status != Game.Status.RUNNING:
        raise GameNotRunning
    if ply != game.ply:
        raise StaleMove
    if seat.number != game.to_move:
        raise NotYourTurn


def _append(game: Game, seat: Seat, step: rules.Step, *, key: str, at: datetime) -> None:
    """Write the move and whatever follows from it."""
    seats = list(game.seats.order_by("number").select_related("player"))
    mover = seats[step.seat]
    if mover.is_bot != seat.is_bot:
        # Resigned while the move was on its way.
        raise NotYourTurn
    Move.objects.create(
        game=game, ply=step.ply, seat=step.seat, text=str(step.move), by_bot=mover.is_bot, key=key, at=at
    )
    game.ply = step.position.ply
    if step.position.over:
        _finish(game, seats, step.position, end=step.position.end, at=at)
    else:
        game.to_move, game.turn_since = step.position.to_move, at
        following = seats[step.position.to_move]
        game.awaited = None if following.is_bot else following.player
        game.save(update_fields=("ply", "to_move", "awaited", "turn_since"))
        announce_turn(game, seats, at=at)


def _finish(game: Game, seats: list[Seat], position: rules.Position, *, end: str, at: datetime) -> None:
    """Close the game with its result columns; from now on the cards and the seed are shown (rules 7.3)."""
    for seat, standing in zip(seats, rules.standings(position, [seat.clan for seat in seats]), strict=True):
        seat.chips, seat.total = standing.chips, standing.total
        seat.rank = None if end == Game.End.ABANDONED else standing.rank
    Seat.objects.bulk_update(seats, ("chips", "total", "rank"))
    game.status, game.end, game.ended_at = Game.Status.FINISHED, end, at
    game.to_move = game.awaited = game.turn_since = None
    game.save()
    announce_end(game, seats, at=at)


def _seat_of(game: Game, player: Player) -> Seat:
    """The seat that `player` still plays in the running `game`."""
    if game.status != Game.Status.RUNNING:
        raise GameNotRunning
    seat = game.seats.filter(player=player, is_bot=False).first()
    if seat is None:
        raise NoSuchSeat
    return seat


def _abandon_if_all_agree(game: Game, *, at: datetime) -> None:
    seats = list(game.seats.order_by("number").select_related("player"))
    people = [seat for seat in seats if not seat.is_bot]
    if people and all(seat.agrees_to_abandon for seat in people):
        _finish(game, seats, game.position(), end=Game.End.ABANDONED, at=at)
