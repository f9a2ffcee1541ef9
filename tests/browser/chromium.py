"""The browsers that tests start."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
running: list[Browser] = []
"""Those that a fixture has started and not ended."""


@contextmanager
def started(*programs: str) -> Iterator[Browser]:
    """The first of these browsers that is installed."""
    path = next(filter(None, map(shutil.which, programs)), None)
    if path is None:
        pytest.skip(f"needs {programs[0]} (apt-get install {programs[0]})")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        running.append(chromium)
        yield chromium
        running.remove(chromium)
        chromium.close()
