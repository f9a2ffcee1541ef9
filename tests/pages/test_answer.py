"""The page to which the buttons of a reminder lead."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from games.models import Game, Player, Seat
from tests.cast import AT, make_game
from tests.pages.helpers import hidden, play_next, soup, table_url, text_of, to_move

ANSWERS = ("tonight", "thinking", "day")


@pytest.fixture
def mover(client: Client, game: Game) -> Player:
    """Who is to move, signed in."""
    player = to_move(game)
    client.force_login(player)
    return player


def answer(client: Client, game: Game, **form: str) -> Any:
    with time_machine.travel(AT + timedelta(hours=30), tick=False):
        return client.post(table_url(game, "answer/"), form, follow=True)


def offered(client: Client, game: Game, say: str = "") -> list[str]:
    """What the buttons of the page would say."""
    response = client.get(table_url(game, "answer/"), {"say": say} if say else {})
    assert response.status_code == 200
    return [str(button["value"]) for button in soup(response).select("main button:not([disabled])")]


def seat(game: Game, player: Player) -> Seat:
    return game.seats.get(player=player)


@pytest.mark.parametrize("say", ANSWERS)
def test_it_asks_before_it_says_anything(client: Client, game: Game, mover: Player, say: str) -> None:
    before = Game.objects.values().get(), list(Seat.objects.values())
    assert offered(client, game, say) == [say]
    assert (Game.objects.values().get(), list(Seat.objects.values())) == before


@pytest.mark.parametrize("say", ["", "nonsense"])
def test_it_offers_all_answers_to_who_chose_none(client: Client, game: Game, mover: Player, say: str) -> None:
    assert sorted(offered(client, game, say)) == sorted(ANSWERS)


@pytest.mark.parametrize(
    ("say", "said"),
    [("tonight", "You have said that you will play tonight."), ("thinking", "The others see that you are thinking")],
)
def test_it_tells_the_others(client: Client, game: Game, mover: Player, say: str, said: str) -> None:
    response = answer(client, game, say=say)
    assert response.redirect_chain == [(table_url(game), 303)]
    assert said in text_of(response, ".flashes")
    assert (seat(game, mover).says, seat(game, mover).says_at) == (say, AT + timedelta(hours=30))


def turn_of(client: Client, game: Game) -> str:
    """The turn as the forms on the page of answers name it."""
    return hidden(client.get(table_url(game, "answer/")), "main form")["turn"]


def test_it_takes_a_day_from_the_reserve(client: Client, game: Game, mover: Player) -> None:
    free_until = Game.objects.get().free_until
    turn = turn_of(client, game)
    for _click in range(2):
        said = answer(client, game, say="day", turn=turn)
        assert "You have taken a day from your reserve." in text_of(said, ".flashes")
    game.refresh_from_db()
    assert free_until
    assert game.free_until == free_until + timedelta(days=1)
    assert seat(game, mover).reserve_taken == timedelta(days=1)


def test_it_offers_no_day_of_a_reserve_that_is_used_up(client: Client, game: Game, mover: Player) -> None:
    Seat.objects.filter(game=game, player=mover).update(reserve_used=timedelta(days=6, hours=1))
    assert sorted(offered(client, game, "day")) == ["thinking", "tonight"]
    response = answer(client, game, say="day", turn=turn_of(client, game))
    assert response.status_code == 409
    assert "Less than a day is left of your reserve" in text_of(response)


@pytest.mark.parametrize("form", [{}, {"say": "nonsense"}, {"say": "day"}, {"say": "day", "turn": "0-0"}])
def test_it_refuses_what_is_no_answer(client: Client, game: Game, mover: Player, form: dict[str, str]) -> None:
    assert answer(client, game, **form).status_code == 422
    assert seat(game, mover).says == ""


def test_it_says_that_there_is_nothing_to_answer_any_more(client: Client, game: Game, mover: Player) -> None:
    play_next(game)
    assert offered(client, game, "tonight") == []
    assert answer(client, game, say="tonight").status_code == 409


def test_it_sends_visitors_to_sign_in_and_back(client: Client, game: Game) -> None:
    path = table_url(game, "answer/")
    response = client.get(path, {"say": "day"})
    assert response["Location"] == f"/accounts/login/?next={path}%3Fsay%3Dday"
    assert client.post(path, {"say": "day"}).status_code == 302
    assert not Seat.objects.exclude(says="").exists()


def test_it_refuses_strangers(client: Client, game: Game, mallory: Player) -> None:
    client.force_login(mallory)
    assert client.get(table_url(game, "answer/")).status_code == 403
    assert answer(client, game, say="tonight").status_code == 409
    assert not Seat.objects.exclude(says="").exists()


def test_where_all_others_are_computer_players_nobody_is_told(client: Client, alice: Player) -> None:
    game = make_game(alice, bots=2)
    Game.objects.filter(pk=game.pk).update(to_move=seat(game, alice).number, awaited=alice)
    client.force_login(alice)
    for say in ("", "thinking"):
        assert sorted(offered(client, game, say)) == ["day", "tonight"]
    page = client.get(table_url(game))
    buttons = soup(page).select("#more-time button")
    assert sorted(str(button["value"]) for button in buttons) == ["day", "tonight"]
    assert "others" not in text_of(page, ".prompt")
    assert "others" not in text_of(client.get(table_url(game, "answer/"), {"say": "tonight"}))
    response = answer(client, game, say="tonight")
    assert "You have said that you will play tonight." in text_of(response, ".flashes")
    assert "others" not in text_of(response, ".prompt")


def test_the_page_of_the_table_offers_the_same(client: Client, game: Game, mover: Player) -> None:
    buttons = soup(client.get(table_url(game))).select("#more-time button")
    assert sorted(str(button["value"]) for button in buttons) == sorted(ANSWERS)
    play_next(game)
    assert not soup(client.get(table_url(game))).select("#more-time")
