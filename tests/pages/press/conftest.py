from __future__ import annotations

from collections.abc import Iterator

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from games.models import Game, Player
from tests.cast import AT
from tests.pages.helpers import to_move
from tests.pages.press.pressing import enter, secret_for


@pytest.fixture(autouse=True)
def _mails_wait(settings: Settings) -> Iterator[None]:
    settings.MAIL_WAIT_SECONDS = 120
    with time_machine.travel(AT, tick=False):
        yield


@pytest.fixture
def mover(game: Game) -> Player:
    """Who is to move, and wishes to do so without signing in."""
    player = to_move(game)
    player.presses = True
    player.save(update_fields=("presses",))
    return player


@pytest.fixture
def secret(game: Game, mover: Player) -> str:
    return secret_for(game, mover)


@pytest.fixture
def reader(client: Client, game: Game, secret: str) -> Client:
    """The browser of whoever has opened the mail."""
    enter(client, game, secret)
    return client
