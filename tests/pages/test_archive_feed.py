"""The feed of a search of the archive: the games that the archive finds, and nothing of others."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import Game, Player, Seat
from games.pages import replies
from tests.cast import AT, make_game, play_out, play_random
from tests.pages.helpers import soup
from tests.pages.searching import SEARCHES, archived, found
from tests.pages.test_feeds import entries

__all__ = ["archived"]
pytestmark = pytest.mark.django_db


def ends(client: Client, query: str = "") -> list[str]:
    """The names of the tables in the feed of a search."""
    return [entry["title"].partition(":")[0] for entry in entries(client.get(f"/archive/feed/?{query}"))]


def test_it_has_what_the_archive_finds(client: Client, archived: list[Game]) -> None:
    public = [game.name for game in archived if game.is_public]
    assert ends(client) == public
    for query in SEARCHES:
        assert ends(client, query) == found(client, query), query


def test_it_is_newest_first_whatever_the_order_of_the_search(client: Client, archived: list[Game]) -> None:
    assert ends(client, "order=oldest") == [game.name for game in archived if game.is_public]


def test_it_tells_of_a_game_what_the_archive_does(client: Client, archived: list[Game]) -> None:
    game = archived[0]
    [entry] = entries(client.get("/archive/feed/?title=Table+0"))
    assert game.ended_at
    assert datetime.fromisoformat(entry["updated"]) == game.ended_at
    assert entry["link"].endswith(game.get_absolute_url())
    winner = game.seats.get(rank=1)
    assert entry["title"] == f"Table 0: {winner.name} won"
    assert f"{winner.name}: {winner.total}" in entry["summary"]
    assert f"{game.ply} moves" in entry["summary"]
    assert f"<author><name>{winner.name}</name></author>" in client.get("/archive/feed/?title=Table+0").content.decode()


def test_it_has_no_game_that_runs_and_none_by_link_even_for_their_players(client: Client, alice: Player) -> None:
    others = Player.objects.create_user("dora", "dora@example.com")
    by_link = play_out(make_game(alice, others, is_public=False))
    running = play_random(make_game(alice, others), plies=9)
    assert by_link.is_over
    assert not running.is_over
    client.force_login(alice)
    before = client.get("/archive/feed/?player=alice").content
    assert ends(client, "player=alice") == ends(client, "mine=1") == []
    for game in (by_link, running):
        spare = ({*Seat.Clan.values} - {*game.seats.values_list("clan", flat=True)}).pop()
        game.seats.filter(number=0).update(clan=spare)
    play_random(running, plies=2)
    assert client.get("/archive/feed/?player=alice").content == before


def test_it_has_the_last_50(client: Client, alice: Player, bob: Player) -> None:
    game = play_out(make_game(alice, bob))
    fields = {field.name: getattr(game, field.attname) for field in Game._meta.fields if not field.is_relation}
    Game.objects.bulk_create(
        Game(**(fields | {"id": None, "key": "", "slug": f"copy{n}", "opener": alice, "ended_at": AT - timedelta(n)}))
        for n in range(1, 60)
    )
    assert len(ends(client)) == replies.MOST_ENTRIES == 50


def test_it_says_that_nothing_is_new(client: Client, archived: list[Game], alice: Player, bob: Player) -> None:
    address = "/archive/feed/?player=alice&computers=no"
    first = client.get(address)
    assert first["Cache-Control"] == "private, no-cache"
    known = ({"If-None-Match": first["ETag"]}, {"If-Modified-Since": first["Last-Modified"]})
    assert [client.get(address, headers=headers).status_code for headers in known] == [304, 304]
    game = play_out(make_game(alice, bob))
    assert game.is_over
    assert [client.get(address, headers=headers).status_code for headers in known] == [200, 200]


def test_it_is_the_same_while_it_is_empty(client: Client, alice: Player) -> None:
    first = client.get("/archive/feed/?player=alice")
    assert entries(first) == []
    assert client.get("/archive/feed/?player=alice").content == first.content


@pytest.mark.parametrize(
    ("query", "said"), [("player=nobody", "Played by: Nobody here is called nobody."), ("size=9", "Seats: ")]
)
def test_it_says_what_it_cannot_look_for(client: Client, query: str, said: str) -> None:
    response = client.get(f"/archive/feed/?{query}")
    assert response.status_code == 400
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert said in response.content.decode()


def test_it_is_found_from_the_search(client: Client, archived: list[Game], alice: Player) -> None:
    page = soup(client.get("/archive/?player=alice&order=oldest&at=after-1-1"))
    [alternate] = page.select("link[rel=alternate]")
    assert alternate["href"] == "/archive/feed/?player=alice"
    assert alternate["href"] in {link["href"] for link in page.select("main a")}
    [alternate] = soup(client.get("/archive/")).select("link[rel=alternate]")
    assert alternate["href"] == "/archive/feed/"
    client.force_login(alice)
    assert "archive/feed" not in client.get("/archive/?mine=1&player=bob").content.decode()
    assert "archive/feed" not in str(soup(client.get("/archive/?player=nobody")).select(".search, link"))


def test_it_costs_two_queries_however_many_games_it_has(
    client: Client, archived: list[Game], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(2):
        assert len(ends(client, "size=2")) > 3
