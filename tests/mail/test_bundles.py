"""What is due to one reader at the same time goes as one mail, and stays one when it has to be sent again."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import pytest
from django.core.mail import EmailMessage
from django.db.models import F

from games import mail, play
from games.mail.compose import NotDrawn, compose
from games.mail.delivery import MAX_CRASHES
from games.mail.outbox import LEASE, claim, gather, quarantine, settle
from games.mail.plan import Verdict
from games.mail.postman import Postman
from games.mail.smtp import NoAnswer
from games.models import Notice, Player, Seat
from tests.cast import AT, make_game, play_random, random_move, seat_to_move
from tests.mail.post_office import PostOffice
from tests.plans import asks_sqlite, steps_of

State = Notice.State


@pytest.fixture
def notices(alice: Player, bob: Player) -> list[Notice]:
    """Three mails that are due to bob, and to nobody else, by when they were owed."""
    for minutes in range(3):
        make_game(alice, bob, at=AT + timedelta(minutes=minutes))
    Notice.objects.filter(seat__player=alice).delete()
    return list(Notice.objects.order_by("pk"))


NOW = AT + timedelta(minutes=5)


def rows() -> list[tuple[str, int | None]]:
    return list(Notice.objects.order_by("pk").values_list("state", "carrier"))


def test_it_sends_what_is_due_together_as_one_mail(notices: list[Notice], post_office: PostOffice) -> None:
    carrier = notices[1]
    assert mail.deliver(carrier.pk, at=NOW) == State.SENT
    assert post_office.ids == [carrier.message_id]
    assert rows() == [(State.SENT, carrier.pk), (State.SENT, None), (State.SENT, carrier.pk)]
    assert set(Notice.objects.values_list("sent_at", "claim", "lease_until", "told")) == {(NOW, "", None, None)}
    assert mail.sweep(at=NOW) == 0


@asks_sqlite
def test_it_looks_at_no_mails_but_its_readers(notices: list[Notice], post_office: PostOffice) -> None:
    """However many were sent in years: SQLite is asked how it finds what it reads and changes."""
    steps = steps_of(lambda: mail.deliver(notices[1].pk, at=NOW))
    found = [step for step in steps if "games_notice" in step]
    assert len(found) > 5
    assert [step for step in found if not re.search(r"PRIMARY KEY|seat_id=|notice_rides \(carrier_id=", step)] == []


def test_it_is_of_the_kind_that_it_tells(alice: Player, bob: Player) -> None:
    """That a game has begun is not told to who is called to it in the same mail."""
    game = make_game(alice, bob)
    seat = game.seats.get(number=game.to_move)
    turn = Notice.objects.get(seat=seat, kind=Notice.Kind.TURN)
    started = Notice.objects.create(
        seat=seat, kind=Notice.Kind.STARTED, ply=0, created_at=AT, due_at=AT, message_id="<s@x>"
    )
    sent = compose([started, turn], at=NOW)
    assert (sent.extra_headers["Message-ID"], sent.extra_headers["X-Clans-Kind"]) == ("<s@x>", "turn")


def test_it_leaves_behind_what_is_not_due_yet(notices: list[Notice], post_office: PostOffice) -> None:
    assert mail.deliver(notices[0].pk, at=AT + timedelta(minutes=1)) == State.SENT
    assert rows() == [(State.SENT, None), (State.SENT, notices[0].pk), (State.DUE, None)]


def test_it_leaves_behind_what_is_no_longer_true(notices: list[Notice], post_office: PostOffice) -> None:
    Notice.objects.filter(pk=notices[2].pk).update(kind=Notice.Kind.REMINDER, ply=7)
    assert mail.deliver(notices[0].pk, at=NOW) == State.SENT
    assert rows() == [(State.SENT, None), (State.SENT, notices[0].pk), (State.SUPERSEDED, None)]
    assert Notice.objects.get(pk=notices[2].pk).reason == Notice.Reason.PAST


def test_it_keeps_a_test_mail_to_itself(notices: list[Notice], post_office: PostOffice) -> None:
    Notice.objects.filter(pk=notices[0].pk).update(kind=Notice.Kind.TEST)
    assert claimed(notices[0]) == []
    assert mail.deliver(notices[1].pk, at=NOW) == State.SENT
    assert rows()[0] == (State.CLAIMED, None)


def claimed(notice: Notice) -> list[int]:
    """Whom the notice takes along."""
    held = claim(notice.pk, at=NOW)
    assert held is not None
    return [rider.pk for rider in gather(held, at=NOW)]


def test_it_lets_the_riders_off_when_the_mail_was_surely_not_sent(
    notices: list[Notice], post_office: PostOffice
) -> None:
    post_office.answers = ["451 busy"]
    assert mail.deliver(notices[0].pk, at=NOW) == State.DUE
    assert rows() == [(State.DUE, None)] * 3
    assert set(Notice.objects.values_list("dated_at", "told", "attempts", "reason")) == {(None, None, 1, "retry")}
    later = NOW + timedelta(minutes=1)
    assert mail.deliver(notices[2].pk, at=later) == State.SENT
    assert post_office.ids == [notices[2].message_id]


class Deaf(Postman):
    """The mail goes out, and no answer is heard."""

    def carry(self, mail: EmailMessage) -> None:
        super().carry(mail)
        raise NoAnswer


class Dying(Postman):
    """The mail goes out, and its sender is killed before it can say so."""

    def carry(self, mail: EmailMessage) -> None:
        super().carry(mail)
        raise KeyboardInterrupt


def test_it_sends_the_same_again_when_the_mail_may_have_gone_out(
    notices: list[Notice], post_office: PostOffice, alice: Player, bob: Player
) -> None:
    with Deaf() as postman:
        assert mail.deliver(notices[0].pk, at=NOW, postman=postman) == State.DUE
    assert rows() == [(State.DUE, None)] + [(State.DUE, notices[0].pk)] * 2
    make_game(alice, bob, at=NOW)
    Notice.objects.filter(seat__player=alice).delete()
    later = NOW + timedelta(minutes=1)
    assert mail.deliver(notices[1].pk, at=later) is None
    assert mail.deliver(notices[0].pk, at=later) == State.SENT
    assert post_office.raw[0] == post_office.raw[1]
    assert [state for state, _carrier in rows()] == [State.SENT] * 3 + [State.DUE]


def test_it_sends_the_same_again_when_its_sender_was_killed(notices: list[Notice], post_office: PostOffice) -> None:
    with pytest.raises(KeyboardInterrupt), Dying() as postman:
        mail.deliver(notices[0].pk, at=NOW, postman=postman)
    assert rows() == [(State.CLAIMED, None)] + [(State.CLAIMED, notices[0].pk)] * 2
    assert mail.sweep(at=NOW + LEASE - timedelta(seconds=1)) == 0
    assert mail.sweep(at=NOW + LEASE) == 1
    assert post_office.raw[0] == post_office.raw[1]
    assert [state for state, _carrier in rows()] == [State.SENT] * 3


def test_it_sets_aside_what_three_senders_died_of_and_sends_the_others_each_alone(
    notices: list[Notice], post_office: PostOffice
) -> None:
    at = NOW
    for _crash in range(MAX_CRASHES):
        held = claim(notices[0].pk, at=at)
        assert held is not None
        gather(held, at=at)
        at += LEASE
    assert mail.deliver(notices[0].pk, at=at) == State.QUARANTINED
    assert rows() == [(State.QUARANTINED, None), (State.DUE, None), (State.DUE, None)]
    assert mail.sweep(at=at) == 2
    assert sorted(post_office.ids) == sorted(notice.message_id for notice in notices[1:])


def test_it_never_takes_what_another_sender_holds(notices: list[Notice]) -> None:
    assert claim(notices[2].pk, at=NOW) is not None
    assert claimed(notices[0]) == [notices[1].pk]


@pytest.mark.parametrize("late", ["settle", "wait", "quarantine"])
def test_it_leaves_riders_to_who_holds_them_now(notices: list[Notice], late: str) -> None:
    """A sender comes back from the dead when another has taken the mail over, with all that rides with it."""
    dead = claim(notices[0].pk, at=NOW)
    assert dead is not None
    assert len(gather(dead, at=NOW)) == 2
    heir = claim(notices[0].pk, at=NOW + LEASE)
    assert heir is not None
    assert len(gather(heir, at=NOW + LEASE)) == 2
    before = list(Notice.objects.order_by("pk").values())
    if late == "quarantine":
        assert not quarantine(dead, error="554 spam")
    else:
        assert not settle(dead, Verdict("past", NOW + LEASE if late == "wait" else None), at=NOW)
    assert list(Notice.objects.order_by("pk").values()) == before


def test_it_holds_no_lease_while_pictures_are_drawn(
    notices: list[Notice], post_office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is killed over what takes long has not crashed over the mail."""
    held: list[tuple[str, int | None]] = []
    draw = NotDrawn.draw

    def draw_and_look(undrawn: NotDrawn) -> None:
        held.extend(rows())
        draw(undrawn)

    monkeypatch.setattr(NotDrawn, "draw", draw_and_look)
    assert mail.deliver(notices[0].pk, at=NOW) == State.SENT
    assert held == [(State.DUE, None)] * 3
    assert len(post_office.mails) == 1


