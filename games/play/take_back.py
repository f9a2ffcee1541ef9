"""Taking back a move for as long as the mail of a turn waits, and until somebody acts on it.

Another player acts on it by having its table in sight, by being called, or by moving. Small boards in lists, replays
and feeds show a move at once, and nobody says who looks at them; so the time is short, also where a mail waits until
the morning.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from games.models import Event, Game, Notice, Player, Seat, TokenTurn, TurnToken, WebhookCall
from games.play.announce import announce_turn
from games.play.deadlines import resume_turn
from games.play.events import note_event
from games.play.lock import locked
from games.play.turns import REMOVED_FIELDS, remove_last_move, seat_of, seats_of
from games.words.refusals import NothingToTakeBack, TakenBackAlready

Called = WebhookCall.State


def take_back(game: Game, *, player: Player, ply: int, edition: int, at: datetime) -> None:
    """Take back the last move, which `player` made: `ply` moves had been played with it in that `edition`.

    The turn goes on as if it had not ended: no time is won by it. As after a withdrawn move of the autopilot, the game
    has a new edition. Raises GameNotRunning, NoSuchSeat, TakenBackAlready, NothingToTakeBack.
    """
    with locked(game) as game:
        seat = seat_of(game, player)
        if (game.ply, game.edition, game.to_move) == (ply - 1, edition + 1, seat.number):
            raise TakenBackAlready
        turn = _open_turn(game, seat.number, at=at) if (game.ply, game.edition) == (ply, edition) else None
        if turn is None or _is_seen(game, turn) or not _stop_call(game):
            raise NothingToTakeBack
        remove_last_move(game)
        _keep_presses(seat, ply=game.ply, edition=edition)
        game.ended_turn = None
        game.save(update_fields=(*REMOVED_FIELDS, "ended_turn"))
        note_event(game, seat, Event.Kind.TOOK_BACK, at=at)
        resume_turn(game, seat, turn, at=at)
        announce_turn(game, seats_of(game), at=at)


def _keep_presses(seat: Seat, *, ply: int, edition: int) -> None:
    """Keep the buttons in mails that move without signing in valid: move their tokens to the new edition."""
    turns = TokenTurn.objects.filter(seat=seat, ply=ply, edition=edition, token__use=TurnToken.Use.PRESS)
    turns.update(edition=edition + 1)


def may_take_back(game: Game, *, seat: int, at: datetime) -> bool:
    """Whether to offer the player on `seat` to take back the last move now: never before a computer player, which
    answers faster than anybody presses a button. Costs no query then, nor if somebody else has made the move; one if a
    mail has already told of it, else 3."""
    turn = _open_turn(game, seat, at=at)
    return turn is not None and game.awaited_id is not None and _is_uncalled(game) and not _is_seen(game, turn)


def take_back_until(game: Game) -> datetime:
    """When the time is over in which the last move can be taken back, which `may_take_back` has said."""
    return _until(game, game.ended_turn or {})


def _until(game: Game, turn: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(turn["ended_at"]) + game.call_waits


def _open_turn(game: Game, seat: int | None, *, at: datetime) -> Mapping[str, Any] | None:
    """The turn that the last move ended, if it was that of `seat`, ended a moment ago and could go on."""
    turn: Mapping[str, Any] | None = game.ended_turn
    if not game.is_running or turn is None or turn["seat"] != seat:
        return None
    if at > _until(game, turn):
        return None
    return turn if datetime.fromisoformat(turn["due_at"]) > at else None


def _is_seen(game: Game, turn: Mapping[str, Any]) -> bool:
    """Whether another player has looked at the table since the move that ended `turn`."""
    others = game.seats.exclude(number=turn["seat"])
    return others.filter(seen_ply__gte=game.ply, seen_at__gte=datetime.fromisoformat(turn["ended_at"])).exists()


def _is_uncalled(game: Game) -> bool:
    """Whether the player to move has not been called: a mail still waits, none is wanted, or a computer player is
    next."""
    call = _notices(game).first()
    if call is None:
        return True
    if call.mail_id is not None or call.state not in {Notice.State.DUE, Notice.State.SUPERSEDED}:
        return False
    return not _hook_calls(game).exclude(state__in=(Called.DUE, Called.SUPERSEDED)).exists()


def _stop_call(game: Game) -> bool:
    """Let nobody be called to the turn that runs; False if it is too late for that."""
    if not _is_uncalled(game):
        return False
    for call in _hook_calls(game).filter(state=Called.DUE):
        if not WebhookCall.objects.filter(pk=call.pk, state=Called.DUE).update(state=Called.SUPERSEDED):
            return False
    for notice in _notices(game).filter(state=Notice.State.DUE):
        # Asked of the row itself: of a sender and this one, one gets it.
        waiting = Notice.objects.filter(pk=notice.pk, state=Notice.State.DUE, mail__isnull=True)
        if not waiting.update(state=Notice.State.SUPERSEDED, reason=Notice.Reason.PAST):
            return False
    return True


def _notices(game: Game) -> QuerySet[Notice]:
    """The call to the turn that runs."""
    turn = Notice.objects.filter(kind=Notice.Kind.TURN, ply=game.ply, number=game.edition)
    return turn.filter(seat__game=game, seat__number=game.to_move)


def _hook_calls(game: Game) -> QuerySet[WebhookCall]:
    """The same as calls of webhooks."""
    turn = WebhookCall.objects.filter(kind=Notice.Kind.TURN, ply=game.ply, number=game.edition)
    return turn.filter(seat__game=game, seat__number=game.to_move)
