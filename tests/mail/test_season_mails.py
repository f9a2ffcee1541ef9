"""The mails about seasons to those who have no seat in them, over a real mail server."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from games import mail, outbox, play, tasks
from games.mail.delivery import LEASE
from games.mail.sweeping import RETENTION
from games.models import Game, Player, Season, SeasonMail
from tests.cast import AT, make_player, play_out
from tests.mail.post_office import PostOffice

pytestmark = pytest.mark.django_db
State = SeasonMail.State


@pytest.fixture
def season(alice: Player, bob: Player) -> Season:
    """Open, by alice, with bob in it."""
    season = play.open_season(alice, name="Spring league", size=2, rounds=3, key="1", at=AT)
    play.join_season(season, player=bob, at=AT)
    return season


@pytest.fixture
def people(db: None) -> list[Player]:
    return [make_player(name) for name in ("ada", "ben", "cid", "dan")]


@pytest.fixture
def to_bob(season: Season, alice: Player) -> SeasonMail:
    play.close_season(season, by=alice, at=AT)
    return SeasonMail.objects.get()


def test_it_goes_once(to_bob: SeasonMail, post_office: PostOffice) -> None:
    assert mail.sweep_season_mails(at=AT) == 1
    assert mail.deliver_season_mail(to_bob.pk, at=AT + LEASE) is None
    assert mail.sweep_season_mails(at=AT + LEASE) == 0
    [received] = post_office.mails
    assert (received["To"], received["Message-ID"]) == ("bob@example.com", to_bob.message_id)
    to_bob.refresh_from_db()
    assert (to_bob.state, to_bob.sent_at, to_bob.is_rendered) == (State.SENT, AT, False)


def test_a_sweep_sends_it(to_bob: SeasonMail, post_office: PostOffice) -> None:
    assert tasks.sweep_all().mails == 1
    assert [received["To"] for received in post_office.mails] == ["bob@example.com"]


def test_it_says_what_has_become_of_the_season_and_how_to_stop_mails(
    to_bob: SeasonMail, bob: Player, post_office: PostOffice
) -> None:
    mail.sweep_season_mails(at=AT)
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


def test_it_tells_an_opener_who_did_not_play_who_has_won(people: list[Player], post_office: PostOffice) -> None:
    opener, *players = people[:4]
    season = play.open_season(opener, name="Club league", size=3, rounds=1, plays=False, key="1", at=AT)
    for player in players:
        play.join_season(season, player=player, at=AT)
    play.begin_season(season, by=opener, at=AT)
    play.advance_season(season.pk, at=AT)
    play_out(Game.objects.get())
    play.advance_season(season.pk, at=AT)
    assert mail.sweep_season_mails(at=AT) == 1
    [received] = [each for each in post_office.mails if each["To"] == opener.email]
    assert (received["Subject"], received["X-Clans-Kind"]) == ("The season is over: Club league", "season")
    names = {player.pk: player.username for player in players}
    first = season.standings()[0]
    for kind in ("plain", "html"):
        part = " ".join(str(received.get_body((kind,)).get_content()).split())  # type: ignore[union-attr]
        for said in (
            "The season Club league is over.",
            f"Place 1: {names[first.player]}, ",
            "You get this mail because you have opened this season.",
            f"/leagues/{season.slug}/",
        ):
            assert said in part


def test_it_says_that_nobody_began_the_season_in_time(season: Season, post_office: PostOffice) -> None:
    late = AT + timedelta(days=30)
    play.expire_seasons(at=late)
    assert mail.sweep_season_mails(at=late) == 2
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
    to_bob: SeasonMail, post_office: PostOffice, wishes: dict[str, object], goes: bool
) -> None:
    Player.objects.filter(username="bob").update(**wishes)
    assert mail.deliver_season_mail(to_bob.pk, at=AT) == (State.SENT if goes else State.SUPERSEDED)
    assert len(post_office.mails) == goes


def test_it_waits_for_the_morning_of_its_reader(to_bob: SeasonMail, bob: Player, post_office: PostOffice) -> None:
    Player.objects.filter(pk=bob.pk).update(quiet_from="20:00", quiet_until="07:00")
    assert mail.deliver_season_mail(to_bob.pk, at=AT) == State.DUE
    assert post_office.mails == []
    to_bob.refresh_from_db()
    assert mail.deliver_season_mail(to_bob.pk, at=to_bob.due_at) == State.SENT


def test_one_over_which_its_senders_die_is_set_aside_and_tried_again(
    to_bob: SeasonMail, post_office: PostOffice
) -> None:
    at = AT
    for _death in range(outbox.MAX_CRASHES):
        assert outbox.claim(SeasonMail.objects.all(), to_bob.pk, at=at, lease=LEASE)
        at += LEASE
    assert mail.sweep_season_mails(at=at) == 1
    to_bob.refresh_from_db()
    assert (to_bob.state, to_bob.error) == (State.QUARANTINED, "crashed")
    assert mail.sweep_season_mails(at=to_bob.due_at) == 1
    assert len(post_office.mails) == 1


def test_it_is_forgotten_after_two_weeks(to_bob: SeasonMail, post_office: PostOffice) -> None:
    late = AT + RETENTION + timedelta(seconds=1)
    assert (mail.forget_content(at=late), SeasonMail.objects.count()) == (0, 1)
    mail.sweep_season_mails(at=AT)
    assert (mail.forget_content(at=AT + RETENTION), SeasonMail.objects.count()) == (0, 1)
    assert (mail.forget_content(at=late), SeasonMail.objects.count()) == (1, 0)


def test_closing_the_account_removes_it(to_bob: SeasonMail, bob: Player, post_office: PostOffice) -> None:
    play.close_account(bob, at=AT)
    assert mail.sweep_season_mails(at=AT) == 0
    assert not SeasonMail.objects.exists()
