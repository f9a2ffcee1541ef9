"""The one door for every move, and the ways a game ends without one (design 2.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from games import rules
from games.knock import knock
from games.models import AUTOPILOT_AFTER, Game, MailMode, Move, Player, Seat
from games.play.announce import BOT_TASK, announce_autopilot, announce_end, announce_turn
from games.play.clock import CLOCK_FIELDS, STOP_FIELDS, stand_still, stop, wind_up
from games.play.errors import (
    AbandonedAlready,
    GameNotRunning,
    NoSuchSeat,
    NotYourTurn,
    ResignedAlready,
    StaleMove,
)
from games.play.lock import locked
from games.prepared import fetch


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a move: the step, and whether it had been played before under the same key."""

    step: rules.Step
    again: bool = False


def play_move(
    game: Game,
    *,
    seat: Seat,
    move: rules.Move | str,
    ply: int,
    key: str,
    at: datetime,
    edition: int | None = None,
    autopilot: bool = False,
) -> Played:
    """Play `move` for `seat`, made for a game of `ply` moves, whoever asks: page, mail, bot or sweep.

    A form says which `edition` it was made for: since a move was withdrawn, the same ply is another position. The
    `autopilot` moves for a player whose time has run out at `at`; until it has, the player still may: whoever comes
    through the door first has moved.

    The same `key` from the same seat again gets the first answer again. Raises rules.InvalidMove and
    rules.IllegalMove, GameNotRunning, StaleMove, NotYourTurn, Game.DoesNotExist; nothing is applied then.
    Costs about 8 queries in one transaction.
    """
    with locked(game) as game:
        played = _played_before(game, seat, key)
        if played is not None:
            return played
        _check_turn(game, seat, ply, edition)
        step = rules.play(game.position(), rules.Move.parse(move) if isinstance(move, str) else move)
        _append(game, seat, step, key=key, at=at, autopilot=autopilot)
        return Played(step)


def resign(game: Game, *, player: Player, at: datetime) -> None:
    """A computer player takes over the seat of `player` for the rest. Raises GameNotRunning, NoSuchSeat,
    ResignedAlready."""
    with locked(game) as game:
        if game.seats.filter(player=player, resigned_at__isnull=False).exists():
            raise ResignedAlready
        seat = seat_of(game, player)
        seat.is_bot, seat.resigned_at, seat.agrees_to_abandon = True, at, False
        seat.save(update_fields=("is_bot", "resigned_at", "agrees_to_abandon"))
        if game.to_move == seat.number:
            game.awaited = None
            stand_still(game)
            game.save(update_fields=CLOCK_FIELDS)
            knock(BOT_TASK, game.pk)
        seats = seats_of(game)
        if _is_left(seats) or _agree(seats):
            finish(game, seats, game.position(), end=Game.End.ABANDONED, at=at)


def is_last(game: Game, *, player: Player) -> bool:
    """Whether a running game ends when `player` resigns: then nobody of flesh is left who would play on."""
    others = [seat for seat in seats_of(game) if seat.player != player]
    return all(seat.is_automatic or seat.agrees_to_abandon for seat in others)


def agree_to_abandon(game: Game, *, player: Player, agrees: bool, at: datetime) -> None:
    """Say or take back that the game may be abandoned; it is, once every person at the table agrees.

    The cards are then shown and nobody wins. Raises GameNotRunning, NoSuchSeat, AbandonedAlready.
    """
    with locked(game) as game:
        if agrees and game.end == Game.End.ABANDONED and game.seats.filter(player=player).exists():
            raise AbandonedAlready
        seat = seat_of(game, player)
        seat.agrees_to_abandon = agrees
        seat.save(update_fields=("agrees_to_abandon",))
        seats = seats_of(game)
        if _agree(seats):
            finish(game, seats, game.position(), end=Game.End.ABANDONED, at=at)


def _played_before(game: Game, seat: Seat, key: str) -> Played | None:
    if seat.number is None:
        raise GameNotRunning
    ply = dict(fetch(_sent_by, game.pk, key)).get(seat.number)
    return None if ply is None else Played(game.steps()[ply], again=True)


def _sent_by(game: int, key: str) -> QuerySet[Move, tuple[int, int]]:
    """The seats that have sent a move with `key`, and its ply."""
    return Move.objects.filter(game=game, key=key).values_list("seat", "ply")


