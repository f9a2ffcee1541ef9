"""No program learns by the API what it may not know: by each token all answers are the same in worlds with other cards
(tests/faults/test_two_worlds.py asks without one)."""

from __future__ import annotations

import pytest

from games import play
from tests.api.helpers import API, call
from tests.cast import AT
from tests.faults.addresses import Samples, routes
from tests.faults.scenery import Scenery, make_scenery
from tests.faults.worlds import Seen, differences, turn_cards

QUERIES = {
    "api:v1:games": ("mine=true", "limit=1", "clan=red", "mine=true&clan=red&talk=yes", "order=points&limit=2"),
    "api:v1:running": ("mine=true", "limit=1"),
    "api:v1:statistics": ("players=people",),
}


@pytest.fixture
def scenery(db: None, settings: object) -> Scenery:
    settings.ACCOUNT_RATE_LIMITS = False  # type: ignore[attr-defined]
    return make_scenery()


def look(paths: list[str], token: str) -> Seen:
    """Everything that is answered by that token, with all headers."""
    answers = {path: call(path.removeprefix(API), token=token) for path in paths}
    return {path: b"%d %s" % (answer.status_code, answer.serialize()) for path, answer in answers.items()}


def paths_of(scenery: Scenery) -> list[str]:
    samples = Samples(scenery)
    return [
        f"{path}?{query}" if query else path
        for route in routes()
        if route.text.startswith(API) and route.text != API
        for path in samples.paths(route)
        for query in ("", *QUERIES.get(route.name, ()))
    ]


@pytest.mark.parametrize("name", ["alice", "bob", "mallory"])
def test_it_answers_each_token_the_same_in_all_worlds(scenery: Scenery, name: str) -> None:
    viewer, seen = scenery.players[name], []
    token = play.make_api_token(viewer, name="a program", at=AT)
    paths = paths_of(scenery)
    for turn in range(3):
        turn_cards(viewer, turn=turn)
        seen.append(look(paths, token))
    assert differences(seen) == []
    answered = {path.removeprefix(API) for path, answer in seen[0].items() if answer.startswith(b"200")}
    assert {"games", "games?mine=true", "running", "players/alice"} <= answered
    tables = {game for game in scenery.games.values() if game.is_public or game.seats.filter(player=viewer).exists()}
    assert {f"games/{game.slug}" for game in tables} <= answered


def test_it_would_notice_a_card(scenery: Scenery) -> None:
    """Where the own card moves, too, the answer is another one."""
    token = play.make_api_token(scenery.players["alice"], name="a program", at=AT)
    path, seen = f"{API}games/{scenery.games['running'].slug}", []
    for turn in range(2):
        turn_cards(None, turn=turn)
        seen.append(look([path], token))
    assert differences(seen)
