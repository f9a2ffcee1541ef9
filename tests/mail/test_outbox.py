"""Who may send a mail, and who may say that it was sent (design 2.5)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games import outbox
from games.mail import batch, supersede_before
from games.mail.batch import LEASE
from games.mail.compose import render
from games.mail.plan import Verdict
from games.models import Game, Mail, Notice
from tests.cast import AT, play_random

State = Mail.State


def make(notice: Notice) -> Mail:
    """A mail of this notice and what is due with it, leased at AT."""
    mail = batch.make(batch.due_with(notice.pk, at=AT), at=AT)
    assert mail is not None
    return mail


@pytest.fixture
def mail(turn: Notice) -> Mail:
    return make(turn)


def give_back(mail: Mail) -> None:
    """Let the mail be due to whoever asks first."""
    assert batch.hand_back(mail)


def test_it_makes_one_mail_of_a_notice_that_is_due(turn: Notice) -> None:
    due = batch.due_with(turn.pk, at=AT)
    mail = batch.make(due, at=AT)
    assert mail is not None
    assert (mail.state, mail.crashes, mail.lease_until, mail.dated_at) == (State.CLAIMED, 0, AT + LEASE, None)
    assert Notice.objects.get(pk=turn.pk).mail == mail
    assert batch.due_with(turn.pk, at=AT) == []
    assert batch.make(due, at=AT) is None
    assert Mail.objects.count() == 1


def test_it_makes_no_mail_of_a_notice_before_it_is_due(turn: Notice) -> None:
    assert batch.due_with(turn.pk, at=AT - timedelta(seconds=1)) == []


def test_it_makes_no_mail_of_a_notice_that_is_gone(turn: Notice) -> None:
    assert batch.due_with(turn.pk + 1000, at=AT) == []


def test_it_makes_no_mail_of_a_notice_that_nobody_reads(turn: Notice) -> None:
    turn.seat.player = turn.player = None  # type: ignore[assignment]
    with pytest.raises(ValueError, match="nobody reads"):
        batch.make([turn], at=AT)


def test_it_takes_nothing_that_another_mail_tells(turn: Notice) -> None:
    due = batch.due_with(turn.pk, at=AT)
    first = make(turn)
    assert batch.make(due, at=AT) is None
    assert Notice.objects.get(pk=turn.pk).mail == first


def test_it_leases_a_mail_that_is_due_to_one_sender_alone(mail: Mail) -> None:
    give_back(mail)
    held = batch.claim(mail.pk, at=AT)
    assert held is not None
    assert (held.state, held.crashes, held.lease_until) == (State.CLAIMED, 0, AT + LEASE)
    assert batch.claim(mail.pk, at=AT) is None
    assert batch.claim(mail.pk, at=AT + LEASE - timedelta(seconds=1)) is None


def test_it_does_not_lease_a_mail_before_it_is_due_or_that_is_gone(mail: Mail) -> None:
    give_back(mail)
    assert batch.claim(mail.pk, at=AT - timedelta(seconds=1)) is None
    assert batch.claim(mail.pk + 1000, at=AT) is None


def test_it_gives_a_lease_that_ran_out_to_the_next_and_the_first_can_no_longer_change_it(
    mail: Mail, turn: Notice
) -> None:
    second = batch.claim(mail.pk, at=AT + LEASE)
    assert second is not None
    assert second.crashes == 1
    before = list(Mail.objects.values()), list(Notice.objects.values())
    render(mail, batch.notices_in(mail), at=AT)
    assert not batch.keep_content(mail)
    assert not batch.stamp_sent(mail, at=AT + LEASE)
    assert not batch.supersede(mail, Verdict(Notice.Reason.SEEN))
    assert not batch.put_off(mail, Verdict(Notice.Reason.QUIET, AT + 2 * LEASE))
    assert not batch.hand_back(mail)
    assert not batch.retry(mail, until=AT, error="busy", detail="late", is_out=False)
    assert not batch.quarantine(mail, at=AT, error="refused", detail="late")
    assert not batch.split(mail, batch.notices_in(mail), at=AT)
    batch.drop_empty(mail)
    Notice.objects.filter(pk=turn.pk).update(ply=99)
    assert batch.sort_out(batch.notices_in(mail), at=AT, mail=mail) == []
    Notice.objects.filter(pk=turn.pk).update(ply=0)
    assert (list(Mail.objects.values()), list(Notice.objects.values())) == before
    assert batch.stamp_sent(second, at=AT + LEASE)


def test_it_never_sends_again_what_was_stamped(mail: Mail, turn: Notice) -> None:
    render(mail, batch.notices_in(mail), at=AT)
    assert batch.keep_content(mail)
    assert batch.stamp_sent(mail, at=AT)
    assert not batch.stamp_sent(mail, at=AT)
    mail.refresh_from_db()
    turn.refresh_from_db()
    assert (mail.state, mail.sent_at, mail.claim, mail.lease_until) == (State.SENT, AT, "", None)
    assert (turn.state, turn.sent_at) == (Notice.State.SENT, AT)
    assert not mail.is_rendered
    assert batch.claim(mail.pk, at=AT + timedelta(days=30)) is None
    assert batch.due_with(turn.pk, at=AT + timedelta(days=30)) == []


def test_it_lets_a_mail_be_due_again_later(mail: Mail) -> None:
    later = AT + timedelta(minutes=1)
    assert batch.retry(mail, until=later, error="busy", detail="451 busy", is_out=False)
    mail.refresh_from_db()
    assert (mail.state, mail.error, mail.detail, mail.attempts) == (State.DUE, "busy", "451 busy", 1)
    assert batch.claim(mail.pk, at=AT) is None
    assert batch.claim(mail.pk, at=later) is not None


@pytest.mark.parametrize("is_out", [True, False])
def test_it_keeps_the_content_of_what_may_be_out(mail: Mail, is_out: bool) -> None:
    render(mail, batch.notices_in(mail), at=AT)
    assert batch.keep_content(mail)
    content = bytes(mail.packed_html), bytes(mail.packed_text), mail.subject, mail.address
    assert batch.retry(mail, until=AT, error="no_answer", detail="", is_out=is_out)
    again = Mail.objects.get()
    assert (again.is_rendered, again.may_be_out) == (is_out, is_out)
    if is_out:
        assert (bytes(again.packed_html), bytes(again.packed_text), again.subject, again.address) == content


def test_it_sets_a_mail_aside(mail: Mail, turn: Notice) -> None:
    assert batch.quarantine(mail, at=AT, error="refused", detail="550 no such user")
    mail.refresh_from_db()
    turn.refresh_from_db()
    assert (mail.state, mail.error, mail.detail) == (State.QUARANTINED, "refused", "550 no such user")
    assert turn.state == Notice.State.QUARANTINED
    assert batch.claim(mail.pk, at=AT + timedelta(days=30)) is None
    assert batch.retry_quarantined(at=AT + timedelta(days=30)) == 0


def test_it_forgets_what_mails_said_that_nobody_sends_any_more(mail: Mail) -> None:
    render(mail, batch.notices_in(mail), at=AT)
    assert batch.keep_content(mail)
    assert batch.quarantine(mail, at=AT, error="refused", detail="554 spam")
    assert batch.forget_content(at=AT + timedelta(days=13)) == 0
    assert Mail.objects.get().is_rendered
    assert batch.forget_content(at=AT + timedelta(days=15)) == 1
    kept = Mail.objects.get()
    assert (kept.is_rendered, kept.address, kept.subject, kept.detail) == (False, "", "", "554 spam")


def test_it_keeps_what_mails_say_that_wait(mail: Mail) -> None:
    render(mail, batch.notices_in(mail), at=AT)
    assert batch.keep_content(mail)
    assert batch.retry(mail, until=AT, error="no_answer", detail="", is_out=True)
    assert batch.forget_content(at=AT + timedelta(days=15)) == 0


def test_it_reads_no_card_with_a_notice(turn: Notice) -> None:
    [found] = batch.due_with(turn.pk, at=AT)
    assert {"clan", "entropy"} <= found.seat.get_deferred_fields()
    mail = batch.make([found], at=AT)
    assert mail is not None
    assert {"clan", "entropy"} <= batch.notices_in(mail)[0].seat.get_deferred_fields()


def test_it_supersedes_what_was_due_long_ago(game: Game) -> None:
    play_random(game, 3)
    assert supersede_before(AT + timedelta(hours=6)) == 4
    left = Notice.objects.filter(state=Notice.State.DUE)
    assert [notice.ply for notice in left.order_by("ply")] == [2, 3]


def test_it_sends_each_mail_under_an_id_of_its_own(game: Game) -> None:
    for notice in Notice.objects.order_by("pk"):
        make(notice)
    ids = list(Mail.objects.values_list("message_id", flat=True))
    assert len(set(ids)) == len(ids) == 3
    assert all(id_.startswith("<") and id_.endswith("@localhost>") for id_ in ids)


def test_it_waits_longer_each_time_up_to_an_hour() -> None:
    for attempts in range(1, 50):
        longest = min(timedelta(seconds=30) * 2 ** min(attempts - 1, 10), timedelta(hours=1))
        waits = [outbox.backoff(attempts) for _try in range(50)]
        assert longest / 2 <= min(waits)
        assert max(waits) <= longest
        assert len(set(waits)) > 1
