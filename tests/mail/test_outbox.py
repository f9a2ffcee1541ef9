"""Who may send a notice, and who may say that it was sent (design 2.5)."""

from __future__ import annotations

from datetime import timedelta

from games.mail import forgo
from games.mail.outbox import LEASE, claim, put_off, quarantine, settle, stamp_sent
from games.mail.plan import Verdict
from games.models import Game, Notice
from tests.cast import AT, play_random


def test_it_leases_a_notice_that_is_due_to_one_sender_alone(turn: Notice) -> None:
    held = claim(turn.pk, at=AT)
    assert held is not None
    assert (held.state, held.crashes, held.lease_until, held.dated_at) == (Notice.State.CLAIMED, 0, AT + LEASE, AT)
    assert claim(turn.pk, at=AT) is None
    assert claim(turn.pk, at=AT + LEASE - timedelta(seconds=1)) is None


def test_it_does_not_lease_a_notice_before_it_is_due(turn: Notice) -> None:
    assert claim(turn.pk, at=AT - timedelta(seconds=1)) is None
    turn.refresh_from_db()
    assert (turn.state, turn.dated_at) == (Notice.State.DUE, None)


def test_it_does_not_lease_a_notice_that_is_gone(turn: Notice) -> None:
    assert claim(turn.pk + 1000, at=AT) is None


def test_it_gives_a_lease_that_ran_out_to_the_next_and_the_first_can_no_longer_stamp(turn: Notice) -> None:
    first = claim(turn.pk, at=AT)
    second = claim(turn.pk, at=AT + LEASE)
    assert first is not None
    assert second is not None
    assert (second.crashes, second.dated_at) == (1, AT)
    assert not stamp_sent(first, at=AT + LEASE)
    assert not settle(first, Verdict(Notice.Reason.SEEN), at=AT)
    assert not put_off(first, until=AT, error="late", may_have_gone=False)
    assert not quarantine(first, error="late")
    turn.refresh_from_db()
    assert (turn.state, turn.claim) == (Notice.State.CLAIMED, second.claim)
    assert stamp_sent(second, at=AT + LEASE)


def test_it_never_sends_again_what_was_stamped(turn: Notice) -> None:
    held = claim(turn.pk, at=AT)
    assert held is not None
    assert stamp_sent(held, at=AT)
    assert not stamp_sent(held, at=AT)
    turn.refresh_from_db()
    assert (turn.state, turn.sent_at, turn.claim, turn.lease_until) == (Notice.State.SENT, AT, "", None)
    assert claim(turn.pk, at=AT + timedelta(days=30)) is None


def test_it_lets_a_notice_be_due_again_later(turn: Notice) -> None:
    held = claim(turn.pk, at=AT)
    assert held is not None
    assert put_off(held, until=AT + timedelta(minutes=1), error="451 busy " + "x" * 400, may_have_gone=False)
    turn.refresh_from_db()
    assert (turn.state, len(turn.error)) == (Notice.State.DUE, 300)
    assert claim(turn.pk, at=AT) is None
    assert claim(turn.pk, at=AT + timedelta(minutes=1)) is not None


def test_it_sets_a_notice_aside(turn: Notice) -> None:
    held = claim(turn.pk, at=AT)
    assert held is not None
    assert quarantine(held, error="550 no such user")
    turn.refresh_from_db()
    assert (turn.state, turn.error) == (Notice.State.QUARANTINED, "550 no such user")
    assert claim(turn.pk, at=AT + timedelta(days=30)) is None


def test_it_reads_no_card_with_a_claim(turn: Notice) -> None:
    held = claim(turn.pk, at=AT)
    assert held is not None
    assert {"clan", "entropy"} <= held.seat.get_deferred_fields()


def test_it_forgoes_what_was_due_long_ago(game: Game) -> None:
    play_random(game, 3)
    assert forgo(before=AT + timedelta(hours=6)) == 4
    left = Notice.objects.filter(state=Notice.State.DUE)
    assert [notice.ply for notice in left.order_by("ply")] == [2, 3]


def test_it_owes_each_mail_under_an_id_of_its_own(game: Game) -> None:
    play_random(game, 12)
    ids = list(Notice.objects.values_list("message_id", flat=True))
    assert len(set(ids)) == len(ids) == 15
    assert all(id_.startswith("<") and id_.endswith("@localhost>") for id_ in ids)