def test_it_gives_another_chance_to_what_senders_died_of(notices: list[Notice], post_office: PostOffice) -> None:
    at = NOW
    for _crash in range(MAX_CRASHES):
        assert claim(notices[0].pk, at=at) is not None
        at += LEASE
    assert mail.deliver(notices[0].pk, at=at) == State.QUARANTINED
    aside = Notice.objects.get(pk=notices[0].pk)
    assert aside.due_at == at + 4 * LEASE
    assert mail.sweep(at=aside.due_at - timedelta(seconds=1)) == 1
    assert notices[0].message_id not in post_office.ids
    assert claim(aside.pk, at=aside.due_at) is None
    assert mail.sweep(at=aside.due_at) == 1
    assert post_office.ids[-1] == notices[0].message_id


def test_it_waits_longer_for_each_further_chance(notices: list[Notice]) -> None:
    Notice.objects.filter(pk=notices[0].pk).update(state="due", crashes=2, attempts=3)
    assert claim(notices[0].pk, at=NOW) is not None
    later = NOW + LEASE
    assert mail.deliver(notices[0].pk, at=later) == State.QUARANTINED
    assert Notice.objects.get(pk=notices[0].pk).due_at == later + 4 * 8 * LEASE


def test_it_gives_no_other_chance_to_what_was_refused(notices: list[Notice], post_office: PostOffice) -> None:
    Notice.objects.filter(pk=notices[0].pk).update(state="quarantined", error="554 spam")
    mail.sweep(at=NOW + timedelta(days=30))
    assert notices[0].message_id not in post_office.ids


