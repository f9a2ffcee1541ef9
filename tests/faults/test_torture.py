"""Players move while processes are killed: a short run of `make torture`, on both databases."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.postgres_server import is_installed
from tests.torture.run import torture

KILLS, MOVES = 12, 60


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_it_loses_nothing_when_processes_are_killed(tmp_path: Path, database: str) -> None:
    if database == "postgres" and not is_installed():
        pytest.skip("PostgreSQL is not installed")
    outcome = torture(tmp_path, kills=KILLS, moves=MOVES, database=database)
    assert outcome.faults == [], str(outcome)
    assert (outcome.kills.total(), outcome.moves) == (KILLS, MOVES)
    assert outcome.mails > MOVES / 4
    # In so short a run one repeat is more than the long run's half of a hundredth.
    assert outcome.repeats <= 1
    assert set(outcome.states) <= {"sent", "superseded"}
