"""A real Redis that counts attempts and calls, and is away: what needs it says so and when to come back, and all else
goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from games.models import Game, Player
from tests.cast import PASSWORD
from tests.pages.helpers import next_move, table_url, text_of, to_move
from tests.redis_server import RedisServer, redis_server

pytestmark = pytest.mark.django_db

SIGN_IN = {"login": "alice", "password": PASSWORD}


@pytest.fixture
def counting(tmp_path: Path, settings: Settings) -> Iterator[RedisServer]:
    """It has the cache of the site, by which limits are counted."""
    with redis_server(tmp_path) as server:
        backend = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": server.url}
        settings.CACHES = {"default": backend | {"OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1}}}
        yield server


@pytest.fixture
def browser() -> Client:
    """It hears of an error as a browser does."""
    return Client(raise_request_exception=False)


@pytest.mark.parametrize("fault", [RedisServer.refuse, RedisServer.hang, RedisServer.refuse_writes])
def test_the_api_says_when_to_come_back(
    counting: RedisServer, browser: Client, alice: Player, fault: Callable[[RedisServer], None]
) -> None:
    assert browser.get("/api/v1/players/alice").status_code == 200
    fault(counting)
    response = browser.get("/api/v1/players/alice")
    problem = {"type": "about:blank", "title": "Service Unavailable", "status": 503}
    assert (response.status_code, json.loads(response.content)) == (503, problem)
    assert response["Content-Type"] == "application/problem+json"
    assert (response["Retry-After"], response["Cache-Control"]) == ("30", "no-store")


@pytest.mark.parametrize(
    ("fault", "end"), [(RedisServer.refuse, RedisServer.start), (RedisServer.refuse_writes, RedisServer.take_writes)]
)
def test_it_signs_in_again_once_it_is_back(
    counting: RedisServer,
    browser: Client,
    alice: Player,
    fault: Callable[[RedisServer], None],
    end: Callable[[RedisServer], None],
) -> None:
    fault(counting)
    response = browser.post("/accounts/login/", SIGN_IN)
    assert (response.status_code, response["Retry-After"]) == (503, "30")
    assert "That does not work just now" in text_of(response)
    assert "_auth_user_id" not in browser.session
    end(counting)
    assert browser.post("/accounts/login/", SIGN_IN).status_code == 302
    assert browser.get("/api/v1/players/alice").status_code == 200


def test_health_says_that_it_takes_no_writes(counting: RedisServer, client: Client) -> None:
    assert client.get("/health/").status_code == 200
    counting.refuse_writes()
    said = "Redis does not answer, or refuses to write: nobody can sign in.\n"
    response = client.get("/health/")
    assert (response.status_code, response.content.decode()) == (503, said)


def test_games_go_on(counting: RedisServer, browser: Client, game: Game) -> None:
    player = to_move(game)
    browser.force_login(player)
    counting.refuse()
    made = browser.post(table_url(game, "move/"), {"ply": 0, "move": str(next_move(game))})
    assert made.status_code == 303
    pages: list[Any] = [browser.get(address) for address in (table_url(game), "/", "/archive/", "/accounts/login/")]
    assert [page.status_code for page in pages] == [200, 200, 200, 302]
    assert game.moves.count() == 1


def test_it_writes_no_postcard_that_it_cannot_count(counting: RedisServer, browser: Client, game: Game) -> None:
    player = to_move(game)
    browser.force_login(player)
    counting.refuse()
    made = browser.post(table_url(game, "move/"), {"ply": 0, "move": str(next_move(game)), "say": "Hello"})
    assert made.status_code == 503
    assert (game.moves.count(), game.postcards.count()) == (0, 0)