def _check_turn(game: Game, seat: Seat, ply: int, edition: int | None) -> None:
    if game.status != Game.Status.RUNNING:
        raise GameNotRunning
    if ply != game.ply or edition not in (None, game.edition):
        raise StaleMove
    if seat.number != game.to_move:
        raise NotYourTurn


def _append(game: Game, seat: Seat, step: rules.Step, *, key: str, at: datetime, autopilot: bool) -> None:
    """Write the move and whatever follows from it."""
    seats = seats_of(game)
    mover = seats[step.seat]
    if mover.is_bot != seat.is_bot or (autopilot and not _is_for_autopilot(game, mover, at=at)):
        # Resigned, or moved at last, while the move was on its way.
        raise NotYourTurn
    Move.objects.create(
        game=game,
        ply=step.ply,
        seat=step.seat,
        text=str(step.move),
        by_bot=mover.is_bot or autopilot,
        by_autopilot=autopilot,
        key=key,
        at=at,
    )
    _end_turn(game, mover, at=at, autopilot=autopilot)
    game.ply = step.position.ply
    if step.position.over:
        finish(game, seats, step.position, end=step.position.end, at=at)
    elif _is_left(seats):
        finish(game, seats, step.position, end=Game.End.ABANDONED, at=at)
    else:
        wind_up(game, seats[step.position.to_move], at=at)
        game.save(update_fields=("ply", *CLOCK_FIELDS))
        announce_turn(game, seats, at=at)
    # Later ones are no news: the seat is the autopilot's.
    if autopilot and mover.autopiloted <= AUTOPILOT_AFTER and game.status == Game.Status.RUNNING:
        announce_autopilot(game, mover, at=at)


def _is_for_autopilot(game: Game, mover: Seat, *, at: datetime) -> bool:
    """Whether the time of `mover` has run out, or the seat is the autopilot's."""
    return mover.is_automatic or (game.due_at is not None and game.due_at <= at)


def _end_turn(game: Game, mover: Seat, *, at: datetime, autopilot: bool) -> None:
    """Stop the clock of who has moved; who moves is at the site."""
    before = [getattr(mover, field) for field in STOP_FIELDS]
    stop(game, mover, at=at)
    mover.autopiloted = mover.autopiloted + 1 if autopilot else 0
    if before != [getattr(mover, field) for field in STOP_FIELDS]:
        mover.save(update_fields=STOP_FIELDS)
    if not autopilot and mover.player is not None and MailMode.ONCE in (mover.player.mail_mode, mover.mail_mode):
        Player.objects.filter(pk=mover.player.pk).update(visited_at=at)


def finish(game: Game, seats: list[Seat], position: rules.Position, *, end: str, at: datetime) -> None:
    """Close the game with its result columns; from now on the cards and the seed are shown (rules 7.3)."""
    for seat, standing in zip(seats, rules.standings(position, [seat.clan for seat in seats]), strict=True):
        seat.chips, seat.total = standing.chips, standing.total
        seat.rank = None if end == Game.End.ABANDONED else standing.rank
        seat.ended_at = at
    Seat.objects.bulk_update(seats, ("chips", "total", "rank", "ended_at"))
    game.status, game.end, game.ended_at = Game.Status.FINISHED, end, at
    game.to_move = game.awaited = game.turn_since = None
    stand_still(game)
    game.save()
    announce_end(game, seats, at=at)


def seat_of(game: Game, player: Player) -> Seat:
    """The seat that `player` still plays in the running `game`."""
    if game.status != Game.Status.RUNNING:
        raise GameNotRunning
    seat = game.seats.filter(player=player, is_bot=False).first()
    if seat is None:
        raise NoSuchSeat
    return seat


def seats_of(game: Game) -> list[Seat]:
    """The seats of a game that has started in the order of play, with their players."""
    return fetch(_in_order, game.pk)


def _in_order(game: int) -> QuerySet[Seat]:
    return Seat.objects.filter(game=game).order_by("number").select_related("player")


def _agree(seats: Sequence[Seat]) -> bool:
    """Whether every person at the table agrees to abandon the game; who has left it to the autopilot is not there."""
    people = [seat for seat in seats if not seat.is_automatic]
    return bool(people) and all(seat.agrees_to_abandon for seat in people)


def _is_left(seats: Sequence[Seat]) -> bool:
    """Whether nobody of flesh is left at the table."""
    return all(seat.is_automatic for seat in seats)
