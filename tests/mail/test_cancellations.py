"""The mails that a season was closed before it began, over a real mail server."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from games import mail, outbox, play, tasks
from games.mail.delivery import LEASE
from games.mail.sweeping import RETENTION
from games.models import Cancellation, Player, Season
from tests.cast import AT
from tests.mail.post_office import PostOffice

pytestmark = pytest.mark.django_db
State = Cancellation.State


@pytest.fixture
def season(alice: Player, bob: Player) -> Season:
    """Open, by alice, with bob in it."""
    season = play.open_season(alice, name="Spring league", size=2, rounds=3, key="1", at=AT)
    play.join_season(season, player=bob, at=AT)
    return season


@pytest.fixture
def to_bob(season: Season, alice: Player) -> Cancellation:
    play.close_season(season, by=alice, at=AT)
    return Cancellation.objects.get()


def test_it_goes_once(to_bob: Cancellation, post_office: PostOffice) -> None:
    assert mail.sweep_cancellations(at=AT) == 1
    assert mail.deliver_cancellation(to_bob.pk, at=AT + LEASE) is None
    assert mail.sweep_cancellations(at=AT + LEASE) == 0
    [received] = post_office.mails
    assert (received["To"], received["Message-ID"]) == ("bob@example.com", to_bob.message_id)
    to_bob.refresh_from_db()
    assert (to_bob.state, to_bob.sent_at, to_bob.is_rendered) == (State.SENT, AT, False)


def test_a_sweep_sends_it(to_bob: Cancellation, post_office: PostOffice) -> None:
    assert tasks.sweep_all().mails == 1
    assert [received["To"] for received in post_office.mails] == ["bob@example.com"]


def test_it_says_what_has_become_of_the_season_and_how_to_stop_mails(
    to_bob: Cancellation, bob: Player, post_office: PostOffice
) -> None:
    mail.sweep_cancellations(at=AT)
    [received] = post_office.mails
    assert received["Subject"] == "The season will not be played: Spring league"
    [stop] = [received["List-Unsubscribe"].strip("<>")]
    for kind in ("plain", "html"):
        part = str(received.get_body((kind,)).get_content())  # type: ignore[union-attr]
        for said in (
            "The season Spring league will not be played.",
            "This season was closed before it began.",
            "You get this mail because you had joined this season.",
            f"/leagues/{to_bob.season.slug}/",
            "/preferences/mail/",
            stop,
        ):
            assert said in part
        assert "alice" not in part
    Client().post(stop.removeprefix("http://testserver").removeprefix("http://localhost:8000"), {})
    bob.refresh_from_db()
    assert bob.mail_mode == "nothing"


def test_it_says_that_nobody_began_the_season_in_time(season: Season, post_office: PostOffice) -> None:
    late = AT + timedelta(days=30)
    play.expire_seasons(at=late)
    assert mail.sweep_cancellations(at=late) == 2
    assert {received["To"] for received in post_office.mails} == {"alice@example.com", "bob@example.com"}
    for received in post_office.mails:
        text = str(received.get_body(("plain",)).get_content())  # type: ignore[union-attr]
        assert "Nobody began this season within 30 days, so it was closed." in text
        assert ("because you have opened this season" in text) == received["To"].startswith("alice")


@pytest.mark.parametrize(
    ("wishes", "goes"),
    [
        ({}, True),
        ({"mail_mode": "digest"}, True),
        ({"mail_mode": "reminders"}, False),
        ({"mail_mode": "nothing"}, False),
        ({"mail_bounced_at": AT}, False),
        ({"is_active": False}, False),
    ],
)
def test_it_goes_to_who_wants_mail(
    to_bob: Cancellation, post_office: PostOffice, wishes: dict[str, object], goes: bool
) -> None:
    Player.objects.filter(username="bob").update(**wishes)
    assert mail.deliver_cancellation(to_bob.pk, at=AT) == (State.SENT if goes else State.SUPERSEDED)
    assert len(post_office.mails) == goes


def test_it_waits_for_the_morning_of_its_reader(to_bob: Cancellation, bob: Player, post_office: PostOffice) -> None:
    Player.objects.filter(pk=bob.pk).update(quiet_from="20:00", quiet_until="07:00")
    assert mail.deliver_cancellation(to_bob.pk, at=AT) == State.DUE
    assert post_office.mails == []
    to_bob.refresh_from_db()
    assert mail.deliver_cancellation(to_bob.pk, at=to_bob.due_at) == State.SENT


def test_one_over_which_its_senders_die_is_set_aside_and_tried_again(
    to_bob: Cancellation, post_office: PostOffice
) -> None:
    at = AT
    for _death in range(outbox.MAX_CRASHES):
        assert outbox.claim(Cancellation.objects.all(), to_bob.pk, at=at, lease=LEASE)
        at += LEASE
    assert mail.sweep_cancellations(at=at) == 1
    to_bob.refresh_from_db()
    assert (to_bob.state, to_bob.error) == (State.QUARANTINED, "crashed")
    assert mail.sweep_cancellations(at=to_bob.due_at) == 1
    assert len(post_office.mails) == 1


def test_it_is_forgotten_after_two_weeks(to_bob: Cancellation, post_office: PostOffice) -> None:
    late = AT + RETENTION + timedelta(seconds=1)
    assert (mail.forget_content(at=late), Cancellation.objects.count()) == (0, 1)
    mail.sweep_cancellations(at=AT)
    assert (mail.forget_content(at=AT + RETENTION), Cancellation.objects.count()) == (0, 1)
    assert (mail.forget_content(at=late), Cancellation.objects.count()) == (1, 0)


def test_closing_the_account_removes_it(to_bob: Cancellation, bob: Player, post_office: PostOffice) -> None:
    play.close_account(bob, at=AT)
    assert mail.sweep_cancellations(at=AT) == 0
    assert not Cancellation.objects.exists()
