"""Confirming a move on the page, and everything that can come between."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from games import play, rules
from games.models import Game, Move, Player
from tests.cast import AT, play_out, play_random
from tests.pages.helpers import (
    game_before_a_choice,
    hidden,
    next_move,
    play_next,
    soup,
    table_url,
    text_of,
    to_move,
)


def send(client: Client, game: Game, data: dict[str, Any]) -> Any:
    return client.post(table_url(game, "move/"), data)


def filled(game: Game, move: rules.Move | None = None) -> dict[str, str]:
    """The confirmed form of a legal move."""
    return {"ply": str(game.ply), "move": str(move or next_move(game))}


def test_it_plays_the_move_and_leads_back_to_whose_turn_it_is(client: Client, game: Game) -> None:
    client.force_login(to_move(game))
    move = next_move(game)
    response = send(client, game, filled(game))
    assert (response.status_code, response["Location"]) == (303, table_url(game) + "#turn")
    assert client.get(table_url(game)).content.count(b'id="turn"') == 1
    assert [row.text for row in Move.objects.filter(game=game)] == [str(move)]


def test_it_plays_what_the_form_of_the_preview_holds(client: Client, game: Game) -> None:
    client.force_login(to_move(game))
    move = next_move(game)
    form = hidden(client.get(table_url(game), {"from": move.origin, "to": move.target}))
    assert send(client, game, form).status_code == 303
    assert game.moves.get().text == str(move)


def test_it_plays_a_move_with_the_founding_order_that_was_chosen(
    client: Client, alice: Player, bob: Player, carol: Player
) -> None:
    game, move = game_before_a_choice(alice, bob, carol)
    order = ",".join(rules.founding_orders(game.position(), move)[-1])
    client.force_login(to_move(game))
    assert send(client, game, {**filled(game, move), "order": order}).status_code == 303
    assert game.moves.order_by("-ply")[0].text == f"{move}={order}"


def test_it_asks_for_the_founding_order_when_none_was_chosen(
    client: Client, alice: Player, bob: Player, carol: Player
) -> None:
    game, move = game_before_a_choice(alice, bob, carol)
    client.force_login(to_move(game))
    response = send(client, game, filled(game, move))
    assert response.status_code == 422
    assert text_of(response, "[role=alert]")
    assert soup(response).select("input[name=order]")
    assert game.moves.count() == game.ply


def test_it_takes_the_same_move_sent_twice_for_one(client: Client, game: Game) -> None:
    client.force_login(to_move(game))
    form = filled(game)
    first, second = send(client, game, form), send(client, game, form)
    assert first.status_code == second.status_code == 303
    assert game.moves.count() == 1


def test_it_refuses_a_second_other_move_for_the_same_ply(client: Client, game: Game) -> None:
    client.force_login(to_move(game))
    moves = rules.legal_moves(game.position())
    assert send(client, game, {"ply": "0", "move": str(moves[0])}).status_code == 303
    assert send(client, game, {"ply": "0", "move": str(moves[1])}).status_code == 409
    assert game.moves.count() == 1


def test_it_shows_what_has_happened_since_and_keeps_the_draft(client: Client, game: Game) -> None:
    client.force_login(to_move(game))
    late = next_move(game)
    played = [play_next(game) for _ply in range(3)]
    draft = next_move(game)
    response = send(client, game, {"ply": "0", "move": str(draft)})
    assert response.status_code == 409
    alert = text_of(response, "[role=alert]")
    assert "The game has moved on since you opened this page, so nothing was played." in alert
    missed = text_of(response, ".missed")
    assert "What has happened since" in missed
    assert all(f"{move.origin} to {move.target}" in missed for move in played)
    assert f"Your draft is kept: {draft} ." in alert
    assert hidden(response) | {"csrfmiddlewaretoken": ""} == {
        "csrfmiddlewaretoken": "",
        "ply": "3",
        "move": str(draft),
    }
    assert late == played[0]
    assert game.moves.count() == 3


def test_it_says_why_a_stale_draft_cannot_be_played_any_more(client: Client, game: Game) -> None:
    client.force_login(to_move(game))
    late = play_next(game)
    response = send(client, game, {"ply": "0", "move": f"{late.target}-{late.origin}"})
    assert response.status_code == 409
    assert "empty" in text_of(response, "[role=alert]")


def test_it_tells_a_player_that_it_is_not_their_turn(client: Client, game: Game) -> None:
    waiting = game.seats.exclude(player=to_move(game)).order_by("pk")[0].player
    assert waiting is not None
    client.force_login(waiting)
    response = send(client, game, filled(game))
    assert response.status_code == 409
    assert "It is not your turn, so nothing was played." in text_of(response, "[role=alert]")
    assert game.moves.count() == 0


def test_it_tells_a_stranger_that_they_have_no_seat(client: Client, game: Game, mallory: Player) -> None:
    client.force_login(mallory)
    response = send(client, game, filled(game))
    assert response.status_code == 403
    assert "You have no seat at this table." in text_of(response, "[role=alert]")
    assert game.moves.count() == 0


def test_it_lets_a_visitor_sign_in_and_come_back(client: Client, game: Game) -> None:
    response = send(client, game, filled(game))
    assert response.status_code == 302
    assert parse_qs(urlsplit(response["Location"]).query)["next"] == [f"{table_url(game)}?move={next_move(game)}"]
    assert game.moves.count() == 0


def test_it_tells_a_player_who_resigned_that_the_seat_is_no_longer_theirs(client: Client, game: Game) -> None:
    player = to_move(game)
    play.resign(game, player=player, at=AT)
    client.force_login(player)
    assert send(client, game, filled(game)).status_code == 403
    assert game.moves.count() == 0


@pytest.mark.parametrize("text", ["north", "A1-A1", "A1-L5", "A1-Z9", "C4", "A1-A2=", "💥"])
def test_it_explains_a_move_that_is_none_or_not_allowed(client: Client, game: Game, text: str) -> None:
    client.force_login(to_move(game))
    response = send(client, game, {"ply": "0", "move": text})
    assert response.status_code == 422
    assert text_of(response, "[role=alert]")
    assert game.moves.count() == 0


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"move": "A1-A2"},
        {"ply": "0"},
        {"ply": "x", "move": "A1-A2"},
        {"ply": "-1", "move": "A1-A2"},
        {"ply": "0", "move": "A" * 400},
        {"ply": "0", "move": "A1-A2\x00"},
        {"ply": "0", "move": "A1-A2", "order": "A" * 400},
    ],
)
def test_it_says_that_something_was_missing(client: Client, game: Game, data: dict[str, str]) -> None:
    client.force_login(to_move(game))
    response = send(client, game, data)
    assert response.status_code == 422
    assert "nothing was played" in text_of(response, "[role=alert]")
    assert game.moves.count() == 0


def test_it_tells_that_the_game_is_over(client: Client, game: Game, alice: Player) -> None:
    play_out(game)
    client.force_login(alice)
    response = send(client, game, {"ply": str(game.ply), "move": "A1-A2"})
    assert response.status_code == 409
    assert "This game is not running, so nothing was played." in text_of(response, "[role=alert]")


def test_it_plays_nothing_by_get(client: Client, game: Game) -> None:
    client.force_login(to_move(game))
    response = client.get(table_url(game, "move/"), filled(game))
    assert (response.status_code, response["Location"]) == (302, table_url(game))
    assert game.moves.count() == 0


def test_it_wants_the_token_of_its_own_form(game: Game) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(to_move(game))
    assert send(client, game, filled(game)).status_code == 403
    assert game.moves.count() == 0
    forms = [soup(client.get(table_url(game))).select("[name=csrfmiddlewaretoken]") for _look in range(2)]
    tokens = [str(form[0]["value"]) for form in forms]
    assert tokens[0] != tokens[1]
    form = filled(game)
    for token in tokens:
        # Sent twice, played once.
        assert send(client, game, form | {"csrfmiddlewaretoken": token}).status_code == 303
    assert game.moves.count() == 1


def test_it_knows_no_table_of_another_name(client: Client, alice: Player) -> None:
    client.force_login(alice)
    assert client.post("/tables/nosuchtable/move/", {"ply": "0", "move": "A1-A2"}).status_code == 404


def test_it_needs_few_queries(client: Client, game: Game, django_assert_max_num_queries: Any) -> None:
    play_random(game, 20)
    client.force_login(to_move(game))
    with django_assert_max_num_queries(18):
        assert send(client, game, filled(game)).status_code == 303
