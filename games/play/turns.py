"""Moves, which all come through `play_move` (design 2.1), resigning, and agreeing to abandon a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from games import rules
from games.caching import prepared
from games.enqueue import enqueue
from games.models import AUTOPILOT_AFTER, Event, Game, MailMode, Move, Player, Seat, hash_move
from games.play.announce import (
    BOT_TASK,
    announce_autopilot,
    announce_playing_on,
    announce_proposal,
    announce_resignation,
    announce_turn,
)
from games.play.deadlines import CLOCK_FIELDS, STOP_FIELDS, clear_clock, snapshot_turn, start_clock, stop_clock
from games.play.events import note_event
from games.play.finish import finish_game
from games.play.lock import locked
from games.play.talk import append_postcard, check_words
from games.words.refusals import (
    AbandonedAlready,
    GameNotRunning,
    NoSuchSeat,
    NotYourTurn,
    ResignedAlready,
    StaleMove,
)

REMOVED_FIELDS = ("ply", "edition", "last_hash")
"""The columns of a game that the removal of its last move changes."""


@dataclass(frozen=True, slots=True)
class Played:
    """The result of a move: the step, and whether the same key had played it before."""

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
    by_mail: bool = False,
    words: str = "",
) -> Played:
    """Play `move` for `seat` in a game of `ply` moves. Pages, computer players and the sweep all call this.

    A form says which `edition` it was made for: after a move was withdrawn, the same ply is another position. The
    `autopilot` moves for a player whose time has run out at `at`. Until it does, that player still may: the first to
    lock the game has moved. `words` are said with the move. After one that came `by_mail`, the next player
    is called later, so that it can be taken back by mail.

    The same `key` from the same seat gets the first answer again. Raises rules.InvalidMove and rules.IllegalMove,
    GameNotRunning, StaleMove, NotYourTurn, PostcardTooLong, Game.DoesNotExist; nothing is applied then. Costs about 8
    queries in one transaction.
    """
    if words:
        check_words(words)
    with locked(game) as game:
        played = _played_before(game, seat, key)
        if played is not None:
            return played
        _check_turn(game, seat, ply, edition)
        read = rules.Move.parse(move, game.ruleset.board) if isinstance(move, str) else move
        step = rules.play(game.position(), read)
        _append(game, seat, step, key=key, at=at, autopilot=autopilot, by_mail=by_mail)
        if words:
            append_postcard(game, seat, words, with_move=True, at=at)
        return Played(step)


def remove_last_move(game: Game) -> Move:
    """Remove the last move of the locked `game`, which its player withdraws. The game has a new edition, and the chain
    of hashes goes on from the move before. The caller saves `REMOVED_FIELDS` of the game."""
    last = game.moves.get(ply=game.ply - 1)
    last.delete()
    game.ply, game.edition, game.last_hash = game.ply - 1, game.edition + 1, last.previous_hash
    return last


def resign(game: Game, *, player: Player, at: datetime) -> None:
    """Give the seat of `player` to a computer player for the rest of the game. Raises GameNotRunning, NoSuchSeat,
    ResignedAlready."""
    with locked(game) as game:
        if game.seats.filter(player=player, resigned_at__isnull=False).exists():
            raise ResignedAlready
        seat = seat_of(game, player)
        seat.is_bot, seat.resigned_at, seat.agrees_to_abandon = True, at, False
        seat.save(update_fields=("is_bot", "resigned_at", "agrees_to_abandon"))
        if game.to_move == seat.number:
            game.awaited = None
            clear_clock(game)
            game.save(update_fields=CLOCK_FIELDS)
            enqueue(BOT_TASK, game.pk)
        elif game.ended_turn and game.ended_turn["seat"] == seat.number:
            # Whoever has resigned takes nothing back.
            game.ended_turn = None
            game.save(update_fields=("ended_turn",))
        note_event(game, seat, Event.Kind.RESIGNED, at=at)
        seats = seats_of(game)
        if _is_left(seats) or _agree(seats):
            finish_game(game, seats, game.position(), end=Game.End.ABANDONED, at=at)
        else:
            announce_resignation(game, seats, by=seat, at=at)


def is_last(game: Game, *, player: Player) -> bool:
    """Whether a running game ends when `player` resigns, because no other human player would play on."""
    others = [seat for seat in seats_of(game) if seat.player != player]
    return all(seat.is_automatic or seat.agrees_to_abandon for seat in others)


def agree_to_abandon(game: Game, *, player: Player, agrees: bool, at: datetime) -> None:
    """Agree, or agree no longer, that the game is abandoned. It is as soon as all human players agree.

    Then the cards are shown and nobody wins. The first to agree proposes it, and the others are told. Raises
    GameNotRunning, NoSuchSeat, AbandonedAlready.
    """
    with locked(game) as game:
        if agrees and game.end == Game.End.ABANDONED and game.seats.filter(player=player).exists():
            raise AbandonedAlready
        seat = seat_of(game, player)
        if seat.agrees_to_abandon == agrees:
            return
        seat.agrees_to_abandon = agrees
        seat.save(update_fields=("agrees_to_abandon",))
        seats = seats_of(game)
        _note_agreement(game, seat, seats, at=at)
        if _agree(seats):
            finish_game(game, seats, game.position(), end=Game.End.ABANDONED, at=at)


def _note_agreement(game: Game, seat: Seat, seats: Sequence[Seat], *, at: datetime) -> None:
    """Write into the history what the player of `seat` says now, and tell the others about a proposal and its end."""
    if not seat.agrees_to_abandon:
        note_event(game, seat, Event.Kind.PLAYS_ON, at=at)
        announce_playing_on(game, seats, by=seat, at=at)
    elif any(other.agrees_to_abandon for other in seats if other.pk != seat.pk):
        note_event(game, seat, Event.Kind.AGREED, at=at)
    else:
        note_event(game, seat, Event.Kind.PROPOSED, at=at)
        announce_proposal(game, seats, by=seat, at=at)


def _played_before(game: Game, seat: Seat, key: str) -> Played | None:
    if seat.number is None:
        raise GameNotRunning
    ply = dict(_sent_by(game.pk, key)).get(seat.number)
    return None if ply is None else Played(game.steps()[ply], again=True)


@prepared
def _sent_by(game: int, key: str) -> QuerySet[Move, tuple[int, int]]:
    """Who has sent a move with `key`, as seat and ply."""
    return Move.objects.filter(game=game, key=key).values_list("seat", "ply")


def _check_turn(game: Game, seat: Seat, ply: int, edition: int | None) -> None:
    if not game.is_running:
        raise GameNotRunning
    if ply != game.ply or edition not in (None, game.edition):
        raise StaleMove
    if seat.number != game.to_move:
        raise NotYourTurn


def _append(
    game: Game, seat: Seat, step: rules.Step, *, key: str, at: datetime, autopilot: bool, by_mail: bool
) -> None:
    """Write the move, then end the game or begin the next turn."""
    seats = seats_of(game)
    mover = seats[step.seat]
    if (mover.is_bot, mover.player_id) != (seat.is_bot, seat.player_id) or (
        autopilot and not _is_for_autopilot(game, mover, at=at)
    ):
        # The player has resigned, moved after all, or lost the seat to somebody else, while this move was on its way.
        raise NotYourTurn
    move = Move.objects.create(
        game=game,
        ply=step.ply,
        seat=step.seat,
        text=str(step.move),
        by_bot=mover.is_bot or autopilot,
        by_autopilot=autopilot,
        previous_hash=game.last_hash,
        key=key,
        at=at,
    )
    if game.last_hash is not None:
        game.last_hash = hash_move(game.last_hash, move, edition=game.edition)
    game.ended_turn = None if mover.is_bot or autopilot else snapshot_turn(game, mover, at=at, by_mail=by_mail)
    _end_turn(game, mover, at=at, autopilot=autopilot)
    game.ply = step.position.ply
    if step.position.over:
        finish_game(game, seats, step.position, end=step.position.end, at=at)
    elif _is_left(seats):
        finish_game(game, seats, step.position, end=Game.End.ABANDONED, at=at)
    else:
        start_clock(game, seats[step.position.to_move], at=at)
        game.save(update_fields=("ply", "last_hash", "ended_turn", *CLOCK_FIELDS))
        announce_turn(game, seats, at=at)
    # After that many the seat is on autopilot, and its player is not told of each move.
    if autopilot and mover.autopiloted <= AUTOPILOT_AFTER and game.is_running:
        announce_autopilot(game, mover, at=at)


def _is_for_autopilot(game: Game, mover: Seat, *, at: datetime) -> bool:
    """Whether the time of `mover` has run out, or the seat is on autopilot."""
    return mover.is_automatic or (game.due_at is not None and game.due_at <= at)


def _end_turn(game: Game, mover: Seat, *, at: datetime, autopilot: bool) -> None:
    """Stop the clock of the player who has moved, and note that they were here, unless the autopilot moved."""
    before = [getattr(mover, field) for field in STOP_FIELDS]
    stop_clock(game, mover, at=at)
    mover.autopiloted = mover.autopiloted + 1 if autopilot else 0
    if before != [getattr(mover, field) for field in STOP_FIELDS]:
        mover.save(update_fields=STOP_FIELDS)
    if not autopilot and mover.player is not None and MailMode.ONCE in (mover.player.mail_mode, mover.mail_mode):
        Player.objects.filter(pk=mover.player.pk).update(visited_at=at)


def seat_of(game: Game, player: Player) -> Seat:
    """The seat that `player` still plays in the running `game`."""
    if not game.is_running:
        raise GameNotRunning
    seat = game.seats.filter(player=player, is_bot=False).first()
    if seat is None:
        raise NoSuchSeat
    return seat


def seats_of(game: Game) -> list[Seat]:
    """The seats of a game that has started in the order of play, with their players."""
    return _in_order(game.pk)


@prepared
def _in_order(game: int) -> QuerySet[Seat]:
    return Seat.objects.filter(game=game).order_by("number").select_related("player")


def _agree(seats: Sequence[Seat]) -> bool:
    """Whether all human players agree to abandon the game. Those whose seat is on autopilot are not asked."""
    people = [seat for seat in seats if not seat.is_automatic]
    return bool(people) and all(seat.agrees_to_abandon for seat in people)


def _is_left(seats: Sequence[Seat]) -> bool:
    """Whether no human player is left at the table."""
    return all(seat.is_automatic for seat in seats)
