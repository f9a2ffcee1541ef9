from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from games.models import Game, Player, Webhook
from tests.cast import make_game
from tests.hooks.ear import Ear, open_ear
from tests.hooks.helpers import add


@pytest.fixture
def internal(settings: Settings) -> None:
    """The site calls hosts of its own network, too."""
    settings.WEBHOOK_ALLOW_INTERNAL = True


@pytest.fixture
def ear(internal: None) -> Iterator[Ear]:
    """A host that hears calls."""
    with open_ear() as opened:
        yield opened


@pytest.fixture
def hooked(ear: Ear, alice: Player) -> Webhook:
    """A webhook of alice's, before she sits anywhere."""
    return add(alice, ear.url())


@pytest.fixture
def both(hooked: Webhook, alice: Player, bob: Player) -> Game:
    """A game of alice, who has a webhook, and bob, who has none."""
    alice.refresh_from_db()
    return make_game(alice, bob)
