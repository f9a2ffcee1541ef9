"""Limits count in all processes together, and by who asks: whatever a stranger's header says, and nobody else pays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

import pytest

from games.limits import PRACTICE
from tests.servers import HOST, Site, free_port, site

TOKEN = "a" * 32
STRANGER, OTHER = "192.0.2.9", "203.0.113.5"


@pytest.fixture
def both(tmp_path: Path) -> Iterator[list[Site]]:
    """One site in two processes, each at a port of its own, so that it is known which one answers; behind a proxy."""
    environment = {"TRUSTED_PROXIES": "1"}
    alone = {"web": ("--workers", "1")}
    with site(tmp_path, processes=("web",), arguments=alone, environment=environment) as first:
        port = free_port()
        second = replace(first, port=port, environment={**first.environment, "PORT": str(port)}, processes={})
        try:
            second.start("web", *alone["web"])
            second.wait_until_up()
            yield [first, second]
        finally:
            second.stop()


def begin_practice(served: Site, *, host: str, said: str) -> int:
    """The status of the answer to a visitor at `host` without a session, who says in a header to be at `said`."""
    connection = HTTPConnection(HOST, served.port, timeout=60)
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Cookie": f"csrftoken={TOKEN}",
        # A proxy adds whom it sees behind whatever it was told.
        "X-Forwarded-For": f"{said}, {host}",
    }
    connection.request("POST", "/practice/", urlencode({"csrfmiddlewaretoken": TOKEN}), headers)
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status


def test_limits_hold_across_processes_whatever_a_header_says(both: list[Site]) -> None:
    (amount, *_rest), *_day = PRACTICE.rates

    def ask(number: int) -> tuple[int, int]:
        served = both[number % 2]
        return served.port, begin_practice(served, host=STRANGER, said=f"198.51.{number}.1")

    with ThreadPoolExecutor(8) as pool:
        answers = Counter(pool.map(ask, range(amount + 20)))
    ports = [served.port for served in both]
    assert sum(answers[port, 303] for port in ports) == amount
    assert sum(answers[port, 429] for port in ports) == 20
    assert all(answers[port, 303] > 0 for port in ports)
    for served in both:
        assert begin_practice(served, host=STRANGER, said=OTHER) == 429
        assert begin_practice(served, host=OTHER, said=STRANGER) == 303
