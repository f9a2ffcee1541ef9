"""A mail of several notices that may have gone out goes again as it was, as long as any of it would go."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db.models import F

from games import mail, play
from games.mail.delivery import LEASE
from games.mail.transport.connection import Connection
from games.models import Mail, Notice, Player, Seat
from tests.cast import AT, make_game, play_random, random_move, seat_to_move
from tests.mail.post_office import PostOffice
from tests.mail.senders import Deaf, Dying
from tests.mail.test_bundles import State, notices, rows

__all__ = ["notices"]


@pytest.fixture
def calls(alice: Player, bob: Player) -> list[Notice]:
    """Three calls to turns of alice's, due at LATE, and nothing else that is."""
    for _game in range(3):
        game = make_game(alice, bob)
        while seat_to_move(game).name != "alice":
            play_random(game, 1)
    calls = Notice.objects.filter(kind=Notice.Kind.TURN, seat__player=alice, seat__game__awaited=alice)
    found = list(calls.filter(ply=F("seat__game__ply")).select_related("seat__game", "seat__player").order_by("pk"))
    assert len(found) == 3
    Notice.objects.exclude(pk__in=[notice.pk for notice in found]).delete()
    return found


LATE = AT + timedelta(hours=30)
LATER = LATE + LEASE


def move_at(call: Notice) -> None:
    """Its reader moves, a while after they were called."""
    game = call.seat.game
    seat = seat_to_move(game)
    move = random_move(game.position(), random.Random(1))
    play.play_move(game, seat=seat, move=move, ply=game.ply, key="moved", at=LATE + timedelta(seconds=30))
    Notice.objects.exclude(seat=call.seat).filter(seat__game=game).delete()


def end_the_game(call: Notice) -> None:
    play.resign(call.seat.game, player=call.seat.player, at=LATE + timedelta(seconds=30))  # type: ignore[arg-type]
    Notice.objects.exclude(pk=call.pk).filter(seat__game=call.seat.game).delete()


def take_a_day(call: Notice) -> None:
    play.take_reserve_day(call.seat.game, player=call.seat.player, at=LATE)  # type: ignore[arg-type]


def turn_it_off(call: Notice) -> None:
    Seat.objects.filter(pk=call.seat_id).update(mail_mode="nothing")


@pytest.mark.parametrize("connection", [Deaf, Dying])
@pytest.mark.parametrize("change", [move_at, end_the_game, take_a_day, turn_it_off])
@pytest.mark.parametrize("place", [0, 1])
def test_it_sends_the_same_again_whatever_has_changed_since(
    calls: list[Notice],
    post_office: PostOffice,
    place: int,
    change: Callable[[Notice], None],
    connection: type[Connection],
) -> None:
    """With all that it told, whichever of it it would not go for any more."""
    with suppress(KeyboardInterrupt), connection() as sender:
        mail.deliver(calls[0].pk, at=LATE, connection=sender)
    change(calls[place])
    assert mail.sweep(at=LATER) == 1
    assert len(post_office.raw) == 2
    assert post_office.raw[0] == post_office.raw[1]
    assert rows() == [(State.SENT, True)] * 3


def test_it_is_not_sent_again_when_none_of_it_would_go(calls: list[Notice], post_office: PostOffice) -> None:
    with Deaf() as sender:
        mail.deliver(calls[0].pk, at=LATE, connection=sender)
    for call in calls:
        move_at(call)
    mail.sweep(at=LATER)
    assert len(post_office.raw) == 1
    assert rows() == [(State.SUPERSEDED, True)] * 3


@pytest.mark.parametrize("place", [0, 2])
def test_it_waits_as_it_was_for_quiet_hours(
    calls: list[Notice], post_office: PostOffice, alice: Player, place: int
) -> None:
    with Deaf() as sender:
        mail.deliver(calls[0].pk, at=LATE, connection=sender)
    Player.objects.filter(pk=alice.pk).update(quiet_from="00:00", quiet_until="07:00")
    move_at(calls[place])
    assert mail.deliver(calls[0].pk, at=LATER) == State.DUE
    morning = AT + timedelta(hours=35)
    assert Mail.objects.get().due_at == morning
    assert rows() == [(State.DUE, True)] * 3
    mail.replan(alice, at=LATER)
    assert mail.sweep(at=morning) == 1
    assert post_office.raw[0] == post_office.raw[1]
