"""A test whose browser crashes begins anew in another one (conftest.py)."""

from __future__ import annotations

from contextlib import suppress

from playwright.sync_api import Browser, Error

_browsers: list[Browser] = []


def test_it_begins_anew_in_another_browser(browser: Browser) -> None:
    _browsers.append(browser)
    if len(_browsers) == 1:
        with suppress(Error):
            browser.new_browser_cdp_session().send("Browser.crash")
    page = browser.new_page()
    page.goto("about:blank")
    assert len(_browsers) == 2
    page.close()
