"""The page that moves without signing in follows its turn, and nothing beyond it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import play
from games.models import Game, Player
from tests.cast import AT, play_random
from tests.pages.helpers import soup, text_of
from tests.pages.press.pressing import press_url, send_move


def poll(client: Client, page: Any) -> int:
    """What the script of that page is answered when it asks for news."""
    [table] = soup(page).select("#table")
    known = f'"{table["data-version"]}-{table["data-waiting"]}"'
    return int(client.get(str(table["data-poll"]), headers={"If-None-Match": known}).status_code)


def follows(page: Any) -> bool:
    return bool(soup(page).select("#table[data-poll]"))


def test_it_has_no_news_while_nothing_changes(reader: Client, game: Game) -> None:
    choosing = reader.get(press_url(game))
    assert (follows(choosing), poll(reader, choosing)) == (True, 304)
    send_move(reader, game)
    assert poll(reader, choosing) == 200
    made = reader.get(press_url(game))
    with CaptureQueriesContext(connection) as queries:
        assert poll(reader, made) == 304
    # The turn, whether this page made the move, and whether that may be taken back.
    assert len(queries) <= 5


def test_it_says_when_the_time_to_take_back_is_over(reader: Client, game: Game) -> None:
    send_move(reader, game)
    page = reader.get(press_url(game))
    assert "can no longer be taken back" not in text_of(page)
    with time_machine.travel(AT + timedelta(seconds=121), tick=False):
        assert poll(reader, page) == 200
        page = reader.get(press_url(game))
    made = game.moves.get().text
    assert f"Your move {made} is played and can no longer be taken back." in text_of(page, "[data-fate]")
    assert (soup(page).select(".take-back"), follows(page)) == ([], False)


def test_it_says_so_as_soon_as_somebody_has_looked(reader: Client, game: Game) -> None:
    send_move(reader, game)
    page = reader.get(press_url(game))
    game.refresh_from_db()
    later = AT + timedelta(seconds=5)
    game.seats.filter(player=game.awaited).update(seen_ply=1, seen_at=later)
    with time_machine.travel(later, tick=False):
        assert poll(reader, page) == 200
        assert "can no longer be taken back." in text_of(reader.get(press_url(game)), "[data-fate]")


def test_it_follows_a_move_that_is_taken_back_elsewhere(reader: Client, game: Game, mover: Player) -> None:
    send_move(reader, game)
    page = reader.get(press_url(game))
    play.take_back(game, player=mover, ply=1, edition=0, at=AT)
    assert poll(reader, page) == 200
    assert "It is your move." in text_of(reader.get(press_url(game)))


@pytest.mark.parametrize("after_move", [False, True])
def test_it_follows_nothing_beyond_its_turn(reader: Client, game: Game, *, after_move: bool) -> None:
    if after_move:
        send_move(reader, game)
    page = reader.get(press_url(game))
    play_random(game, 2)
    assert poll(reader, page) == 410


def test_it_has_no_news_for_who_may_not_see_the_page(reader: Client, game: Game, mover: Player) -> None:
    page = reader.get(press_url(game))
    Player.objects.filter(pk=mover.pk).update(presses=False)
    assert poll(reader, page) == 410
    assert poll(Client(), page) == 200, "the way in, as for anybody"
