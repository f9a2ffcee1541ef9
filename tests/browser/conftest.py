from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from pytest_django import DjangoDbBlocker

from tests.browser.one_hand import Tables, tables_in_one_hand
from tests.servers import Site, site

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# As long as clicks and navigations wait: the five seconds of Playwright are short for a busy machine.
expect.set_options(timeout=30_000)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, headless."""
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("needs chromium (apt-get install chromium)")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site that answers and sends nothing."""
    with site(tmp_path_factory.mktemp("web"), processes=("web",)) as served:
        yield served


@pytest.fixture(scope="module")
def tables(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker
) -> Iterator[Tables]:
    """Tables whose player holds a phone."""
    with tables_in_one_hand(browser, tmp_path_factory.mktemp("hand"), django_db_blocker) as tables:
        yield tables


@pytest.fixture
def page(tables: Tables) -> Page:
    """One of them, upright."""
    return tables.upright()
