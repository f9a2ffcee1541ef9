"""A site moves to another database as docs/operating.md says, by `dumpdata` and `loaddata`."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command

from games.models import Move
from tests.cast import AT, make_game, make_player, play_random

EXACTLY = AT + timedelta(microseconds=123_456)


def every_row() -> dict[str, list[dict[str, Any]]]:
    return {model._meta.label: list(model._default_manager.order_by("pk").values()) for model in apps.get_models()}


@pytest.mark.django_db
def test_a_moved_site_has_every_row_as_it_was_and_its_games_pass_verification(tmp_path: Path) -> None:
    moved = tmp_path / "games.json"
    game = play_random(make_game(make_player("alice"), make_player("bob"), at=EXACTLY))
    play_random(make_game(*(seat.player for seat in game.seats.all() if seat.player), at=EXACTLY), 5)
    before = every_row()
    left_out = ["contenttypes", "auth.permission", "sessions"]
    call_command("dumpdata", use_natural_foreign_keys=True, exclude=left_out, output=str(moved))
    Move.objects.update(at=AT, previous_hash=None)
    call_command("loaddata", str(moved), verbosity=0)
    assert every_row() == before
    call_command("verify_archive")
