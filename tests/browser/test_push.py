"""Messages to a browser and the page for when there is no net, in Chromium with the site's own service worker."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.chromium import started
from tests.servers import Site

pytestmark = pytest.mark.timeout(120)
SAID = {"title": "Your turn: Friday table (move 3)", "body": "Until Thursday.", "tag": "k2m4n6p8qr"}
SHOWN = """
async (title) => {
  const registration = await navigator.serviceWorker.ready;
  for (const begin = Date.now(); Date.now() < begin + 20_000; ) {
    const found = await registration.getNotifications();
    const told = found.map(({ title, body, tag, data }) => ({ title, body, tag, url: data.url }));
    if (told.some((one) => one.title === title)) return told;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return [];
}
"""
"""All messages that are shown, once one with that title is; none if it is not within 20 seconds."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The whole one: the shell of Chromium shows no notifications."""
    with started("chromium") as chromium:
        yield chromium


@pytest.fixture
def context(browser: Browser, web: Site) -> Iterator[BrowserContext]:
    context = browser.new_context()
    context.grant_permissions(["notifications"], origin=web.url)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, web: Site) -> Page:
    """A page of the site, whose service worker is at work."""
    page = context.new_page()
    page.goto(f"{web.url}/rules/")
    page.evaluate("navigator.serviceWorker.register('/service-worker.js').then(() => navigator.serviceWorker.ready)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    return page


def deliver(page: Page, said: dict[str, Any]) -> None:
    """As the service that carries messages delivers one."""
    session = page.context.new_cdp_session(page)
    found: list[dict[str, Any]] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    while not found:
        page.evaluate("1")
    origin = page.url.split("/rules")[0]
    message = {"origin": origin, "registrationId": found[0]["registrationId"], "data": json.dumps(said)}
    session.send("ServiceWorker.deliverPushMessage", message)


def shown(page: Page, said: dict[str, Any]) -> list[dict[str, Any]]:
    """All messages that are shown once this one is delivered: again if Chromium, which is busy, has lost it."""
    deliver(page, said)
    told: list[dict[str, Any]] = page.evaluate(SHOWN, said["title"])
    return told or shown(page, said)


def test_a_message_is_shown_and_leads_to_its_table(page: Page, web: Site) -> None:
    said = SAID | {"url": f"{web.url}/tables/k2m4n6p8qr/"}
    assert shown(page, said) == [said]
    later = said | {"title": "Reminder: Friday table waits for your move 3"}
    assert shown(page, later) == [later]


def test_a_page_says_so_when_there_is_no_net(page: Page, web: Site) -> None:
    page.context.set_offline(True)
    page.goto(f"{web.url}/archive/")
    expect(page.locator("h1")).to_have_text("No connection to the site")
    assert page.url == f"{web.url}/archive/"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgba(0, 0, 0, 0)"
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.locator("h1")).to_have_text("Archive")


def test_the_worker_stores_nothing_but_that_page(page: Page, web: Site) -> None:
    page.goto(f"{web.url}/")
    kept = page.evaluate(
        "caches.open('offline-1').then((kept) => kept.keys()).then((all) => all.map(({ url }) => url))"
    )
    paths = [url.removeprefix(web.url) for url in kept]
    assert paths[0] == "/offline/"
    assert all(path.startswith("/static/games/") and path.endswith(".css") for path in paths[1:])
