"""Lists with small boards, narrow and wide: nothing moves when they come, and each of them does come."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import product

from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Route, ViewportSize
from pytest_django import DjangoDbBlocker

from games import play
from tests.browser.hotseat import at_the_database
from tests.browser.looking import cookies_of
from tests.browser.test_fonts import HAVE_COME, NEXT_FRAME, SHIFTED
from tests.cast import AT, make_game, make_player, make_table, play_random
from tests.servers import Site

PICTURES = """
() => [...document.querySelectorAll(".table-board")].map((picture) => {
  const { width, height } = picture.getBoundingClientRect();
  return { came: picture.naturalWidth > 0, ratio: width / height };
})
"""
ARE_COMPLETE = """
() => [...document.querySelectorAll(".table-board")].every((picture) => picture.complete)
"""
HAS_SCROLLED = """
(screen) => scrollY >= Math.min(screen * 500, document.documentElement.scrollHeight - innerHeight) - 1
"""


def test_nothing_moves_and_no_request_fails(browser: Browser, web: Site, django_db_blocker: DjangoDbBlocker) -> None:
    client = at_the_database(web, django_db_blocker, sign_in_to_lists)
    with ExitStack() as stack:
        pages = [
            SlowPage(stack.enter_context(_context_of(browser, client, web.url)), web.url, path, width)
            for width, path in product((360, 1440), ("/", "/archive/?mine=1", "/watch/"))
        ]
        # Each waits for its net while the others do.
        for step in (SlowPage.open, SlowPage.scroll, SlowPage.judge):
            for page in pages:
                step(page)


def sign_in_to_lists() -> Client:
    """The browser of somebody whose lists are long."""
    alice, bob = make_player("alice"), make_player("bob")
    for plies in range(8, 16):
        play_random(make_game(alice, bob, is_public=plies % 3 > 0), plies)
    abandoned = make_game(alice, bob)
    for player in (alice, bob):
        play.agree_to_abandon(abandoned, player=player, agrees=True, at=AT)
    make_table(bob)
    client = Client()
    client.force_login(alice)
    return client


def _context_of(browser: Browser, client: Client, url: str) -> BrowserContext:
    """A browser with the client's cookies; nothing moves in it."""
    context = browser.new_context(reduced_motion="reduce")
    context.add_cookies(cookies_of(client, url))
    return context


class SlowPage:
    """A page over a slow net, on which pictures come when the page stands."""

    def __init__(self, context: BrowserContext, url: str, path: str, width: int) -> None:
        self.url, self.path, self.width, self.page = url, path, width, context.new_page()
        slow = {"offline": False, "latency": 200, "downloadThroughput": -1, "uploadThroughput": -1}
        context.new_cdp_session(self.page).send("Network.emulateNetworkConditions", slow)
        self.page.set_viewport_size(ViewportSize(width=width, height=640))
        self.failed: list[str] = []
        self.held: list[Route] = []
        self.since: float | None = None
        self.page.on("response", lambda answer: self.failed.append(answer.url) if answer.status >= 400 else None)
        self.page.on("requestfailed", lambda request: self.failed.append(request.url))
        self.page.on("console", lambda said: self.failed.append(said.text) if said.type == "error" else None)

    def open(self) -> None:
        self.page.route("**/small/*.svg*", self._answer)
        self.page.goto(self.url + self.path, wait_until="domcontentloaded")

    def _answer(self, route: Route) -> None:
        if self.since is None:
            self.held.append(route)
        else:
            route.continue_()

    def scroll(self) -> None:
        self.page.wait_for_function(HAVE_COME)
        self.page.evaluate(NEXT_FRAME)
        # A page that comes in pieces may move before, and when its faces come.
        self.since = self.page.evaluate("performance.now()")
        assert self.held, self.path
        for route in self.held:
            route.continue_()
        for screen in range(12):
            self.page.mouse.wheel(0, 500)
            self.page.wait_for_function(HAS_SCROLLED, arg=screen + 1)

    def judge(self) -> None:
        self.page.wait_for_function(ARE_COMPLETE)
        self.page.evaluate(NEXT_FRAME)
        pictures = self.page.evaluate(PICTURES)
        assert pictures
        assert all(picture["came"] for picture in pictures), self.path
        assert all(1.2 < picture["ratio"] < 1.27 for picture in pictures), self.path
        assert self.failed == []
        assert self.page.evaluate(SHIFTED, self.since) == 0, self.path
        assert self.page.evaluate("document.documentElement.scrollWidth") == self.width
