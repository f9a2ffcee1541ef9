"""The list of seats that somebody may take over: which games it has, for whom, and how one finds it."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import play
from games.models import FormerHolder, Game, Player, Seat
from tests.cast import AT, make_player, make_table
from tests.pages.helpers import links, soup, text_of

pytestmark = pytest.mark.django_db

LIST = "/?list=free"


def left_by(
    player: Player, *others: Player, name: str = "left", is_public: bool = True, allows_takeover: bool = True
) -> Game:
    """A running game whose first player has resigned."""
    terms = play.Terms(allows_takeover=allows_takeover)
    game = make_table(player, size=1 + len(others), name=name, is_public=is_public, terms=terms)
    for other in others:
        play.join_table(game, player=other, at=AT)
    play.resign(game, player=player, at=AT)
    game.refresh_from_db()
    return game


def names(client: Client, viewer: Player | None = None) -> list[str]:
    client.logout()
    if viewer:
        client.force_login(viewer)
    return [link.get_text() for link in soup(client.get(LIST)).select(".table-name")]


def test_it_lists_each_game_once_the_newest_first(
    client: Client, alice: Player, bob: Player, carol: Player, mallory: Player
) -> None:
    left_by(alice, bob, carol, name="old")
    twice = left_by(alice, bob, carol, name="new")
    play.resign(twice, player=bob, at=AT)
    away = left_by(alice, bob, name="away")
    away.seats.update(is_bot=False, resigned_at=None)
    away.seats.filter(player=alice).update(autopiloted=3)
    for viewer in (None, mallory):
        assert names(client, viewer) == ["away", "new", "old"]
    assert "a seat is free to take over" in text_of(client.get(LIST), ".table-row")


def test_it_leaves_out_what_nobody_may_take_over(client: Client, alice: Player, bob: Player, mallory: Player) -> None:
    left_by(alice, bob, name="by link", is_public=False)
    left_by(alice, bob, name="not allowed", allows_takeover=False)
    over = left_by(alice, bob, name="over")
    play.resign(over, player=bob, at=AT)
    back = left_by(alice, bob, name="back")
    back.seats.update(is_bot=False, resigned_at=None, autopiloted=2)
    taken = left_by(alice, bob, name="taken")
    play.take_over(taken, player=make_player("dora"), number=taken.seats.get(player=alice).number or 0, at=AT)
    for viewer in (None, mallory):
        assert names(client, viewer) == []
    assert "There is nothing in this list now." in text_of(client.get(LIST))


def test_a_player_finds_there_exactly_what_they_may_take_over(
    client: Client, alice: Player, bob: Player, carol: Player, mallory: Player
) -> None:
    games = [left_by(alice, bob, name="theirs"), left_by(bob, alice, carol, name="three")]
    play.take_over(games[0], player=mallory, number=games[0].seats.get(player=alice).number or 0, at=AT)
    games[0].seats.filter(player=mallory).update(is_bot=True, resigned_at=AT)
    blocking, dora = make_player("oscar"), make_player("dora")
    games.append(left_by(carol, blocking, name="blocked"))
    play.mute_player(blocking, mallory, blocks=True, at=AT)
    play.mute_player(mallory, carol, blocks=True, at=AT)
    play.mute_player(bob, dora, blocks=False, at=AT)
    assert FormerHolder.objects.get().player == alice

    def may_take_over(game: Game, player: Player) -> bool:
        try:
            play.check_takeover(game, player=player)
        except play.PlayError:
            return False
        return True

    for viewer in (alice, bob, carol, mallory, blocking, dora):
        allowed = [game.name for game in reversed(games) if may_take_over(game, viewer)]
        assert names(client, viewer) == allowed, viewer
    assert (names(client, mallory), names(client, dora)) == (["three"], ["blocked", "three", "theirs"])


def test_it_leads_a_newcomer_from_the_first_page_to_the_seat(
    client: Client, alice: Player, bob: Player, mallory: Player
) -> None:
    game = left_by(alice, bob)
    for viewer in (None, mallory):
        if viewer:
            client.force_login(viewer)
        assert LIST.removeprefix("/") in [link.removeprefix("/") for link in links(client.get("/"))]
        assert game.get_absolute_url() in links(client.get(LIST))
    assert "Take over from alice" in text_of(client.get(game.get_absolute_url()))


def test_it_costs_the_same_queries_however_many_games_there_are(
    client: Client, alice: Player, bob: Player, mallory: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for count in (1, 12):
        for _number in range(count):
            left_by(alice, bob)
        client.logout()
        with django_assert_num_queries(2):
            client.get(LIST)
        client.force_login(mallory)
        with django_assert_num_queries(4):
            client.get(LIST)


def test_it_pages_there_and_back(client: Client, alice: Player, bob: Player) -> None:
    for number in range(30):
        left_by(alice, bob, name=str(number))
    first = client.get(LIST)
    onward = soup(first).select_one("a[rel=next]")
    assert onward
    second = client.get(f"/{onward['href']}")
    shown = [link.get_text() for page in (first, second) for link in soup(page).select(".table-name")]
    assert shown == [str(number) for number in range(29, -1, -1)]
    assert Seat.objects.filter(resigned_at__isnull=False).count() == 30
