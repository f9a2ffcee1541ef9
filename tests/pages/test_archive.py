"""The archive: finished games, newest first."""

from __future__ import annotations

from datetime import timedelta
from itertools import chain

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import play
from games.models import Game, Player, Seat
from tests.cast import AT, make_game, play_out
from tests.pages.helpers import links, soup, text_of

pytestmark = pytest.mark.django_db


def finished(*players: Player, name: str, days: float = 0, is_public: bool = True) -> Game:
    """A game that its players called off so many days before the tests' evening."""
    game = make_game(*players, is_public=is_public)
    for player in players:
        play.agree_to_abandon(game, player=player, agrees=True, at=AT)
    ended_at = AT - timedelta(days=days)
    Game.objects.filter(pk=game.pk).update(name=name, ended_at=ended_at)
    game.seats.update(ended_at=ended_at)
    game.refresh_from_db()
    return game


def names(client: Client, path: str = "/archive/") -> list[str]:
    return [link.get_text() for link in soup(client.get(path)).select(".table-name")]


def test_it_shows_public_games_to_everybody_newest_first(client: Client, alice: Player, bob: Player) -> None:
    finished(alice, bob, name="older", days=9)
    finished(alice, bob, name="newer", days=1)
    finished(alice, bob, name="by link", is_public=False)
    make_game(alice, bob)
    assert names(client) == ["newer", "older"]


def test_it_shows_players_with_totals_winner_date_and_end(client: Client, alice: Player, bob: Player) -> None:
    game = play_out(make_game(alice, bob))
    row = text_of(client.get("/archive/"), ".table-row")
    found = soup(client.get("/archive/")).select_one(".table-who")
    who = found.get_text().replace("\xa0", " ") if found else ""
    assert who == ", ".join(f"{seat.name}: {seat.total}" for seat in game.seats.order_by("number"))
    winners = [seat.name for seat in game.seats.filter(rank=1)]
    assert ("share the win" if len(winners) > 1 else f"{winners[0]} won") in row
    ending = "twelve villages" if game.end == "villages" else "no move left"
    assert f"{game.ply} moves, {ending}" in row
    assert "8 March 2026" in row


def test_it_says_that_a_game_was_abandoned(client: Client, alice: Player, bob: Player) -> None:
    finished(alice, bob, name="no time")
    assert "Abandoned, nobody won" in text_of(client.get("/archive/"), ".table-row")


def test_it_says_who_shares_a_win(client: Client, alice: Player, bob: Player) -> None:
    game = finished(alice, bob, name="even")
    Game.objects.filter(pk=game.pk).update(end=Game.End.VILLAGES)
    Seat.objects.filter(game=game).update(rank=1, total=20)
    assert "share the win" in text_of(client.get("/archive/"), ".table-row")


def test_it_says_when_a_computer_player_won_for_somebody_who_resigned(
    client: Client, alice: Player, bob: Player
) -> None:
    game = finished(alice, bob, name="left")
    Seat.objects.filter(game=game).update(rank=2)
    Seat.objects.filter(game=game, player=alice).update(rank=1, total=20, is_bot=True, resigned_at=AT)
    Game.objects.filter(pk=game.pk).update(end=Game.End.VILLAGES)
    assert "alice (resigned) won" in text_of(client.get("/archive/"), ".table-row")
    client.force_login(alice)
    page = text_of(client.get(game.get_absolute_url()))
    assert "The computer player that took over from alice wins with 20 points." in page
    assert "You win" not in page


def test_it_shows_me_my_own_games_by_link_too(client: Client, alice: Player, bob: Player, carol: Player) -> None:
    finished(alice, bob, name="by link", is_public=False, days=1)
    finished(bob, carol, name="of others", days=2)
    finished(alice, carol, name="public", days=3)
    client.force_login(alice)
    assert names(client, "/archive/?mine=1") == ["by link", "public"]
    client.force_login(carol)
    assert names(client, "/archive/?mine=1") == ["of others", "public"]


def test_it_asks_a_visitor_who_wants_theirs_to_sign_in(client: Client) -> None:
    response = client.get("/archive/?mine=1")
    assert response.status_code == 302
    assert response["Location"].startswith("/accounts/login/?next=/archive/")


def test_it_says_what_to_do_where_there_is_nothing(client: Client, alice: Player) -> None:
    assert "No game has been finished yet" in text_of(client.get("/archive/"))
    client.force_login(alice)
    response = client.get("/archive/?mine=1")
    assert "You have finished no game yet" in text_of(response)
    assert "/tables/new/" in links(response)


def test_it_pages_there_and_back_without_losing_any(client: Client, alice: Player, bob: Player) -> None:
    game = finished(alice, bob, name="0")
    fields = {field.name: getattr(game, field.attname) for field in Game._meta.fields if not field.is_relation}
    copies = [
        Game(**(fields | {"id": None, "key": "", "slug": f"copy{n}", "name": str(n), "opener": alice, "ended_at": AT}))
        for n in range(1, 45)
    ]
    Game.objects.bulk_create(copies)
    pages = ["/archive/"]
    while onward := soup(client.get(pages[-1])).select_one("a[rel=next]"):
        pages.append(f"/archive/{onward['href']}")
    shown = [names(client, page) for page in pages]
    assert list(chain(*shown)) == [str(n) for n in range(44, -1, -1)]
    assert [len(some) for some in shown] == [20, 20, 5]
    back = soup(client.get(pages[2])).select_one("a[rel=prev]")
    assert back
    assert names(client, f"/archive/{back['href']}") == shown[1]


def test_it_stays_among_mine_when_paging(client: Client, alice: Player, bob: Player) -> None:
    for number in range(21):
        finished(alice, bob, name=str(number), days=number)
    client.force_login(alice)
    onward = soup(client.get("/archive/?mine=1")).select_one("a[rel=next]")
    assert onward
    assert "mine=1" in str(onward["href"])


def test_it_costs_the_same_queries_however_many_games_there_are(
    client: Client, alice: Player, bob: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for count in (1, 12):
        for number in range(count):
            finished(alice, bob, name=str(number))
        with django_assert_num_queries(3):
            client.get("/archive/")
    client.force_login(alice)
    with django_assert_num_queries(4):
        client.get("/archive/?mine=1")