# --- What may have gone out ----------------------------------------------------------------------


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


@pytest.mark.parametrize("postman", [Deaf, Dying])
@pytest.mark.parametrize("change", [move_at, end_the_game, take_a_day, turn_it_off])
@pytest.mark.parametrize("place", [0, 1])
def test_it_sends_the_same_again_whatever_has_changed_since(
    calls: list[Notice], post_office: PostOffice, place: int, change: Callable[[Notice], None], postman: type[Postman]
) -> None:
    """With all that rode with it, be it the carrier or a rider that it would not go for any more."""
    with suppress(KeyboardInterrupt), postman() as sender:
        mail.deliver(calls[0].pk, at=LATE, postman=sender)
    change(calls[place])
    assert mail.sweep(at=LATER) == 1
    assert len(post_office.raw) == 2
    assert post_office.raw[0] == post_office.raw[1]
    assert set(rows()) == {(State.SENT, None), (State.SENT, calls[0].pk)}


def test_it_is_not_sent_again_when_none_of_it_would_go(calls: list[Notice], post_office: PostOffice) -> None:
    with Deaf() as sender:
        mail.deliver(calls[0].pk, at=LATE, postman=sender)
    for call in calls:
        move_at(call)
    mail.sweep(at=LATER)
    assert len(post_office.raw) == 1
    assert rows() == [(State.SUPERSEDED, None)] * 3


@pytest.mark.parametrize("place", [0, 2])
def test_it_waits_as_it_was_for_quiet_hours(
    calls: list[Notice], post_office: PostOffice, alice: Player, place: int
) -> None:
    with Deaf() as sender:
        mail.deliver(calls[0].pk, at=LATE, postman=sender)
    Player.objects.filter(pk=alice.pk).update(quiet_from="00:00", quiet_until="07:00")
    move_at(calls[place])
    assert mail.deliver(calls[0].pk, at=LATER) == State.DUE
    morning = AT + timedelta(hours=35)
    assert Notice.objects.get(pk=calls[0].pk).due_at == morning
    assert rows()[1:] == [(State.DUE, calls[0].pk)] * 2
    mail.replan(alice, at=LATER)
    assert mail.sweep(at=morning) == 1
    assert post_office.raw[0] == post_office.raw[1]
