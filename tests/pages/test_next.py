"""Going round the tables that wait for a player."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from games.models import Game, Player
from tests.cast import AT, make_game, make_table
from tests.pages.helpers import links, next_move, soup, table_url, text_of


@pytest.fixture
def waiting(alice: Player, bob: Player) -> list[Game]:
    """Three tables that wait for alice, the nearest deadline first, of which the first was opened last."""
    games = [make_game(alice, bob) for _game in range(3)]
    games.reverse()
    for hours, game in enumerate(games):
        mine, due = game.seats.get(player=alice), AT + timedelta(days=3, hours=hours)
        Game.objects.filter(pk=game.pk).update(first=mine.number, turn_since=AT - timedelta(hours=hours), due_at=due)
        turn_to(alice, game)
        game.refresh_from_db()
    return games


def go_on(client: Client, after: Game | None = None) -> Any:
    return client.get("/next/", {"after": after.slug} if after else {}, follow=True)


def where(response: Any) -> str:
    path, _status = response.redirect_chain[-1]
    return str(path)


def turn_to(player: Player, *games: Game) -> None:
    """Let these wait for `player`."""
    for game in games:
        seat = game.seats.get(player=player)
        Game.objects.filter(pk=game.pk).update(to_move=seat.number, awaited=player)


def move_at(client: Client, game: Game) -> Any:
    return client.post(table_url(game, "move/"), {"ply": game.ply, "move": str(next_move(game))}, follow=True)


def test_it_begins_with_the_nearest_deadline(client: Client, alice: Player, waiting: list[Game]) -> None:
    client.force_login(alice)
    assert where(go_on(client)) == table_url(waiting[0])


def test_it_goes_round(client: Client, alice: Player, waiting: list[Game]) -> None:
    client.force_login(alice)
    for here, there in zip(waiting, [*waiting[1:], waiting[0]], strict=True):
        assert where(go_on(client, here)) == table_url(there)


def test_it_goes_on_between_tables_that_are_due_at_once(client: Client, alice: Player, waiting: list[Game]) -> None:
    Game.objects.update(due_at=AT)
    client.force_login(alice)
    by_age = sorted(waiting, key=lambda game: game.pk)
    for here, there in zip(by_age, [*by_age[1:], by_age[0]], strict=True):
        assert where(go_on(client, here)) == table_url(there)


def test_it_begins_again_after_a_table_that_does_not_wait(
    client: Client, alice: Player, bob: Player, waiting: list[Game]
) -> None:
    client.force_login(alice)
    for other in (make_table(alice), make_game(bob, bots=1)):
        assert where(go_on(client, other)) == table_url(waiting[0])
    assert client.get("/next/?after=unknown")["Location"] == table_url(waiting[0])


def test_it_says_that_there_is_no_other(client: Client, alice: Player, bob: Player, waiting: list[Game]) -> None:
    turn_to(bob, waiting[0], waiting[2])
    client.force_login(alice)
    response = go_on(client, waiting[1])
    assert where(response) == table_url(waiting[1])
    assert "This is the only table that waits for you." in text_of(response, ".flashes")


def test_it_leads_home_with_a_message_when_none_waits(client: Client, alice: Player, bob: Player, game: Game) -> None:
    turn_to(bob, game)
    client.force_login(alice)
    response = go_on(client, game)
    assert where(response) == "/"
    assert "That was the last one: no table waits for you any more." in text_of(response, ".flashes")


def test_it_asks_a_visitor_to_sign_in(client: Client, game: Game) -> None:
    response = client.get("/next/", {"after": game.slug})
    assert response.status_code == 302
    assert response["Location"].startswith("/accounts/login/?next=/next/")


def test_every_table_leads_to_the_next_one(client: Client, alice: Player, bob: Player, waiting: list[Game]) -> None:
    client.force_login(alice)
    elsewhere = make_game(bob, bots=1)
    for game, others in ((waiting[0], 2), (elsewhere, 3), (make_table(alice), 3)):
        response = client.get(table_url(game))
        assert f"/next/?after={game.slug}" in links(response)
        assert f"Next table ({others})" in text_of(response)


def test_a_table_leads_nowhere_while_no_other_waits(
    client: Client, alice: Player, bob: Player, waiting: list[Game]
) -> None:
    turn_to(bob, *waiting[1:])
    client.force_login(alice)
    for game in waiting:
        response = client.get(table_url(game))
        assert bool(soup(response).select(".next")) == (game != waiting[0])


# --- After a move ----------------------------------------------------------------------------------


def test_it_stays_at_the_table_after_a_move(client: Client, alice: Player, waiting: list[Game]) -> None:
    client.force_login(alice)
    assert where(move_at(client, waiting[0])) == table_url(waiting[0]) + "#turn"


def test_it_goes_on_after_a_move_for_who_wishes_so(client: Client, alice: Player, waiting: list[Game]) -> None:
    Player.objects.filter(pk=alice.pk).update(goes_on=True)
    client.force_login(alice)
    move = next_move(waiting[1])
    response = move_at(client, waiting[1])
    assert where(response) == table_url(waiting[2])
    assert f"{move} is played at {waiting[1].name}." in text_of(response, ".flashes")
    assert where(move_at(client, waiting[2])) == table_url(waiting[0])
    assert where(move_at(client, waiting[0])) == table_url(waiting[0]) + "#turn"


def test_it_goes_on_as_well_when_the_move_was_sent_twice(client: Client, alice: Player, waiting: list[Game]) -> None:
    Player.objects.filter(pk=alice.pk).update(goes_on=True)
    client.force_login(alice)
    form = {"ply": 0, "move": str(next_move(waiting[0]))}
    for _time in range(2):
        assert client.post(table_url(waiting[0], "move/"), form)["Location"] == table_url(waiting[1])


def test_it_does_not_go_on_from_a_move_that_was_refused(client: Client, alice: Player, waiting: list[Game]) -> None:
    Player.objects.filter(pk=alice.pk).update(goes_on=True)
    client.force_login(alice)
    response = client.post(table_url(waiting[0], "move/"), {"ply": 7, "move": str(next_move(waiting[0]))})
    assert response.status_code == 409
