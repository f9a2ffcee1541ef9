"""People at a browser: they sign up, read their mail, and play by clicking on the page."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from games import rules
from games.drawing.outlines import WIDTH as WIDTH_OF_MAP, outlines_of
from games.drawing.svg import MARGIN
from tests.servers import Mail, MailServer, Site, wait_until

PASSWORD = "the-lake-is-frozen"
CODE = re.compile(r"^\s*([A-Z0-9]{3,}(?:-[A-Z0-9]{3,})*)\s*$", re.MULTILINE)
TABLE = re.compile(r"http://localhost:\d+/tables/(?!new/)[a-z0-9]+/")
MOST_TABS = 200


class Person:
    """Somebody with an address, a browser and an account; `trouble` gathers what the browser complains about."""

    def __init__(self, name: str, context: BrowserContext, site: Site, smtp: MailServer) -> None:
        self.name, self.email = name, f"{name}@example.com"
        self.site, self.smtp = site, smtp
        self.page: Page = context.new_page()
        self.trouble: list[str] = []
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on("console", lambda message: self.trouble.append(message.text) if message.type == "error" else None)

    def sign_up(self) -> None:
        """Fill in the form that is open, and type the code that comes by mail."""
        self.page.get_by_label("E-mail").fill(self.email)
        self.page.get_by_label("User name").fill(self.name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign up").click()
        mail = self.smtp.wait_for_mail(self.email)
        code = CODE.search(mail.text)
        assert code, mail.text
        self.page.get_by_label("Code").fill(code[1])
        with self.page.expect_navigation():
            self.page.get_by_role("button", name="Confirm").click()

    def open_table(self, name: str, *, size: int, bots: int) -> str:
        """Open a table by its form; the link for those who are invited."""
        self.page.goto(f"{self.site.url}/tables/new/")
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_role("group", name="Seats").get_by_label(str(size)).check()
        self.page.get_by_role("group", name="Computer players").get_by_label(str(bots)).check()
        self.page.get_by_role("button", name="Open the table").click()
        return self.page.get_by_label("Invite people by this link").input_value()

    def answer(self, mail: Mail, rng: random.Random) -> None:
        """Go where a turn mail leads and make a move there."""
        self.page.goto(tables_in(mail)[0])
        self.make_move(rng)

    def wait_for_words(self, words: str) -> Mail:
        """The first mail to this reader that says `words`, once it has come. Raises TimeoutError."""

        def found() -> list[Mail]:
            return [mail for mail in self.smtp.mails_to(self.email) if words in mail.text]

        wait_until(found, what=f"mail to {self.name} that says {words!r}")
        return found()[0]

    def press(self, wanted: Locator, key: str = "Enter") -> None:
        """Go to it by the Tab key and press the key there; no key leaves it focused."""
        expect(wanted).to_be_visible()
        for _tab in range(MOST_TABS):
            if wanted.evaluate("element => element === document.activeElement"):
                break
            self.page.keyboard.press("Tab")
        expect(wanted).to_be_focused()
        if key:
            self.page.keyboard.press(key)

    def type_into(self, field: Locator, text: str) -> None:
        """Go to a field by the Tab key and type `text` there."""
        self.press(field, key="")
        self.page.keyboard.type(text)

    def make_move(self, rng: random.Random) -> None:
        """Click on huts that may move, on a territory to which they may go, and confirm."""
        origin = rng.choice(self._offered('svg a[href*="from="]:not([href*="to="])'))
        self._click_territory(origin)
        self.page.wait_for_url(re.compile(rf"from={origin}"))
        targets = f'svg a[href*="from={origin}"][href*="to="]'
        expect(self.page.locator(targets)).not_to_have_count(0)
        target = rng.choice(self._offered(targets))
        self._click_territory(target)
        self.page.wait_for_url(re.compile(rf"to={target}"))
        form = self.page.locator("form#move")
        expect(form).to_be_visible()
        if form.get_by_role("radio").count():
            form.get_by_role("radio").first.check()
        form.get_by_role("button", name=f"Move {origin}-{target}").click()
        expect(form).to_have_count(0)

    def _offered(self, selector: str) -> list[str]:
        links = self.page.locator(selector)
        return sorted({str(link.get_attribute("data-territory")) for link in links.all()})

    def _click_territory(self, name: str) -> None:
        """Press the mouse on the place of the huts, as drawn."""
        board = self.page.locator("svg.clans-board")
        board.scroll_into_view_if_needed()
        box = board.bounding_box()
        assert box
        x, y = outlines_of(rules.STANDARD.board).territories[name].huts
        scale = box["width"] / (WIDTH_OF_MAP + 2 * MARGIN)
        self.page.mouse.click(box["x"] + (x + MARGIN) * scale, box["y"] + (y + MARGIN) * scale)


def tables_in(mail: Mail) -> list[str]:
    """The addresses of the tables that a mail leads to, each once, in their order there."""
    found = list(dict.fromkeys(TABLE.findall(mail.text)))
    assert found, mail.text
    return found


@contextmanager
def person(name: str, browser: Browser, site: Site, smtp: MailServer, *, script: bool) -> Iterator[Person]:
    """Somebody with a browser of their own, with or without script."""
    context = browser.new_context(viewport={"width": 1280, "height": 1100}, java_script_enabled=script)
    # Who has the table in sight needs no mail; here everybody waits for theirs.
    context.route("**/seen/", lambda route: route.fulfill(status=204))
    try:
        yield Person(name, context, site, smtp)
    finally:
        context.close()
