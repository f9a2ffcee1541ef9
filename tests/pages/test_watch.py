"""Public games that are being played, for whoever likes to watch."""

from __future__ import annotations

from datetime import timedelta
from itertools import chain

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import Game, Player
from tests.cast import AT, make_game, make_table, play_out, play_random
from tests.pages.helpers import links, soup, text_of

pytestmark = pytest.mark.django_db


def running(*players: Player, name: str, hours: float = 0, is_public: bool = True) -> Game:
    """A running game whose last move was made so many hours before the evening of the tests."""
    game = make_game(*players, is_public=is_public)
    Game.objects.filter(pk=game.pk).update(name=name, turn_since=AT - timedelta(hours=hours))
    return game


def names(client: Client, path: str = "/watch/") -> list[str]:
    return [link.get_text() for link in soup(client.get(path)).select(".table-name")]


def test_it_shows_running_public_games_to_everybody_the_last_move_first(
    client: Client, alice: Player, bob: Player, mallory: Player
) -> None:
    running(alice, bob, name="slow", hours=9)
    running(alice, bob, name="quick", hours=1)
    running(alice, bob, name="by link", is_public=False)
    play_out(make_game(alice, bob))
    make_table(alice)
    assert names(client) == ["quick", "slow"]
    for player in (alice, mallory):
        client.force_login(player)
        assert names(client) == ["quick", "slow"]


def test_it_says_who_plays_whose_turn_it_is_and_how_far_the_game_is(client: Client, alice: Player, bob: Player) -> None:
    game = play_random(make_game(alice, bob), 7)
    row = text_of(client.get("/watch/"), ".table-row")
    assert game.awaited
    for said in ("alice", "bob", f"{game.awaited.username} to move"):
        assert said in row
    [picture] = soup(client.get("/watch/")).select(".table-row img")
    assert picture["alt"] == "The board after 7 moves"


def test_it_says_when_there_is_none(client: Client) -> None:
    page = client.get("/watch/")
    assert "No public game is being played just now." in text_of(page)
    assert "/archive/" in links(page)


def test_everybody_finds_the_way_there(client: Client, alice: Player) -> None:
    for path in ("/", "/archive/", "/rules/"):
        assert "/watch/" in links(client.get(path), "body")
    assert "/watch/" in links(client.get("/"), ".site-nav")
    client.force_login(alice)
    assert "/watch/" in links(client.get("/"))
    assert "/watch/" in links(client.get("/archive/"))


def test_it_pages_there_and_back_without_losing_any(client: Client, alice: Player, bob: Player) -> None:
    for n in range(45):
        running(alice, bob, name=str(n), hours=1 if n == 0 else 0)
    pages = ["/watch/"]
    while onward := soup(client.get(pages[-1])).select_one("a[rel=next]"):
        pages.append(f"/watch/{onward['href']}")
    shown = [names(client, page) for page in pages]
    assert list(chain(*shown)) == [str(n) for n in range(44, -1, -1)]
    assert [len(some) for some in shown] == [20, 20, 5]
    back = soup(client.get(pages[2])).select_one("a[rel=prev]")
    assert back
    assert names(client, f"/watch/{back['href']}") == shown[1]


@pytest.mark.parametrize("at", ["nonsense", "after-1", "before-1-1", "after-9999999999999999-9999999999999999"])
def test_it_takes_any_cursor(client: Client, alice: Player, bob: Player, at: str) -> None:
    running(alice, bob, name="one")
    assert client.get(f"/watch/?at={at}").status_code == 200


def test_it_costs_the_same_queries_however_many_games_there_are(
    client: Client, alice: Player, bob: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for count in (1, 12):
        for number in range(count):
            running(alice, bob, name=str(number))
        with django_assert_num_queries(2):
            client.get("/watch/")
    client.force_login(alice)
    with django_assert_num_queries(4):
        client.get("/watch/")
