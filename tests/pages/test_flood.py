"""What anybody can fill: practice games, tables against computer players, the archive."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.test import Client

from games import play
from games.models import Game, Player
from tests.cast import AT, make_game, play_out, play_random, seat_to_move
from tests.faults.browser import Browser
from tests.pages.helpers import soup, text_of
from tests.pages.test_new_table import offered_deal, open_table

pytestmark = pytest.mark.django_db


def begin_practice(host: str) -> Any:
    return Client(REMOTE_ADDR=host).post("/practice/")


def test_practice_games_are_60_an_hour_from_one_network() -> None:
    with time_machine.travel(AT, tick=False) as clock:
        answers = [begin_practice(f"192.0.2.{number % 250}") for number in range(300)]
        assert [answer.status_code for answer in answers] == [303] * 60 + [429] * 240
        assert Session.objects.count() == 60
        assert begin_practice("198.51.100.1").status_code == 303
        clock.shift(timedelta(hours=1, seconds=1))
        assert begin_practice("192.0.2.1").status_code == 303


def test_10000_practice_games_from_one_address_are_300_rows() -> None:
    """Asked for all day long: 49 of 50 by a browser without cookies, the others by one that has a game already."""
    new, again = Browser(None), Browser(None)
    statuses: Counter[int] = Counter()
    with time_machine.travel(AT, tick=False) as clock:
        again.cookies = begin_practice("127.0.0.1").client.cookies
        for number in range(10_000):
            statuses[(new if number % 50 else again).post("/practice/", {}).status_code] += 1
            clock.shift(timedelta(seconds=8))
    assert statuses == {303: 299 + 200, 429: 9_501}
    assert Session.objects.count() == 300
    assert not Game.objects.exists()


def test_who_practices_begins_again_as_often_as_they_like(client: Client) -> None:
    for _ in range(60):
        begin_practice("127.0.0.1")
    assert client.post("/practice/").status_code == 429
    assert client.post("/tables/practice/move/").status_code == 429
    player = Client(REMOTE_ADDR="192.0.2.1")
    player.post("/practice/")
    player.defaults["REMOTE_ADDR"] = "127.0.0.1"
    assert player.post("/practice/").status_code == 303


def test_a_made_up_session_counts_as_none() -> None:
    for number in range(70):
        client = Client()
        client.cookies["sessionid"] = f"{number:a>32}"
        client.post("/practice/")
    assert Session.objects.count() == 60


def test_tables_are_12_an_hour(client: Client, alice: Player) -> None:
    client.force_login(alice)
    with time_machine.travel(AT, tick=False) as clock:
        deals = [offered_deal(client) for _ in range(12)]
        for deal in deals:
            assert open_table(client, deal=deal).status_code == 303
        assert open_table(client, deal=deals[3]).status_code == 303, "sent twice"
        answer = open_table(client)
        assert answer.status_code == 422
        assert "12 tables in an hour" in soup(answer).get_text(" ", strip=True)
        clock.shift(timedelta(hours=1, seconds=1))
        assert open_table(client).status_code == 303
    assert Game.objects.count() == 13


def test_games_against_computers_alone_are_10_at_a_time(client: Client, alice: Player, bob: Player) -> None:
    for _ in range(9):
        make_game(alice, bots=1)
    make_game(alice, bob, bots=1)
    client.force_login(alice)
    assert open_table(client, bots="2").status_code == 303
    answer = open_table(client, bots="2")
    assert answer.status_code == 422
    assert "against computer players alone" in soup(answer).get_text(" ", strip=True)
    assert open_table(client, bots="1").status_code == 303


def play_own_moves(game: Game, player: Player, moves: int) -> None:
    while game.moves.filter(by_bot=False).count() < moves or seat_to_move(game).is_bot:
        play_random(game, 1, seed=game.ply)


@pytest.mark.parametrize(("moves", "is_listed"), [(0, False), (7, False), (8, True)])
def test_a_game_that_was_given_up_at_once_is_not_listed(
    client: Client, alice: Player, moves: int, is_listed: bool
) -> None:
    game = make_game(alice, bots=1)
    play_own_moves(game, alice, moves)
    play.resign(game, player=alice, at=AT)
    game.refresh_from_db()
    assert game.status == Game.Status.FINISHED
    assert ("Friday table" in text_of(client.get("/archive/"), "main")) is is_listed
    client.force_login(alice)
    assert "Friday table" in text_of(client.get("/archive/?mine=1"), "main")
    assert client.get(game.get_absolute_url()).status_code == 200


@pytest.mark.parametrize("gives_up", ["resigns", "abandons"])
def test_neither_way_to_give_up_fills_the_archive(client: Client, alice: Player, gives_up: str) -> None:
    game = make_game(alice, bots=1)
    if gives_up == "resigns":
        play.resign(game, player=alice, at=AT)
    else:
        play.agree_to_abandon(game, player=alice, agrees=True, at=AT)
    assert "Friday table" not in text_of(client.get("/archive/"), "main")


def test_what_people_played_on_is_listed(client: Client, alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    play.resign(game, player=alice, at=AT)
    play_out(game)
    assert "Friday table" in text_of(client.get("/archive/"), "main")
