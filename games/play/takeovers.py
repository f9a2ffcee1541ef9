"""Taking over a seat whose player has resigned or stays away (design 2.6)."""

from __future__ import annotations

from datetime import datetime

from games.models import Event, FormerHolder, Game, Mute, Note, Notice, Player, Seat, Suspicion, WebhookCall
from games.play.announce import announce_takeover
from games.play.away import restart_turn
from games.play.events import note_event
from games.play.lock import locked
from games.play.totals import note_meetings
from games.play.turns import seats_of
from games.words.refusals import AccountClosed, GameNotRunning, HadSeat, NotToTakeOver, NotWelcome


def take_over(game: Game, *, player: Player, number: int, at: datetime) -> None:
    """Give seat `number`, which a computer player or the autopilot plays for somebody, to `player`, with its card and a
    fresh clock; the former player is told.

    Of two who ask at once, and of a player who comes back meanwhile, the first to lock the game has the seat. Raises
    GameNotRunning, HadSeat, NotToTakeOver, NotWelcome, AccountClosed.
    """
    with locked(game) as game:
        seats = seats_of(game)
        check_takeover(game, player=player)
        seat = next((seat for seat in seats if seat.number == number), None)
        if seat is None or seat.player is None or not seat.may_be_taken_over(game):
            raise NotToTakeOver
        _leave_behind(game, seat, seat.player, at=at)
        announce_takeover(game, seat, at=at)
        _sit_down(game, seat, player, at=at)
        note_event(game, seat, Event.Kind.TAKEN_OVER, at=at)
        note_meetings(seats)
        if game.to_move == seat.number:
            restart_turn(game, seat.number, at=at)


def check_takeover(game: Game, *, player: Player) -> None:
    """Raise what keeps `player` from taking over any seat of `game`: a player who has, or had, a seat knows its card,
    and a player whom one of the others has blocked is not welcome. 3 queries."""
    if not game.is_running:
        raise GameNotRunning
    people = set(game.seats.filter(player__isnull=False).values_list("player", flat=True))
    if player.pk in people or FormerHolder.objects.filter(seat__game=game, player=player).exists():
        raise HadSeat
    if Mute.objects.filter(player__in=people, other=player, blocks=True).exists():
        raise NotWelcome


def _leave_behind(game: Game, seat: Seat, player: Player, *, at: datetime) -> None:
    """Store who had `seat` until now, keep what they said as theirs, and delete what only they may see."""
    former = FormerHolder.objects.create(
        seat=seat, player=player, name=seat.name, has_resigned=seat.is_bot, ply=game.ply, at=at
    )
    seat.postcards.filter(former_holder=None).update(former_holder=former)
    Note.objects.filter(seat=seat).delete()
    Suspicion.objects.filter(seat=seat).delete()
    owed = Notice.objects.filter(seat=seat, state=Notice.State.DUE)
    owed.update(state=Notice.State.SUPERSEDED, reason=Notice.Reason.PAST, mail=None)
    WebhookCall.objects.filter(seat=seat, state=WebhookCall.State.DUE).delete()


def _sit_down(game: Game, seat: Seat, player: Player, *, at: datetime) -> None:
    """Let `player` have `seat` as if they had just come to the table."""
    was_dealt_to = seat.name_in_deal
    seat.forget_holder()
    seat.player, seat.name, seat.dealt_name, seat.taken_over_at = player, player.username, was_dealt_to, at
    seat.heard = seat.called_to_talk = game.said
    seat.save()
    if game.ended_turn and game.ended_turn["seat"] == seat.number:
        # The move of whoever had the seat is not theirs to take back.
        game.ended_turn = None
        game.save(update_fields=("ended_turn",))
    # Read after the seat is written: either the closing of the account finds this seat, or this finds it closed.
    if not Player.objects.filter(pk=player.pk, is_active=True).exists():
        raise AccountClosed
