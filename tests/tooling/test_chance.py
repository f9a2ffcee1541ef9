"""Each test draws the same random numbers in every run."""

from __future__ import annotations

import random
import secrets

import pytest

from tests.chance import CHANCE, RUN


def test_a_test_begins_with_its_own_random_numbers(request: pytest.FixtureRequest) -> None:
    drawn = random.random(), secrets.token_hex()
    CHANCE.restart(request.node.nodeid)
    assert (random.random(), secrets.token_hex()) == drawn


def test_hypothesis_is_seeded_by_the_run(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.getoption("hypothesis_seed") == RUN
