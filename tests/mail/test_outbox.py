"""Who may send a mail, and who may say that it was sent (design 3.1)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games import outbox
from games.mail import delivery, forget_content, supersede_before
from games.mail.compose import render
from games.mail.delivery import LEASE, Ending
from games.mail.plan import Verdict, decide
from games.mail.sweeping import retry_quarantined
from games.mail.transport.connection import NotTaken, Outcome
from games.models import Game, Mail, Notice
from tests.cast import AT, play_random
from tests.mail.post_office import PostOffice
from tests.mail.taking_over import taken_over

State = Mail.State


def make(notice: Notice) -> Mail:
    """A mail of this notice and what is due with it, leased at AT."""
    mail = delivery.claim_for(notice, at=AT)
    assert mail is not None
    return mail


def refused(mail: Mail, text: str) -> Ending:
    return delivery.failed(mail, NotTaken(text, Outcome.REFUSED), at=AT)


def busy(mail: Mail, *, is_out: bool = False) -> Ending:
    """The server asks for patience, or its answer was never heard."""
    error = NotTaken("busy", Outcome.UNKNOWN if is_out else Outcome.NOT_SENT)
    return delivery.failed(mail, error, at=AT)


@pytest.fixture
def mail(turn: Notice) -> Mail:
    return make(turn)


def give_back(mail: Mail) -> None:
    """Let the mail be due to whoever asks first."""
    assert delivery.settle(mail, delivery.UNDRAWN) == State.DUE


def test_it_makes_one_mail_of_a_notice_that_is_due(turn: Notice) -> None:
    mail = delivery.claim_for(turn, at=AT)
    assert mail is not None
    assert (mail.state, mail.crashes, mail.lease_until, mail.dated_at) == (State.CLAIMED, 0, AT + LEASE, None)
    assert Notice.objects.get(pk=turn.pk).mail == mail
    assert delivery.claim_for(Notice.objects.get(pk=turn.pk), at=AT) is None
    assert delivery.claim_for(turn, at=AT) is None
    assert Mail.objects.count() == 1


def test_it_makes_no_mail_of_a_notice_before_it_is_due(turn: Notice) -> None:
    assert delivery.claim_for(turn, at=AT - timedelta(seconds=1)) is None
    Notice.objects.update(due_at=AT + timedelta(seconds=1))
    assert delivery.claim_for(turn, at=AT) is None
    assert not Mail.objects.exists()


def test_it_makes_no_mail_of_a_notice_that_is_gone(turn: Notice) -> None:
    assert delivery.deliver(turn.pk + 1000, at=AT) is None


def test_it_makes_no_mail_of_a_notice_that_nobody_reads(turn: Notice) -> None:
    turn.seat.player = turn.player = None  # type: ignore[assignment]
    with pytest.raises(ValueError, match="nobody reads"):
        delivery.claim_for(turn, at=AT)


def test_it_takes_nothing_that_another_mail_tells(turn: Notice) -> None:
    due = Notice.objects.loaded().get(pk=turn.pk)
    first = make(turn)
    assert delivery.claim_for(due, at=AT) is None
    assert Notice.objects.get(pk=turn.pk).mail == first


def test_it_leases_a_mail_that_is_due_to_one_sender_alone(mail: Mail) -> None:
    give_back(mail)
    held = delivery.claim(mail.pk, at=AT)
    assert held is not None
    assert (held.state, held.crashes, held.lease_until) == (State.CLAIMED, 0, AT + LEASE)
    assert delivery.claim(mail.pk, at=AT) is None
    assert delivery.claim(mail.pk, at=AT + LEASE - timedelta(seconds=1)) is None


def test_it_does_not_lease_a_mail_before_it_is_due_or_that_is_gone(mail: Mail) -> None:
    give_back(mail)
    assert delivery.claim(mail.pk, at=AT - timedelta(seconds=1)) is None
    assert delivery.claim(mail.pk + 1000, at=AT) is None


def test_it_gives_a_lease_that_ran_out_to_the_next_and_the_first_can_no_longer_change_it(
    mail: Mail, turn: Notice
) -> None:
    second = delivery.claim(mail.pk, at=AT + LEASE)
    assert second is not None
    assert second.crashes == 1
    before = list(Mail.objects.values()), list(Notice.objects.values())
    notices = delivery.notices_in(mail.pk)
    render(mail, notices, at=AT)
    assert not outbox.change(mail, **mail.content())
    for ending in (
        delivery.sent(at=AT + LEASE),
        delivery.not_wanted([Verdict(Notice.Reason.SEEN)]),
        delivery.not_wanted([Verdict(Notice.Reason.QUIET, AT + 2 * LEASE)]),
        delivery.UNDRAWN,
        busy(mail),
        refused(mail, "late"),
        delivery.quarantined(mail, Mail.Error.CRASHED, at=AT),
    ):
        assert delivery.settle(mail, ending) is None
    assert delivery.split(mail, notices, at=AT) is None
    assert delivery.drop_empty(mail) is None
    Notice.objects.filter(pk=turn.pk).update(ply=99)
    stale = delivery.notices_in(mail.pk)
    assert delivery.sort_out(mail, stale, [decide(notice, at=AT) for notice in stale]) == []
    Notice.objects.filter(pk=turn.pk).update(ply=0)
    assert (list(Mail.objects.values()), list(Notice.objects.values())) == before
    assert delivery.settle(second, delivery.sent(at=AT + LEASE)) == State.SENT


def test_it_sends_nothing_that_another_has_taken_over_while_it_was_rendered(
    turn: Notice, post_office: PostOffice
) -> None:
    with taken_over(Mail):
        assert delivery.deliver(turn.pk, at=AT) is None
    assert post_office.mails == []
    held = Mail.objects.get()
    assert (held.state, held.claim, held.is_rendered) == (State.CLAIMED, "another", False)


def test_it_never_sends_again_what_was_stamped(mail: Mail, turn: Notice) -> None:
    render(mail, delivery.notices_in(mail.pk), at=AT)
    assert outbox.change(mail, **mail.content())
    assert delivery.settle(mail, delivery.sent(at=AT)) == State.SENT
    assert delivery.settle(mail, delivery.sent(at=AT)) is None
    mail.refresh_from_db()
    turn.refresh_from_db()
    assert (mail.state, mail.sent_at, mail.claim, mail.lease_until) == (State.SENT, AT, "", None)
    assert (turn.state, turn.sent_at) == (Notice.State.SENT, AT)
    assert not mail.is_rendered
    assert delivery.claim(mail.pk, at=AT + timedelta(days=30)) is None
    assert delivery.deliver(turn.pk, at=AT + timedelta(days=30)) is None


def test_it_lets_a_mail_be_due_again_later(mail: Mail) -> None:
    ending = busy(mail)
    assert delivery.settle(mail, ending) == State.DUE
    mail.refresh_from_db()
    assert (mail.state, mail.error, mail.detail, mail.attempts) == (State.DUE, "provider", "busy", 1)
    assert mail.due_at == ending.row["due_at"] > AT
    assert delivery.claim(mail.pk, at=AT) is None
    assert delivery.claim(mail.pk, at=mail.due_at) is not None


@pytest.mark.parametrize("is_out", [True, False])
def test_it_keeps_the_content_of_what_may_be_out(mail: Mail, is_out: bool) -> None:
    render(mail, delivery.notices_in(mail.pk), at=AT)
    assert outbox.change(mail, **mail.content())
    content = bytes(mail.packed_html), bytes(mail.packed_text), mail.subject, mail.address
    assert delivery.settle(mail, busy(mail, is_out=is_out)) == State.DUE
    again = Mail.objects.get()
    assert (again.is_rendered, again.may_be_out) == (is_out, is_out)
    if is_out:
        assert (bytes(again.packed_html), bytes(again.packed_text), again.subject, again.address) == content


def test_it_sets_a_mail_aside(mail: Mail, turn: Notice) -> None:
    assert delivery.settle(mail, refused(mail, "550 no such user")) == State.QUARANTINED
    mail.refresh_from_db()
    turn.refresh_from_db()
    assert (mail.state, mail.error, mail.detail) == (State.QUARANTINED, "provider", "550 no such user")
    assert turn.state == Notice.State.QUARANTINED
    assert delivery.claim(mail.pk, at=AT + timedelta(days=30)) is None
    assert retry_quarantined(at=AT + timedelta(days=30)) == 0


def test_it_forgets_what_mails_said_that_nobody_sends_any_more(mail: Mail) -> None:
    render(mail, delivery.notices_in(mail.pk), at=AT)
    assert outbox.change(mail, **mail.content())
    assert delivery.settle(mail, refused(mail, "554 spam"))
    assert forget_content(at=AT + timedelta(days=13)) == 0
    assert Mail.objects.get().is_rendered
    assert forget_content(at=AT + timedelta(days=15)) == 1
    kept = Mail.objects.get()
    assert (kept.is_rendered, kept.address, kept.subject, kept.detail) == (False, "", "", "554 spam")


def test_it_keeps_what_mails_say_that_wait(mail: Mail) -> None:
    render(mail, delivery.notices_in(mail.pk), at=AT)
    assert outbox.change(mail, **mail.content())
    assert delivery.settle(mail, busy(mail, is_out=True))
    assert forget_content(at=AT + timedelta(days=15)) == 0


def test_it_reads_no_card_with_a_notice(mail: Mail) -> None:
    [found] = delivery.notices_in(mail.pk)
    assert {"clan", "entropy"} <= found.seat.get_deferred_fields()


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
