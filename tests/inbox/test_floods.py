"""Many mails: what is refused, what gets no receipt, and what is deleted in time."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games import inbox
from games.inbox import Envelope
from games.models import Game, InboundMail, Notice, Player, TurnToken
from tests.cast import AT, make_game, play_random
from tests.inbox.writing import (
    answer,
    call_of,
    codes,
    mover,
    reply_to,
    said_in_receipt,
    send,
    some_move,
    write,
)

LATER = AT + timedelta(hours=1)
Outcome = InboundMail.Outcome


def test_two_programs_that_talk_end_after_three_answers(by_mail: Game) -> None:
    player = mover(by_mail)
    for round_ in range(6):
        taken = answer(player, "I am away from my desk.", at=LATER + timedelta(hours=2 * round_))
        assert (taken.notice is not None) == (round_ < 3), round_


def test_failures_are_answered_five_times_an_hour(by_mail: Game) -> None:
    player = mover(by_mail)
    told = [
        answer(player, f"Hello number {number}", at=LATER + timedelta(minutes=6 * number)).notice is not None
        for number in range(9)
    ]
    assert sum(told) == 5
    last = InboundMail.objects.get(is_last_receipt=True)
    assert "For up to an hour you get no more mails" in " ".join(said_in_receipt(last).split())


def test_a_player_who_floods_is_told_once_and_stored_a_little(by_mail: Game) -> None:
    player = mover(by_mail)
    to = reply_to(call_of(player))
    outcomes = []
    for number in range(60):
        taken = send(write(to, f"hello {number}", sender=player.email), to, sender=player.email, at=LATER)
        outcomes.append(taken.outcome)
    assert outcomes.count(Outcome.TOO_OFTEN) == 30
    assert InboundMail.objects.filter(outcome=Outcome.TOO_OFTEN, notice__isnull=False).count() == 1
    with pytest.raises(inbox.MailRefused, match="too-many") as refused:
        inbox.receive(b"x", Envelope(sender=player.email, recipient=to), at=LATER)
    assert refused.value.is_for_now
    # An hour later they can move.
    assert codes(answer(player, some_move(by_mail), at=LATER + timedelta(hours=2))) == ["played"]


def test_strangers_who_know_the_address_use_up_nothing(by_mail: Game) -> None:
    player, move = mover(by_mail), some_move(by_mail)
    to = reply_to(call_of(player))
    stranger = "mallory@example.org"
    for _ in range(30):
        send(write(to, move, sender=stranger, signed=False), to, sender=stranger, at=LATER)
        send(write(to, move, sender=player.email, signed=False), to, sender=stranger, at=LATER)
    with pytest.raises(inbox.MailRefused, match="too-many"):
        inbox.receive(b"From: x", Envelope(sender=stranger, recipient=to), at=LATER)
    told = InboundMail.objects.filter(notice__isnull=False).values_list("outcome", flat=True)
    assert sorted(told) == [Outcome.FOREIGN, *[Outcome.UNPROVED] * 3], "the same words are answered three times"
    assert not InboundMail.objects.filter(outcome=Outcome.FOREIGN, size__gt=0).exists()
    assert codes(send(write(to, move, sender=player.email), to, sender=player.email, at=LATER)) == ["played"]


def test_old_mails_are_emptied(by_mail: Game) -> None:
    taken = answer(mover(by_mail), "hello", at=LATER)
    assert inbox.forget(at=LATER + timedelta(days=13)) == 0
    assert inbox.forget(at=LATER + timedelta(days=15)) == 1
    taken.refresh_from_db()
    assert taken.raw == b""


def test_tokens_of_games_that_are_over_are_deleted_after_a_month(by_mail: Game, alice: Player, bob: Player) -> None:
    reply_to(call_of(mover(by_mail)))
    other = make_game(alice, bob)
    reply_to(Notice.objects.loaded().get(seat__game=other, kind=Notice.Kind.TURN))
    play_random(by_mail)
    inbox.forget(at=AT + timedelta(days=29))
    assert TurnToken.objects.count() == 2
    inbox.forget(at=AT + timedelta(days=60))
    assert TurnToken.objects.get().turns.get().seat.game == other
