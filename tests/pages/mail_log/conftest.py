from __future__ import annotations

import pytest

from games.models import Game, Notice, Player, Seat
from tests.pages.helpers import seat_of


@pytest.fixture
def seat(game: Game, alice: Player) -> Seat:
    """Her seat; nothing has been owed to it yet."""
    Notice.objects.all().delete()
    return seat_of(game, alice)
