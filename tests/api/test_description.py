"""The API keeps to its own description, whatever it is asked: no fault, no answer that is not described."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings as trying, strategies as some
from pytest_django import Settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from clans_site.wsgi import application
from games.models import Player
from tests.api.helpers import API, read, token_of
from tests.cast import make_game, play_out, play_random

pytestmark = pytest.mark.django_db

POSITIVE, NEGATIVE = GenerationMode.POSITIVE, GenerationMode.NEGATIVE
EACH = [
    *product(("games", "running", "game", "ply", "position_games", "player", "board"), (POSITIVE,)),
    # The others take any text, so none is wrong.
    *product(("games", "running", "ply", "position_games"), (NEGATIVE,)),
]
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
SHORT, LONG = {POSITIVE: 15, NEGATIVE: 15}, {POSITIVE: 700, NEGATIVE: 200}
"""So many requests by each operation. It takes longer to think of what is nearly right."""


@pytest.fixture
def known(alice: Player, bob: Player, carol: Player, settings: Settings) -> Mapping[str, list[str]]:
    """Values that lead somewhere, by the names of parameters of addresses, and tokens."""
    settings.ACCOUNT_RATE_LIMITS = False
    games = [play_out(make_game(alice, bob, carol), seed=5), play_random(make_game(alice, bob, is_public=False), 9)]
    position = read(f"games/{games[0].slug}/plies/4")["position"]
    return {
        "slug": [game.slug for game in games],
        "ply": ["0", "4", "48"],
        "position": [position],
        "name": ["alice", "bob"],
        "board": ["atlas-1"],
        "rules": ["1"],
        "token": ["", token_of(alice)],
    }


@pytest.mark.parametrize(("operation", "mode"), EACH)
def test_it_answers_150_inputs_as_described(
    known: Mapping[str, list[str]], operation: str, mode: GenerationMode
) -> None:
    try_out(operation, mode, known, requests=SHORT[mode])


@pytest.mark.parametrize(("operation", "mode"), EACH)
def test_it_answers_5000_inputs_as_described(
    known: Mapping[str, list[str]], operation: str, mode: GenerationMode
) -> None:
    try_out(operation, mode, known, requests=LONG[mode])


def try_out(name: str, mode: GenerationMode, known: Mapping[str, list[str]], *, requests: int) -> None:
    """Ask so often by that operation, as it is described or nearly so; half of the addresses lead somewhere."""
    described = schemathesis.openapi.from_wsgi(f"{API}openapi.json", application)
    operation = described.find_operation_by_id(name)
    places = {each.name: some.sampled_from(known[each.name]) for each in operation.path_parameters}

    @trying(max_examples=requests, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(
        case=operation.as_strategy(mode),
        places=some.none() | some.fixed_dictionaries(places),
        token=some.sampled_from(known["token"]),
    )
    def ask(case: Any, places: dict[str, str] | None, token: str) -> None:
        if places:
            case.path_parameters = places
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        case.validate_response(case.call(headers=headers), checks=CHECKS)
        asked.append(case)

    asked: list[Any] = []
    ask()
    assert len(asked) >= requests
