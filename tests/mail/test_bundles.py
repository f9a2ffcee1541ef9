"""What is due to one reader at the same time goes as one mail, and stays one when it has to be sent again."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest

from games import mail
from games.mail import delivery
from games.mail.delivery import LEASE, Ending
from games.mail.illustrate import NotDrawn
from games.mail.plan import Verdict
from games.mail.transport.connection import NotTaken, Outcome
from games.models import Mail, Notice, Player
from games.outbox import MAX_CRASHES
from tests.cast import AT, make_game
from tests.mail.composed import compose, id_of
from tests.mail.post_office import PostOffice
from tests.mail.senders import Deaf, Dying
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


def rows() -> list[tuple[str, bool]]:
    """The state of each notice, and whether a mail tells it."""
    found = Notice.objects.order_by("pk").values_list("state", "mail")
    return [(state, mail is not None) for state, mail in found]


def mails_of(notices: list[Notice]) -> list[int | None]:
    """The keys of the mails that tell these."""
    return [Notice.objects.get(pk=notice.pk).mail_id for notice in notices]


def test_it_sends_what_is_due_together_as_one_mail(notices: list[Notice], post_office: PostOffice) -> None:
    assert mail.deliver(notices[1].pk, at=NOW) == State.SENT
    [sent] = Mail.objects.all()
    assert post_office.ids == [sent.message_id]
    assert rows() == [(State.SENT, True)] * 3
    assert mails_of(notices) == [sent.pk] * 3
    assert (sent.state, sent.sent_at, sent.claim, sent.lease_until) == (Mail.State.SENT, NOW, "", None)
    assert set(Notice.objects.values_list("sent_at", flat=True)) == {NOW}
    assert mail.sweep(at=NOW) == 0


@asks_sqlite
def test_it_looks_at_no_mails_but_its_readers(notices: list[Notice], post_office: PostOffice) -> None:
    """However many were sent in years: SQLite is asked how it finds what it reads and changes."""
    steps = steps_of(lambda: mail.deliver(notices[1].pk, at=NOW))
    found = [step for step in steps if "games_notice" in step]
    assert len(found) >= 5
    few = r"PRIMARY KEY|seat_id=|notice_in_mail \(mail_id=|notice_due_to \(player_id="
    assert [step for step in found if not re.search(few, step)] == []


def test_it_is_of_the_kind_that_it_tells(alice: Player, bob: Player) -> None:
    """That a game has begun is not told to who is called to it in the same mail."""
    game = make_game(alice, bob)
    seat = game.seats.get(number=game.to_move)
    turn = Notice.objects.get(seat=seat, kind=Notice.Kind.TURN)
    started = Notice.objects.create(seat=seat, kind=Notice.Kind.STARTED, ply=0, created_at=AT, due_at=AT)
    assert compose([started, turn], at=NOW).extra_headers["X-Clans-Kind"] == "turn"


def test_it_leaves_behind_what_is_not_due_yet(notices: list[Notice], post_office: PostOffice) -> None:
    assert mail.deliver(notices[0].pk, at=AT + timedelta(minutes=1)) == State.SENT
    assert rows() == [(State.SENT, True), (State.SENT, True), (State.DUE, False)]


def test_it_leaves_behind_what_is_no_longer_true(notices: list[Notice], post_office: PostOffice) -> None:
    Notice.objects.filter(pk=notices[2].pk).update(kind=Notice.Kind.REMINDER, ply=7)
    assert mail.deliver(notices[0].pk, at=NOW) == State.SENT
    assert rows() == [(State.SENT, True), (State.SENT, True), (State.SUPERSEDED, False)]
    assert Notice.objects.get(pk=notices[2].pk).reason == Notice.Reason.PAST


def test_it_keeps_a_test_mail_to_itself(notices: list[Notice], post_office: PostOffice) -> None:
    Notice.objects.filter(pk=notices[0].pk).update(kind=Notice.Kind.TEST)
    assert mail.deliver(notices[1].pk, at=NOW) == State.SENT
    assert rows() == [(State.DUE, False), (State.SENT, True), (State.SENT, True)]
    make_game(notices[0].seat.player, notices[0].seat.game.opener, at=AT)  # type: ignore[arg-type]
    assert mail.deliver(notices[0].pk, at=NOW) == State.SENT
    assert Notice.objects.filter(mail=mails_of(notices)[0]).count() == 1


def test_it_keeps_a_test_mail_to_itself_when_it_goes_again(notices: list[Notice], post_office: PostOffice) -> None:
    Notice.objects.filter(pk=notices[0].pk).update(kind=Notice.Kind.TEST)
    post_office.answers = ["451 busy"]
    assert mail.deliver(notices[0].pk, at=NOW) == State.DUE
    assert mail.deliver(notices[0].pk, at=NOW + timedelta(minutes=1)) == State.SENT
    assert rows() == [(State.SENT, True), (State.DUE, False), (State.DUE, False)]


def taken(notice: Notice) -> Mail:
    """The mail of a notice with all that is due to its reader; its sender dies at once."""
    made = delivery.claim_for(notice, at=NOW)
    assert made is not None
    return made


def test_it_keeps_together_what_was_surely_not_sent_and_adds_what_is_due_since(
    notices: list[Notice], post_office: PostOffice, alice: Player, bob: Player
) -> None:
    post_office.answers = ["451 busy"]
    assert mail.deliver(notices[0].pk, at=NOW) == State.DUE
    assert rows() == [(State.DUE, True)] * 3
    assert set(Notice.objects.values_list("reason", flat=True)) == {"retry"}
    [waits] = Mail.objects.all()
    assert (waits.attempts, waits.dated_at, waits.is_rendered) == (1, None, False)
    make_game(alice, bob, at=NOW)
    Notice.objects.filter(seat__player=alice).delete()
    later = NOW + timedelta(minutes=1)
    assert mail.sweep(at=later) == 1
    assert post_office.ids == [waits.message_id]
    assert rows() == [(State.SENT, True)] * 4
    assert set(Notice.objects.values_list("mail", flat=True)) == {waits.pk}


def test_it_drops_of_what_was_surely_not_sent_what_is_no_longer_true(
    notices: list[Notice], post_office: PostOffice
) -> None:
    post_office.answers = ["451 busy"]
    mail.deliver(notices[0].pk, at=NOW)
    Notice.objects.filter(pk=notices[2].pk).update(kind=Notice.Kind.REMINDER, ply=7)
    assert mail.sweep(at=NOW + timedelta(minutes=1)) == 1
    assert rows() == [(State.SENT, True), (State.SENT, True), (State.SUPERSEDED, False)]


def test_it_leaves_no_mail_of_which_nothing_is_true(notices: list[Notice], post_office: PostOffice) -> None:
    post_office.answers = ["451 busy"]
    mail.deliver(notices[0].pk, at=NOW)
    Notice.objects.update(kind=Notice.Kind.REMINDER, ply=7)
    assert mail.sweep(at=NOW + timedelta(minutes=1)) == 1
    assert not Mail.objects.exists()
    assert rows() == [(State.SUPERSEDED, False)] * 3
    assert not post_office.mails


def test_it_sends_the_same_again_when_the_mail_may_have_gone_out(
    notices: list[Notice], post_office: PostOffice, alice: Player, bob: Player
) -> None:
    with Deaf() as connection:
        assert mail.deliver(notices[0].pk, at=NOW, connection=connection) == State.DUE
    assert rows() == [(State.DUE, True)] * 3
    assert Mail.objects.get().is_rendered
    make_game(alice, bob, at=NOW)
    Notice.objects.filter(seat__player=alice).delete()
    later = NOW + timedelta(minutes=1)
    assert mail.deliver(notices[1].pk, at=later) == State.SENT
    assert post_office.raw[0] == post_office.raw[1]
    assert rows() == [(State.SENT, True)] * 3 + [(State.DUE, False)]


def test_it_sends_the_same_again_when_its_sender_was_killed(notices: list[Notice], post_office: PostOffice) -> None:
    with pytest.raises(KeyboardInterrupt), Dying() as connection:
        mail.deliver(notices[0].pk, at=NOW, connection=connection)
    assert rows() == [(State.DUE, True)] * 3
    assert Mail.objects.get().state == Mail.State.CLAIMED
    assert mail.sweep(at=NOW + LEASE - timedelta(seconds=1)) == 0
    assert mail.sweep(at=NOW + LEASE) == 1
    assert post_office.raw[0] == post_office.raw[1]
    assert rows() == [(State.SENT, True)] * 3


def kill_senders(made: Mail, *, crashes: int = MAX_CRASHES) -> datetime:
    """Let so many senders die over a mail; when the lease of the last runs out. Its first was held at NOW."""
    at = NOW + LEASE
    for _crash in range(crashes - 1):
        assert delivery.claim(made.pk, at=at) is not None
        at += LEASE
    return at


def test_it_sends_each_alone_of_what_three_senders_died_of(notices: list[Notice], post_office: PostOffice) -> None:
    made = taken(notices[0])
    at = kill_senders(made)
    assert mail.deliver(notices[0].pk, at=at) == State.SUPERSEDED
    assert rows() == [(State.DUE, True)] * 3
    assert len(set(mails_of(notices)) - {made.pk}) == 3
    assert mail.sweep(at=at) == 3
    assert rows() == [(State.SENT, True)] * 3
    assert sorted(post_office.ids) == sorted(map(id_of, notices))
    assert made.message_id not in post_office.ids


def test_it_sets_aside_the_one_that_senders_still_die_of(notices: list[Notice], post_office: PostOffice) -> None:
    at = kill_senders(taken(notices[0]))
    mail.deliver(notices[0].pk, at=at)
    poison = Notice.objects.get(pk=notices[1].pk).mail_id
    assert poison is not None
    assert delivery.claim(poison, at=at) is not None
    assert mail.sweep(at=at) == 2
    at += LEASE
    assert mail.sweep(at=at) == 1
    assert rows() == [(State.SENT, True), (State.QUARANTINED, True), (State.SENT, True)]
    aside = Mail.objects.get(pk=poison)
    assert (aside.state, aside.error) == (Mail.State.QUARANTINED, "crashed")
    assert mail.sweep(at=aside.due_at) == 1
    assert rows()[1] == (State.SENT, True)
    assert post_office.ids[-1] == aside.message_id


def test_it_never_takes_what_another_sender_holds(notices: list[Notice], post_office: PostOffice) -> None:
    Notice.objects.filter(pk__in=[one.pk for one in notices[:2]]).update(due_at=NOW + LEASE)
    taken(notices[2])
    Notice.objects.filter(pk__in=[one.pk for one in notices[:2]]).update(due_at=NOW)
    assert mail.deliver(notices[0].pk, at=NOW) == State.SENT
    assert rows() == [(State.SENT, True), (State.SENT, True), (State.DUE, True)]
    assert mail.deliver(notices[2].pk, at=NOW) is None


def refused(made: Mail) -> Ending:
    return delivery.failed(made, NotTaken("554 spam", Outcome.REFUSED), at=NOW)


@pytest.mark.parametrize("late", ["settle", "wait", "quarantine", "split"])
def test_it_leaves_the_mail_to_who_holds_it_now(notices: list[Notice], late: str) -> None:
    """A sender comes back from the dead when another has taken the mail over, with all that it tells."""
    dead = taken(notices[0])
    heir = delivery.claim(dead.pk, at=NOW + LEASE)
    assert heir is not None
    assert len(delivery.notices_in(heir.pk)) == 3
    before = list(Notice.objects.order_by("pk").values()), list(Mail.objects.values())
    match late:
        case "quarantine":
            assert delivery.settle(dead, refused(dead)) is None
        case "split":
            assert delivery.split(dead, notices, at=NOW) is None
        case "wait":
            assert delivery.settle(dead, delivery.not_wanted([Verdict("past", NOW + LEASE)])) is None
        case _:
            assert delivery.settle(dead, delivery.not_wanted([Verdict("past")])) is None
    assert (list(Notice.objects.order_by("pk").values()), list(Mail.objects.values())) == before


def test_it_holds_no_lease_while_pictures_are_drawn(
    notices: list[Notice], post_office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is killed over what takes long has not crashed over the mail."""
    held: list[str] = []
    draw = NotDrawn.draw

    def draw_and_look(undrawn: NotDrawn) -> None:
        held.extend(Mail.objects.values_list("state", flat=True))
        draw(undrawn)

    monkeypatch.setattr(NotDrawn, "draw", draw_and_look)
    assert mail.deliver(notices[0].pk, at=NOW) == State.SENT
    assert held == [Mail.State.DUE]
    assert len(post_office.mails) == 1


