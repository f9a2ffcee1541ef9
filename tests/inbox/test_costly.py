"""Mails that are made to cost much cost little: in CPU time, whatever else the machine does, and in memory."""

from __future__ import annotations

import time
import tracemalloc
from typing import Final

import pytest

from games.inbox.reading import read
from games.inbox.understanding import understand
from tests.inbox.costly import BOMBS, MEGABYTE
from tests.inbox.written import TODAY

MOST_SECONDS: Final = 10
"""The dearest takes 3 on the machine that this was written on. What takes time by the square of its length takes 20 and
more, up to hours."""
MOST_MEMORY: Final = 128 * MEGABYTE
SHARPEST: Final = (
    *("parameters", "parameters of a part", "punycode", "parts", "containers", "comments in an address"),
    *("html: comments", "html: blanks in a tag"),
)
"""Those that did harm before something was done about it."""


@pytest.mark.parametrize("name", SHARPEST)
def test_the_sharpest_cost_little(name: str) -> None:
    _costs_little(name)


@pytest.mark.parametrize("name", BOMBS)
def test_all_cost_little(name: str) -> None:
    _costs_little(name)


def _costs_little(name: str) -> None:
    assert len(BOMBS[name]) <= MEGABYTE
    begun = time.process_time()
    understand(read(BOMBS[name]).text, today=TODAY)
    assert time.process_time() - begun < MOST_SECONDS
    tracemalloc.start()
    read(BOMBS[name])
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < MOST_MEMORY
