"""The test mail that a player asks for."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core import mail as post
from django.test import Client
from time_machine import travel

from games import mail
from games.models import Game, Notice, Player, Seat
from tests.cast import AT, make_game, make_table, play_random
from tests.pages.helpers import text_of
from tests.pages.mail_log.reading import NOW, PAGE, rows

pytestmark = pytest.mark.django_db


def ask(client: Client, *, at: datetime = NOW) -> Any:
    with travel(at, tick=False):
        return client.post("/mail/test/", follow=True)


def asked_for() -> list[Notice]:
    return list(Notice.objects.filter(kind=Notice.Kind.TEST).order_by("pk"))


def test_it_owes_a_test_and_shows_what_becomes_of_it(her: Client, seat: Seat) -> None:
    response = ask(her)
    assert response.redirect_chain == [(PAGE, 303)]
    assert "A test mail is on its way." in text_of(response)
    assert [(test.seat, test.state) for test in asked_for()] == [(seat, "due")]
    assert rows(her) == ["Test mail Friday table | Goes out now | just now"]
    assert mail.deliver(asked_for()[0].pk, at=NOW) == Notice.State.SENT
    assert [letter.to for letter in post.outbox] == [["alice@example.com"]]
    assert rows(her) == ["Test mail Friday table | Sent today, 20:00 | just now"]


@pytest.mark.parametrize(
    "wish",
    [{"mail_mode": "nothing"}, {"quiet_from": "19:00", "quiet_until": "08:00"}, {"mail_bounced_at": AT}],
)
def test_it_sends_the_test_whatever_mail_is_wanted(her: Client, seat: Seat, wish: dict[str, Any]) -> None:
    Player.objects.filter(username="alice").update(**wish)
    ask(her)
    assert mail.deliver(asked_for()[0].pk, at=NOW) == Notice.State.SENT


def test_it_owes_at_most_one_test_a_minute(her: Client, seat: Seat) -> None:
    ask(her)
    assert "less than a minute old" in text_of(ask(her, at=NOW + timedelta(seconds=59)))
    assert len(asked_for()) == 1
    ask(her, at=NOW + timedelta(seconds=60))
    assert [test.number for test in asked_for()] == [0, 1]


def test_it_lets_one_player_test_after_another(her: Client, seat: Seat, bob: Player) -> None:
    ask(her)
    other = Client()
    other.force_login(bob)
    ask(other)
    assert {test.seat.name for test in asked_for()} == {"alice", "bob"}


def test_it_tests_at_a_table_that_runs_if_there_is_one(her: Client, game: Game, alice: Player) -> None:
    make_table(alice)
    ask(her)
    assert [test.seat.game for test in asked_for()] == [game]


@pytest.mark.parametrize("plies", [0, 60])
def test_it_tests_at_open_and_at_finished_tables_too(her: Client, alice: Player, bob: Player, plies: int) -> None:
    table = play_random(make_game(alice, bob), plies) if plies else make_table(alice)
    ask(her)
    assert [test.seat.game for test in asked_for()] == [table]
    assert mail.deliver(asked_for()[0].pk, at=NOW) == Notice.State.SENT


def test_it_says_so_to_who_sits_at_no_table(client: Client, mallory: Player) -> None:
    client.force_login(mallory)
    assert "you sit at none yet" in text_of(ask(client))
    assert asked_for() == []


def test_it_sends_nothing_by_get(her: Client, seat: Seat) -> None:
    assert her.get("/mail/test/")["Location"] == PAGE
    assert asked_for() == []
