from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import suppress
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from playwright.sync_api import Browser, Error, Page, expect
from pytest_django import DjangoDbBlocker

from tests.browser.chromium import running, started
from tests.browser.hotseat import Hotseat, hotseat
from tests.browser.one_hand import Tables, tables_in_one_hand
from tests.servers import Site, site

# As long as clicks and navigations wait: the five seconds of Playwright are short for a busy machine.
expect.set_options(timeout=30_000)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, headless: its shell, which opens a page for a third of the CPU, unless that is not there."""
    with started("chromium-headless-shell", "chromium") as chromium:
        yield chromium


_crashed: set[str] = set()
"""The tests under which Chromium has crashed."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Begin a test anew, once, with a browser of its own, if Chromium itself has crashed under it: every further test
    of its module would fail. No other failure gets a second try."""
    if "browser" not in getattr(item, "fixturenames", ()):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    if item.nodeid in _crashed:
        shared: Any = item.session
        with suppress(Exception):
            shared._setupstate.teardown_exact(shared)
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed and not all(map(_answers, running)):
        _crashed.add(item.nodeid)
    return report


def _answers(chromium: Browser) -> bool:
    try:
        chromium.new_context().close()
    except Error:
        return False
    return True


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site that answers and sends nothing."""
    with site(tmp_path_factory.mktemp("web"), processes=("web",)) as served:
        yield served


@pytest.fixture(scope="module")
def wishes() -> dict[str, Any]:
    """What `two` have beyond the usual, as `hotseat` takes it."""
    return {}


@pytest.fixture(scope="module")
def two(browser: Browser, web: Site, django_db_blocker: DjangoDbBlocker, wishes: dict[str, Any]) -> Iterator[Hotseat]:
    """alice and bob at their browsers: the tests of a file share them, in whatever order."""
    with hotseat(browser, web, django_db_blocker, **wishes) as two:
        yield two


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
