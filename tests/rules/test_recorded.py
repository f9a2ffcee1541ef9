"""Recorded games: what the rules made of them once, they make of them for ever.

They belong to one map. After a new map: `python -m tests.rules.record_games`.
"""

import json

import pytest

from games.rules import STANDARD, Position, read_record
from tests.rules import reference
from tests.rules.checked import read_checked
from tests.rules.record_games import FOLDER, RARE, Json, map_digest

GAMES = [json.loads(line) for path in sorted(FOLDER.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module", autouse=True)
def same_map() -> None:
    """Nothing can be said of recorded games on another map, even one of the same name."""
    recorded_on = (FOLDER / "map.sha256").read_text("utf-8").strip()
    assert map_digest() == recorded_on, "the map has changed: run `python -m tests.rules.record_games`"


@pytest.fixture(params=GAMES, ids=lambda game: game.get("shows", "random"))
def recorded(request: pytest.FixtureRequest) -> Json:
    game: Json = request.param
    return game


def test_it_has_a_recorded_game_for_every_rare_thing() -> None:
    assert [game["shows"] for game in GAMES if "shows" in game] == list(RARE)


def test_it_replays_the_recorded_game(recorded: Json) -> None:
    """All of the rules: villages, founding orders and results must be those that were recorded."""
    record = read_checked(recorded)
    for step in record.replay():
        assert Position.parse(str(step.position)) == step.position


def test_it_still_shows_what_it_was_recorded_for(recorded: Json) -> None:
    if "shows" in recorded:
        record = read_record(recorded)
        assert RARE[recorded["shows"]](record.replay(), record)


def test_it_agrees_with_the_reference_on_the_recorded_game(recorded: Json) -> None:
    """All of the rules, played by an implementation that shares no code"""
    reference.check(STANDARD.export(), recorded)
