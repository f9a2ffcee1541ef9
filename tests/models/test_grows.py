"""What does not grow with the site: what each address makes the database do, counted and not timed."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import grows
from tests import postgres_server

MORE = 1.2
"""So many times as much as before may be counted at several times as many games."""


COUNTED = {"archive, a player", "a player’s games"}
"""Searches that say how many games they found. They count them, up to a thousand, so they cost more until then."""


def grown(costs: list[dict[str, grows.Counts]], *, slack: int, counting: int) -> list[str]:
    """The addresses that cost more on the larger site, with what was counted; those COUNTED may cost that of `counting`
    the games that only the larger site has."""
    small, large = costs
    return [
        f"{name}: {small[name]} and {cost}"
        for name, cost in large.items()
        for what in cost.keys() & {"queries", "steps", "buffers"}
        if cost[what] > MORE * small[name][what] + slack + counting * (name in COUNTED and what != "queries")
    ]


@pytest.fixture(autouse=True)
def _once(monkeypatch: pytest.MonkeyPatch) -> None:
    """CPU time is of no interest here."""
    monkeypatch.setenv("TIMES", "1")


@pytest.mark.timeout(300)
def test_on_sqlite_no_address_costs_more_where_more_was_played(tmp_path: Path) -> None:
    costs = grows.costs(tmp_path, (5000, 15_000), every=50)
    # 200 games more.
    assert grown(costs, slack=50, counting=200 * 18) == []
    assert all(cost["queries"] <= 8 for name, cost in costs[1].items() if name != "sweep")


@pytest.mark.timeout(600)
def test_on_postgresql_no_address_costs_more_where_more_was_played(tmp_path: Path) -> None:
    with postgres_server.postgres_server(tmp_path) as server:
        assert (
            grown(grows.costs(tmp_path, (10_000, 40_000), url=server.url, every=100), slack=50, counting=300 * 5) == []
        )
