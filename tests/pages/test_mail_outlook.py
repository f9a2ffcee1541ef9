"""What becomes of mail that waits when its reader chooses something else, and what the page says is to come."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.test import Client
from time_machine import travel

from games import play
from games.models import Game, Notice, Player, Seat
from tests.cast import AT, make_game
from tests.pages.helpers import soup, table_url, text_of, to_move
from tests.pages.test_mail_preferences import PAGE, prefer

pytestmark = pytest.mark.django_db


@pytest.fixture
def called(client: Client, game: Game) -> Notice:
    """The call of whoever is to move, who is signed in; it waits."""
    player = to_move(game)
    client.force_login(player)
    call = Notice.objects.get(seat__game=game, seat__player=player, kind=Notice.Kind.TURN)
    assert call.state == Notice.State.DUE
    return call


def test_it_decides_again_on_what_waits(client: Client, called: Notice) -> None:
    with travel(AT + timedelta(minutes=1), tick=False):
        prefer(client, quiet_from="19:00", quiet_until="08:00")
    called.refresh_from_db()
    assert (called.state, called.reason, called.due_at) == ("due", "quiet", datetime(2026, 3, 3, 8, tzinfo=UTC))
    with travel(AT + timedelta(minutes=2), tick=False):
        prefer(client, mail_mode="digest", digest_hours=["6"])
    called.refresh_from_db()
    assert (called.state, called.reason, called.due_at) == ("due", "digest", datetime(2026, 3, 3, 6, tzinfo=UTC))
    with travel(AT + timedelta(minutes=3), tick=False):
        prefer(client, mail_mode="nothing")
    called.refresh_from_db()
    assert (called.state, called.reason) == ("superseded", "unwanted")


def test_it_decides_again_when_one_table_is_silenced(client: Client, called: Notice, game: Game) -> None:
    with travel(AT + timedelta(minutes=1), tick=False):
        client.post(table_url(game, "mail/"), {"mode": "nothing"})
    called.refresh_from_db()
    assert (called.state, called.reason) == ("superseded", "unwanted")


def test_it_lets_no_deadline_fall_into_quiet_hours(client: Client, called: Notice, game: Game) -> None:
    due = Game.objects.get(pk=game.pk).due_at
    with travel(AT + timedelta(minutes=1), tick=False):
        prefer(client, quiet_from="19:00", quiet_until="08:00")
    game.refresh_from_db()
    assert due == datetime(2026, 3, 12, 20, tzinfo=UTC)
    assert game.due_at == datetime(2026, 3, 13, 8, tzinfo=UTC)
    with travel(AT + timedelta(minutes=2), tick=False):
        prefer(client)
    game.refresh_from_db()
    assert game.due_at == datetime(2026, 3, 13, 8, tzinfo=UTC), "none comes sooner than was promised"


def test_it_leaves_deadlines_alone_when_the_calendar_stays(client: Client, called: Notice, game: Game) -> None:
    moment = AT + timedelta(days=1, hours=3)
    Game.objects.filter(pk=game.pk).update(due_at=moment, free_until=moment)
    prefer(client, mail_mode="once")
    game.refresh_from_db()
    assert game.due_at == moment


def test_it_sets_deadlines_again_in_another_zone(client: Client, called: Notice, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(reserve_hours=0)
    player = called.seat.player
    assert player is not None
    Player.objects.filter(pk=player.pk).update(quiet_from=time(22), quiet_until=time(8))
    play.reset_clocks(Player.objects.get(pk=player.pk), at=AT)
    game.refresh_from_db()
    assert game.due_at == AT + timedelta(days=3)
    with travel(AT + timedelta(minutes=1), tick=False):
        client.post("/preferences/", {"time_zone": "Asia/Tokyo"})
    game.refresh_from_db()
    called.refresh_from_db()
    eight_there = datetime(2026, 3, 5, 23, tzinfo=UTC)
    assert game.due_at == eight_there
    assert (called.reason, called.due_at) == ("quiet", datetime(2026, 3, 2, 23, tzinfo=UTC))


# --- What it means now ---------------------------------------------------------------------------


def outlook(client: Client) -> str:
    [lead] = soup(client.get(PAGE)).select(".lead")
    return lead.get_text().strip()


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({}, "The next mail could go at any time."),
        ({"mail_mode": "nothing"}, "No mail goes out to you, not even when your time runs out."),
        ({"mail_mode": "reminders"}, "A reminder could go at any time; nothing else does."),
        ({"quiet_from": "19:00", "quiet_until": "08:00"}, "Your quiet time: nothing goes before tomorrow, 08:00"),
        ({"days_off": ["0", "1"]}, "Your quiet time: nothing goes before Wednesday 4\N{NO-BREAK SPACE}March, 00:00"),
        (
            {"mail_mode": "reminders", "quiet_from": "19:00", "quiet_until": "08:00"},
            "The next reminder could go tomorrow, 08:00; nothing else does.",
        ),
        (
            {"mail_mode": "digest", "digest_hours": ["21"]},
            "The next digest goes today, 21:00, if there is anything to tell. Reminders do not wait for it.",
        ),
    ],
)
def test_it_says_when_the_next_mail_may_come(her: Client, wish: dict[str, Any], said: str) -> None:
    with travel(AT, tick=False):
        prefer(her, **wish)
        assert outlook(her) == said
        [next_one] = soup(her.get("/mail/")).select(".mail-now dd:last-child")
        assert next_one.get_text().strip() == said


def test_it_says_that_nothing_goes_to_an_address_that_takes_no_mail(her: Client, alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(mail_bounced_at=AT)
    assert outlook(her) == "No mail goes out to you, because our mails have not arrived."


def test_it_says_moments_by_the_players_clock(her: Client, alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(time_zone="Asia/Tokyo")
    with travel(AT, tick=False):  # 05:00 there, on Tuesday
        prefer(her, quiet_from="19:00", quiet_until="08:00")
        assert outlook(her).endswith("nothing goes before today, 08:00")


def test_the_home_page_promises_no_mail_that_will_not_come(her: Client, alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    Game.objects.filter(pk=game.pk).update(awaited=bob, to_move=Seat.objects.get(game=game, player=bob).number)
    assert "A mail will call you" in text_of(her.get("/"))
    for wish in ({"mail_mode": "nothing"}, {"mail_mode": "reminders"}, {"mail_mode": "once", "mail_bounced_at": AT}):
        Player.objects.filter(pk=alice.pk).update(**wish)
        assert "look in now and then" in text_of(her.get("/"))


def test_it_costs_3_queries_however_many_tables_there_are(
    her: Client, alice: Player, bob: Player, django_assert_max_num_queries: Any
) -> None:
    for _number in range(7):
        make_game(alice, bob)
    with django_assert_max_num_queries(3):
        page = soup(her.get(PAGE))
    assert len(page.select(".mail-tables li")) == 7
    assert len(page.select("input[name=mail_mode][required]")) == 5
