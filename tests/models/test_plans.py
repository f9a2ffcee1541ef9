"""How SQLite finds what is asked for again and again: by what it is about, however much has been kept in years."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from games import hooks, mail, play
from games.mail import sweeping
from games.models import Game, Player
from games.pages.lists.archive import finished_here
from games.pages.lists.asked import asked
from games.pages.lists.paging import page_of
from games.pages.lists.watch import running_in_public
from tests.cast import AT, make_game
from tests.plans import asks_sqlite, steps_of

pytestmark = [pytest.mark.django_db, asks_sqlite]


SWEPT: dict[str, Callable[[], Any]] = {
    "computer players to move": play.bots_to_move,
    "next tables of series": play.series_due,
    "turns that are over": lambda: play.end_overdue_turns(at=AT),
    "tables that nobody came to": lambda: play.expire_tables(at=AT),
    "seasons": play.running_seasons,
    "reminders": lambda: play.owe_reminders(at=AT),
    "mails set aside": lambda: sweeping.retry_quarantined(at=AT),
    "mails": lambda: mail.sweep(at=AT),
    "calls": lambda: hooks.sweep(at=AT),
    "messages about invitations": lambda: hooks.owe_invitations(at=AT),
}
"""What a sweep looks for, with the index that was made for it."""
INDEXES = {"game_bot_to_move", "game_due", "game_remind", "notice_waiting", "invitation_to_push", "series_due"}
INDEXES |= {"season_running"}
INDEXES |= {f"{row}_{index}" for row in ("mail", "webhookcall") for index in ("due", "leased", "aside")}


@pytest.mark.parametrize("what", SWEPT)
def test_a_sweep_finds_what_is_due_by_its_index(what: str) -> None:
    steps = [step for step in steps_of(SWEPT[what]) if "PRIMARY KEY" not in step]
    assert steps
    assert [step for step in steps if not INDEXES.intersection(step.split())] == []


def test_a_player_finds_the_tables_that_wait_by_the_index(alice: Player, bob: Player) -> None:
    make_game(alice, bob)
    [step] = steps_of(lambda: list(Game.objects.awaiting(alice)))
    assert "game_awaited (awaited_id=?)" in step


def test_a_player_finds_the_tables_that_ask_them_again_by_the_index(alice: Player) -> None:
    steps = steps_of(lambda: asked(alice), of="")
    for index in (
        "game_follows (follows_id=?)",
        "invitation_to_player (player_id=?)",
        "invitation_to_address (address=?)",
    ):
        assert any(index in step for step in steps)
    assert not any(step.startswith("SCAN") for step in steps)


def test_games_to_watch_are_found_by_the_index(alice: Player, bob: Player) -> None:
    make_game(alice, bob)
    for cursor in ("", "after-1772481600000000-1"):
        steps = steps_of(partial(page_of, running_in_public, size=20, cursor=cursor))
        assert steps
        assert [step for step in steps if "game_watch" not in step] == []


def test_games_that_were_finished_here_are_found_by_their_index() -> None:
    [step] = steps_of(lambda: list(finished_here()[:5]))
    assert "USING INDEX game_finished_here" in step
