"""Taking a move back on the page of the table."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from games import play
from games.models import Game, Player
from tests.cast import AT
from tests.pages.helpers import hidden, next_move, play_next, soup, table_url, text_of, to_move


@pytest.fixture(autouse=True)
def _mails_wait(settings: Settings) -> Iterator[None]:
    settings.MAIL_WAIT_SECONDS = 120
    with time_machine.travel(AT, tick=False):
        yield


@pytest.fixture
def mover(client: Client, game: Game) -> Player:
    """Who has just made the first move on the page, and is signed in."""
    player = to_move(game)
    client.force_login(player)
    client.post(table_url(game, "move/"), {"ply": "0", "move": str(next_move(game))})
    game.refresh_from_db()
    return player


def form_of(client: Client, game: Game) -> dict[str, str]:
    return hidden(client.get(table_url(game)), ".take-back")


def test_it_takes_a_move_back_by_its_button(client: Client, game: Game, mover: Player) -> None:
    page = client.get(table_url(game))
    assert f"Take {game.moves.get().text} back" in text_of(page, ".prompt")
    assert "For 2 minutes, unless another player looks first." in text_of(page, ".take-back")
    assert "For 2 minutes you can take it back" in text_of(page, "[data-say]"), "a screen reader is told in time"
    [until] = soup(page).select("[data-until]")
    assert int(until["data-until"]) == (AT.timestamp() + 120) * 1000
    answer = client.post(table_url(game, "take-back/"), form_of(client, game), follow=True)
    assert "The move is taken back. It is your turn again." in text_of(answer, ".flashes")
    game.refresh_from_db()
    assert (game.ply, game.awaited) == (0, mover)
    assert soup(answer).select(".take-back") == []
    client.post(table_url(game, "move/"), hidden(client.get(table_url(game), {"move": str(next_move(game))})))
    game.refresh_from_db()
    assert game.ply == 1
    assert {"ply": "1", "made_for": "1"}.items() <= form_of(client, game).items()


@pytest.mark.usefixtures("mover")
def test_it_offers_that_to_nobody_else(client: Client, game: Game, mallory: Player) -> None:
    client.force_login(mallory)
    assert soup(client.get(table_url(game))).select(".take-back") == []
    client.force_login(to_move(game))
    assert soup(client.get(table_url(game))).select(".take-back") == []


def test_two_clicks_are_one(client: Client, game: Game, mover: Player) -> None:
    form = form_of(client, game)
    for _click in range(2):
        answer = client.post(table_url(game, "take-back/"), form, follow=True)
        assert (answer.status_code, "is taken back" in text_of(answer, ".flashes")) == (200, True)
    game.refresh_from_db()
    assert (game.edition, game.awaited) == (1, mover)


def test_a_player_takes_back_at_most_20_moves_an_hour(client: Client, game: Game, mover: Player) -> None:
    def play_and_take_back() -> Any:
        shown = client.get(table_url(game), {"move": str(next_move(game))})
        client.post(table_url(game, "move/"), hidden(shown))
        return client.post(table_url(game, "take-back/"), form_of(client, game))

    client.post(table_url(game, "take-back/"), form_of(client, game))
    assert [play_and_take_back().status_code for _move in range(19)] == [303] * 19
    answer = play_and_take_back()
    assert answer.status_code == 429
    assert "You have taken back many moves." in text_of(answer, ".prompt")
    game.refresh_from_db()
    assert (game.ply, game.edition) == (1, 20)
    with time_machine.travel(AT + timedelta(hours=1, seconds=1), tick=False):
        while to_move(game) != mover:
            play_next(game)
        assert play_and_take_back().status_code == 303


@pytest.mark.usefixtures("mover")
def test_it_offers_that_for_two_minutes(client: Client, game: Game) -> None:
    for seconds, offered in ((120, 1), (121, 0)):
        with time_machine.travel(AT + timedelta(seconds=seconds), tick=False):
            assert len(soup(client.get(table_url(game))).select(".take-back")) == offered


@pytest.mark.usefixtures("mover")
def test_it_says_that_it_is_too_late(client: Client, game: Game) -> None:
    form = form_of(client, game)
    other = to_move(game)
    play.mark_seen(game, player=other, ply=1, at=play.now())
    answer = client.post(table_url(game, "take-back/"), form)
    assert answer.status_code == 409
    assert "cannot be taken back any more" in text_of(answer, ".prompt")
    assert soup(answer).select(".take-back") == []
    assert game.moves.count() == 1


@pytest.mark.usefixtures("mover")
def test_it_takes_nothing_back_without_knowing_which(client: Client, game: Game) -> None:
    answer = client.post(table_url(game, "take-back/"), {"ply": "C4"})
    assert answer.status_code == 422
    assert "nothing was taken back" in text_of(answer, ".prompt")
    assert client.get(table_url(game, "take-back/"))["Location"] == table_url(game)
    assert game.moves.count() == 1


def test_it_asks_nothing_of_the_database_for_others(
    client: Client, game: Game, mover: Player, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client.force_login(mover)
    with django_assert_max_num_queries(11):
        client.get(table_url(game))
    play_next(game)
    with django_assert_max_num_queries(6):
        client.get(table_url(game))
