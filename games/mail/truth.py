"""Whether a mail that was owed is still worth sending."""

from __future__ import annotations

from games.models import Game, MailMode, Notice, Seat


def still_true(notice: Notice) -> bool:
    """Whether the mail still says how things are, and its reader still wants it. Costs no query after `claim`.

    Who turned mail off gets none, of any kind: a mail client that unsubscribes means all of them (RFC 8058).
    """
    seat = notice.seat
    if seat.player is None or not (seat.player.is_active and seat.player.mail_mode != MailMode.NOTHING):
        return False
    match notice.kind:
        case Notice.Kind.TURN:
            return _is_awaited(seat, ply=notice.ply)
        case Notice.Kind.STARTED:
            return seat.game.status == Game.Status.RUNNING and not seat.is_bot
        case _:
            return True


def _is_awaited(seat: Seat, *, ply: int) -> bool:
    """Whether the game still waits for the person on `seat` to make the move after `ply`."""
    game = seat.game
    return game.status == Game.Status.RUNNING and game.ply == ply and game.to_move == seat.number and not seat.is_bot
