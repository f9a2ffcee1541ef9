"""Who is told what when a turn begins, a game starts or a game ends: by mail, by webhook, and computer players by a
task."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Q

from games import hooks
from games.enqueue import enqueue
from games.mail import owe
from games.models import Event, Game, Notice, Player, Seat
from games.play.events import note_event

BOT_TASK = "games.tasks.play_bot_turn"


def announce_start(game: Game, seats: Sequence[Seat], *, at: datetime) -> None:
    """Tell everybody that the game has started; the player who begins learns it with the call to move."""
    others = [seat for seat in seats if seat.number != game.to_move]
    _owe_people(others, Notice.Kind.STARTED, game, at=at)
    announce_turn(game, seats, at=at)


def announce_turn(game: Game, seats: Sequence[Seat], *, at: datetime) -> None:
    """Call the player to move: a person by mail, a computer player by a task."""
    seat = next(seat for seat in seats if seat.number == game.to_move)
    if seat.is_automatic:
        enqueue(BOT_TASK, game.pk)
    else:
        _owe_people([seat], Notice.Kind.TURN, game, at=at, number=game.edition)


def announce_autopilot(game: Game, seat: Seat, *, at: datetime) -> None:
    """Tell a player that the autopilot has moved for them."""
    _owe_people([seat], Notice.Kind.AUTOPILOT, game, at=at, number=game.edition)


def announce_nudge(game: Game, seat: Seat, *, by: int | None, number: int, at: datetime) -> None:
    """Tell the player who is to move that the player on seat `by` waits."""
    _owe([seat], Notice.Kind.NUDGE, game, number=number, about=by, at=at)


def announce_expiry(game: Game, seats: Sequence[Seat], *, at: datetime) -> None:
    """Tell those who waited at an open table that it was closed."""
    _owe_people(seats, Notice.Kind.EXPIRED, game, at=at)


def announce_handing_on(game: Game, seat: Seat, *, by: Player, at: datetime) -> None:
    """Tell the player of `seat` that the open table is theirs now, handed on by `by`."""
    before = game.seats.only("joined").get(player=by)
    number = Notice.objects.filter(seat=seat, kind=Notice.Kind.HANDED).count()
    _owe([seat], Notice.Kind.HANDED, game, number=number, about=before.joined, at=at)


def announce_closing(game: Game, seats: Sequence[Seat], *, by: Player, at: datetime) -> None:
    """Tell those who waited at an open table, except `by`, that its opener `by` closed it."""
    opener = next((seat.joined for seat in seats if seat.player_id == by.pk), None)
    others = [seat for seat in seats if seat.player_id not in (None, by.pk)]
    _owe(others, Notice.Kind.EXPIRED, game, about=opener, at=at)


def announce_resignation(game: Game, seats: Sequence[Seat], *, by: Seat, at: datetime) -> None:
    """Tell the others that the player of seat `by` has resigned. The notices are numbered, to tell two holders of one
    seat apart who resign at the same ply."""
    number = (by.number or 0) + len(seats) * by.former_holders.count()
    _owe_others(seats, Notice.Kind.RESIGNED, game, by=by, number=number, at=at)


def announce_takeover(game: Game, seat: Seat, *, at: datetime) -> None:
    """Tell the player of `seat` that somebody else takes it over; call it while it is still theirs."""
    _owe([seat], Notice.Kind.TAKEN, game, about=seat.number, at=at)


def announce_proposal(game: Game, seats: Sequence[Seat], *, by: Seat, at: datetime) -> None:
    """Tell the others that the player of seat `by` proposes to abandon the game; nobody twice before the next move."""
    notices = Notice.objects.filter(seat__game=game, kind=Notice.Kind.PROPOSAL, about=by.number, ply=game.ply)
    reached = set(notices.exclude(state=Notice.State.SUPERSEDED).values_list("player", flat=True))
    seats_not_reached = [seat for seat in seats if seat.player_id not in reached]
    _owe_others(seats_not_reached, Notice.Kind.PROPOSAL, game, by=by, number=_proposals(game), at=at)


def announce_playing_on(game: Game, seats: Sequence[Seat], *, by: Seat, at: datetime) -> None:
    """Tell those who got a mail about the last proposal, by the player of seat `by`, that it is withdrawn."""
    number = _proposals(game)
    notices = Notice.objects.filter(seat__game=game, kind=Notice.Kind.PROPOSAL, about=by.number, number=number)
    reached = set(notices.filter(Q(mail__isnull=False) | Q(state=Notice.State.SENT)).values_list("player", flat=True))
    seats_reached = [seat for seat in seats if seat.player_id in reached]
    _owe_others(seats_reached, Notice.Kind.WITHDRAWN, game, by=by, number=number, at=at)


def _proposals(game: Game) -> int:
    """How often somebody proposed to abandon the game: the number of the last proposal."""
    return game.events.filter(kind=Event.Kind.PROPOSED).count()


def announce_again(game: Game, *, by: Player, number: int, at: datetime) -> None:
    """Ask those who played the finished `game` to the table that follows it, the `number`-th, which `by` has opened,
    and note the wish in its history."""
    seats = list(game.seats.select_related("player"))
    asking = next((seat for seat in seats if seat.player_id == by.pk), None)
    if asking is not None:
        note_event(game, asking, Event.Kind.AGAIN, at=at)
        _owe_others(seats, Notice.Kind.AGAIN, game, by=asking, number=number, at=at)


def announce_next(game: Game, seats: Sequence[Seat], *, at: datetime) -> None:
    """Ask the people of a series whether they are ready for its next game, whose table has just been opened."""
    _owe_people(seats, Notice.Kind.NEXT, game, at=at)


def announce_postcard(game: Game, seats: Sequence[Seat], *, by: Seat, at: datetime) -> None:
    """Tell the players of these seats what seat `by` has said: one mail each, except to players who have not yet read
    what the last such mail reported."""
    called = [seat for seat in seats if seat.called_to_talk <= seat.heard]
    if not called:
        return
    calls = Notice.objects.filter(seat__game=game, kind=Notice.Kind.POSTCARD, ply=game.ply).count()
    earlier = Notice.objects.filter(seat__in=called, kind=Notice.Kind.POSTCARD, state=Notice.State.DUE)
    earlier.filter(mail__isnull=True).update(state=Notice.State.SUPERSEDED, reason=Notice.Reason.SEEN)
    Seat.objects.filter(pk__in=[seat.pk for seat in called]).update(called_to_talk=game.said)
    for seat in called:
        seat.called_to_talk = game.said
    _owe(called, Notice.Kind.POSTCARD, game, number=calls, about=by.number, at=at)


def announce_end(game: Game, seats: Sequence[Seat], *, at: datetime) -> None:
    """Tell everybody who sat at the table that the game is over."""
    _owe_people(seats, Notice.Kind.FINISHED, game, at=at)


def announce_season_end(seats: Sequence[Seat], *, at: datetime) -> None:
    """Tell the players of these seats, of the last game that each had in a season, that the season is over."""
    for seat in seats:
        _owe([seat], Notice.Kind.SEASON, seat.game, at=at)


def _owe_others(seats: Sequence[Seat], kind: Notice.Kind, game: Game, *, by: Seat, number: int, at: datetime) -> None:
    """Owe a mail about the player of seat `by` to the other people who have not resigned."""
    others = [seat for seat in seats if seat.pk != by.pk and seat.player_id and seat.resigned_at is None]
    _owe(others, kind, game, number=number, about=by.number, at=at)


def _owe_people(seats: Iterable[Seat], kind: Notice.Kind, game: Game, *, at: datetime, number: int = 0) -> None:
    """Owe a mail to each of those who are people."""
    _owe([seat for seat in seats if seat.player_id], kind, game, number=number, at=at)


def _owe(
    seats: Sequence[Seat], kind: Notice.Kind, game: Game, *, number: int = 0, about: int | None = None, at: datetime
) -> None:
    """Owe a mail of `kind` to the player of each of `seats`, and the calls of webhooks that go with it."""
    for seat in seats:
        # The game as it has just been changed, which may not be saved yet.
        seat.game = game
    hooks.owe(owe(seats, kind=kind, ply=game.ply, number=number, about=about, at=at), at=at)