@pytest.fixture
def alone(notices: list[Notice]) -> Mail:
    """A mail of the first notice alone, whose sender has died at NOW."""
    Notice.objects.filter(pk__in=[one.pk for one in notices[1:]]).update(due_at=NOW + timedelta(days=9))
    return taken(notices[0])


def test_it_gives_another_chance_to_what_senders_died_of(
    alone: Mail, notices: list[Notice], post_office: PostOffice
) -> None:
    at = kill_senders(alone)
    assert mail.deliver(notices[0].pk, at=at) == State.QUARANTINED
    aside = Mail.objects.get()
    assert aside.due_at == at + 4 * LEASE == Notice.objects.get(pk=notices[0].pk).due_at
    assert mail.sweep(at=aside.due_at - timedelta(seconds=1)) == 0
    assert not post_office.ids
    assert delivery.claim(aside.pk, at=aside.due_at) is None
    assert mail.sweep(at=aside.due_at) == 1
    assert post_office.ids == [alone.message_id]


def test_it_waits_longer_for_each_further_chance(alone: Mail, notices: list[Notice]) -> None:
    Mail.objects.update(crashes=2, attempts=3)
    later = NOW + LEASE
    assert mail.deliver(notices[0].pk, at=later) == State.QUARANTINED
    assert Mail.objects.get().due_at == later + 4 * 8 * LEASE


def test_it_gives_no_other_chance_to_what_was_refused(alone: Mail, post_office: PostOffice) -> None:
    assert delivery.settle(alone, refused(alone)) == State.QUARANTINED
    mail.sweep(at=NOW + timedelta(days=8))
    assert post_office.ids == []
