"""Presence: a page that somebody looks at says so by a POST, and by that alone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import Game, Player, Seat
from tests.cast import AT, make_table, play_out
from tests.pages.helpers import play_next, seat_of, soup, table_url, to_move

LATER = AT + timedelta(minutes=1)


def see(client: Client, game: Game, **form: str) -> Any:
    with time_machine.travel(LATER, tick=False):
        return client.post(table_url(game, "seen/"), form)


def test_it_notes_how_far_a_player_has_seen_the_game(client: Client, game: Game, alice: Player, bob: Player) -> None:
    play_next(game)
    client.force_login(alice)
    response = see(client, game, ply="1")
    assert (response.status_code, response.content) == (204, b"")
    seat = seat_of(game, alice)
    assert (seat.seen_ply, seat.seen_at) == (1, LATER)
    assert Player.objects.get(pk=alice.pk).visited_at == LATER
    assert seat_of(game, bob).seen_at is None


def test_it_believes_nobody_who_has_seen_more_than_there_is(client: Client, game: Game, alice: Player) -> None:
    client.force_login(alice)
    assert see(client, game, ply="7").status_code == 204
    assert seat_of(game, alice).seen_ply == 0


def test_it_gives_a_seat_back_from_the_autopilot(client: Client, game: Game) -> None:
    seat = game.seats.exclude(player=to_move(game)).select_related("player")[0]
    Seat.objects.filter(pk=seat.pk).update(autopiloted=3)
    assert seat.player
    client.force_login(seat.player)
    assert see(client, game, ply="0").status_code == 204
    assert seat_of(game, seat.player).autopiloted == 0


def test_it_takes_the_end_of_a_game_and_an_open_table_for_seen(client: Client, game: Game, alice: Player) -> None:
    client.force_login(alice)
    for other in (play_out(game), make_table(alice)):
        assert see(client, other, ply=str(other.ply)).status_code == 204
        assert seat_of(other, alice).seen_ply == other.ply


@pytest.mark.parametrize("ply", ["", "x", "-1", "61", "9" * 30])
def test_it_refuses_what_is_no_ply(client: Client, game: Game, alice: Player, ply: str) -> None:
    client.force_login(alice)
    assert see(client, game, ply=ply).status_code == 422
    assert seat_of(game, alice).seen_at is None


def test_it_refuses_strangers_and_visitors(client: Client, game: Game, mallory: Player) -> None:
    assert see(client, game, ply="0").status_code == 403
    client.force_login(mallory)
    assert see(client, game, ply="0").status_code == 403
    assert not Seat.objects.exclude(seen_at=None).exists()
    assert client.post("/tables/unknown/seen/").status_code == 404


def test_it_wants_the_token_of_the_page(game: Game, alice: Player) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert see(client, game, ply="0").status_code == 403
    token = soup(client.get(table_url(game))).select("#sign-out [name=csrfmiddlewaretoken]")[0]["value"]
    assert see(client, game, ply="0", csrfmiddlewaretoken=str(token)).status_code == 204


def test_it_takes_a_get_for_nothing(client: Client, game: Game, alice: Player) -> None:
    client.force_login(alice)
    assert client.get(table_url(game, "seen/"), {"ply": "0"})["Location"] == table_url(game)
    client.get(table_url(game))
    assert seat_of(game, alice).seen_at is None


def test_only_pages_of_those_who_sit_there_say_that_they_are_seen(
    client: Client, game: Game, alice: Player, mallory: Player
) -> None:
    def heard(table: Game) -> object:
        return soup(client.get(table_url(table))).select("#table")[0].get("data-heard")

    assert heard(game) is None
    client.force_login(mallory)
    assert heard(game) is None
    client.force_login(alice)
    for table in (make_table(alice), game, play_out(game)):
        assert heard(table) == "0"


def test_it_costs_little(
    client: Client, game: Game, alice: Player, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client.force_login(alice)
    see(client, game, ply="0")
    with django_assert_max_num_queries(6):
        see(client, game, ply="0")


def test_it_counts_as_no_answer(client: Client, game: Game) -> None:
    """Who looks at a table has not moved: the clock runs on."""
    client.force_login(to_move(game))
    before = Game.objects.filter(pk=game.pk).values().get()
    see(client, game, ply="0")
    assert Game.objects.filter(pk=game.pk).values().get() == before
