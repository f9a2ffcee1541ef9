"""What does not grow with the site: what each address makes the database do, counted and not timed."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import grows
from tests import postgres_server

MORE = 1.2
"""So many times as much as before may be counted at several times as many games."""


COUNTED = {"archive, a player": 200, "a player’s games": 200}
"""How many more games these searches find on the larger site. They count them, up to a thousand; beyond that they cost
no more."""
PER_GAME = 20
"""Steps, or buffers, to count one game."""


def grown(costs: list[dict[str, grows.Counts]], *, slack: int) -> list[str]:
    """The addresses that cost more on the larger site, with what was counted."""
    small, large = costs
    return [
        f"{name}: {small[name]} and {cost}"
        for name, cost in large.items()
        for what in cost.keys() & {"queries", "steps", "buffers"}
        if cost[what] > MORE * small[name][what] + slack + PER_GAME * COUNTED.get(name, 0)
    ]


@pytest.fixture(autouse=True)
def _once(monkeypatch: pytest.MonkeyPatch) -> None:
    """CPU time is of no interest here."""
    monkeypatch.setenv("TIMES", "1")


@pytest.mark.timeout(300)
def test_on_sqlite_no_address_costs_more_where_more_was_played(tmp_path: Path) -> None:
    costs = grows.costs(tmp_path, (5000, 15_000), every=50)
    assert grown(costs, slack=50) == []
    assert all(cost["queries"] <= 8 for name, cost in costs[1].items() if name != "sweep")


@pytest.mark.timeout(600)
def test_on_postgresql_no_address_costs_more_where_more_was_played(tmp_path: Path) -> None:
    with postgres_server.postgres_server(tmp_path) as url:
        assert grown(grows.costs(tmp_path, (10_000, 40_000), url=url, every=100), slack=50) == []
