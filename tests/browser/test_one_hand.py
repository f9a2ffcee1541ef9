"""A table on a phone, held in one hand: what the first screen shows, what the bar asks, and where it leads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from games import rules
from games.models import Player
from tests.browser.first_screen import SIZES, faults
from tests.browser.hotseat import PHONE, at_the_database, huts_at
from tests.browser.one_hand import Tables
from tests.cast import PASSWORD, QUICK_HASH

pytestmark = pytest.mark.timeout(300)

WIDER = """name => {
  const letters = document.createRange();
  letters.selectNodeContents(name);
  return letters.getBoundingClientRect().width - name.getBoundingClientRect().width;
}"""
"""How much wider the letters of an element are than its box."""


# --- The first screen ------------------------------------------------------------------------------


STATES = ("nobody moved", "one moved", "two moved", "six moved", "an origin", "a target", "an order")


def look_at(tables: Tables, page: Page, *, size: str, states: tuple[str, ...]) -> None:
    width, height = SIZES[size]
    page.set_viewport_size(ViewportSize(width=width, height=height))
    for state in states:
        tables.open(state)
        assert (state, faults(page)) == (state, [])
        assert page.evaluate("[scrollY, document.scrollingElement.scrollWidth]") == [0, width]


@pytest.mark.parametrize("size", SIZES)
def test_it_shows_line_board_and_bar_at_once(tables: Tables, page: Page, size: str) -> None:
    look_at(tables, page, size=size, states=("two moved", "six moved", "an order"))


@pytest.mark.parametrize("size", SIZES)
def test_it_shows_them_in_every_state(tables: Tables, page: Page, size: str) -> None:
    look_at(tables, page, size=size, states=STATES)


def test_a_tall_phone_shows_two_orders_before_the_button(tables: Tables, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    tables.open("an order")
    choices, button = (page.locator(f"#move > {part}").bounding_box() for part in (".choices", ".action-bar"))
    assert choices
    assert button
    assert choices["y"] + choices["height"] <= button["y"]
    assert faults(page) == []


def test_it_shows_them_without_script(tables: Tables, page: Page, browser: Browser) -> None:
    with plain(browser, page) as bare:
        bare.goto(tables.address("one moved"))
        assert faults(bare) == []
        move = rules.legal_moves(tables.position("one moved"))[40]
        bare.touchscreen.tap(*huts_at(bare, move.origin))
        bare.wait_for_url(re.compile(f"from={move.origin}"))
        bare.touchscreen.tap(*huts_at(bare, move.target))
        bare.wait_for_url(re.compile(f"to={move.target}"))
        expect(bare.locator(".clans-board")).to_be_in_viewport(ratio=0.99)
        expect(bare.get_by_role("button", name=f"Move {move}")).to_be_in_viewport(ratio=1)
        bare.goto(tables.address("an order"))
        assert faults(bare) == []
        bare.get_by_role("button", name="Move ").tap()
        expect(bare.get_by_role("alert")).to_be_in_viewport()
        expect(bare.get_by_role("radio").first).to_be_visible()


@contextmanager
def plain(browser: Browser, page: Page, **options: Any) -> Iterator[Page]:
    """A phone without script at which alice has signed in."""
    device = PHONE | {"viewport": {"width": 390, "height": 664}, "java_script_enabled": False}
    with browser.new_context(**device, storage_state=page.context.storage_state()) as context:
        yield context.new_page()


# --- Several villages at once ----------------------------------------------------------------------


def test_it_asks_for_an_order_in_the_bar(tables: Tables, page: Page) -> None:
    tables.open("an order")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    chosen, move = page.locator("[data-chosen]"), tables.scene.move
    names = ", ".join(sorted(move.order))
    expect(chosen).to_have_text(f"In which order? Choose {names}.")
    page.get_by_role("button", name="Move ").tap()
    expect(chosen).to_have_text(f"Not yet. In which order? Choose {names}.")
    # A page that is in sight for two seconds says so.
    assert [url for url in sent if not url.endswith("/seen/")] == []
    for name in move.order[:-1]:
        page.touchscreen.tap(*huts_at(page, name))
    expect(chosen).to_have_text(re.compile(rf"^{', then '.join(move.order)}: ([a-z]+\s\+\d+(, )?)+$"))
    expect(page.locator(".mark-asked text")).to_have_text(
        [("1st", "2nd")[move.order.index(n)] for n in sorted(move.order)]
    )
    assert faults(page) == []
    expect(page.get_by_role("radio", checked=True)).to_have_attribute("value", ",".join(move.order))


def test_going_back_takes_back_what_was_tapped(tables: Tables, page: Page) -> None:
    """The last village gets the last place by itself: that was no choice, and going back does not stop at it."""
    move = tables.scene.move
    page.goto(tables.address("an order").partition("?")[0])
    chosen, numbered = page.locator("[data-chosen]"), page.locator(".mark-asked.is-taken")

    def tap(name: str) -> None:
        box = page.evaluate("name => clans.board.boxOf(name)", name)
        page.touchscreen.tap(box["x"], box["y"])

    # The board comes nearer after a tap, so each waits for what the one before has done.
    tap(move.origin)
    expect(page.locator("#step")).to_contain_text("Where to?")
    tap(move.target)
    expect(chosen).to_contain_text("In which order?")
    for taken, name in enumerate(move.order[:-1], start=1):
        tap(name)
        expect(numbered).to_have_count(taken if taken < len(move.order) - 1 else len(move.order))
    expect(numbered).to_have_count(len(move.order))
    for left in range(len(move.order) - 2, -1, -1):
        page.go_back()
        expect(numbered).to_have_count(left)
    expect(chosen).to_contain_text("In which order?")
    page.go_back()
    expect(page.locator("#step")).to_contain_text("Where to?")
    page.go_back()
    expect(page.locator("#step")).not_to_contain_text("Where to?")


def test_an_order_that_is_written_is_read_out(tables: Tables, page: Page) -> None:
    move = tables.scene.move
    page.goto(tables.address("an order").partition("?")[0])
    page.keyboard.type(str(move).lower())
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio", checked=True)).to_have_attribute("value", ",".join(move.order))
    expect(page.get_by_role("button", name="Move ")).to_be_focused()
    expect(page.locator("body > [role=status]")).to_have_text(re.compile(r".*, then ".join(move.order)))


def test_choosing_an_order_leaves_a_wide_board_in_sight(tables: Tables, browser: Browser, page: Page) -> None:
    """The page moves no farther than to the button, and no label stays behind."""
    move, state = tables.scene.move, page.context.storage_state()
    for size in (ViewportSize(width=1440, height=900), ViewportSize(width=1280, height=720)):
        with browser.new_context(viewport=size, storage_state=state) as context:
            wide = context.new_page()
            wide.goto(tables.address("an order").partition("?")[0])
            for name in (move.origin, move.target, *move.order[:-1]):
                box = wide.evaluate("name => clans.board.boxOf(name)", name)
                wide.mouse.click(box["x"], box["y"])
            expect(wide.get_by_role("radio", checked=True)).to_have_count(1)
            button = wide.get_by_role("button", name="Move ")
            expect(button).to_be_in_viewport(ratio=1)
            box = button.bounding_box()
            assert box
            # A page that scrolls keeps 6rem below what is to be seen.
            assert wide.evaluate("scrollY") == 0 or box["y"] + box["height"] > size["height"] - 120
            target = wide.evaluate("name => clans.board.boxOf(name)", move.target)
            wide.mouse.move(target["x"], target["y"])
            expect(wide.locator(".board-label")).to_be_visible()
            wide.evaluate("scrollTo(0, document.body.scrollHeight)")
            expect(wide.locator(".board-label")).to_be_hidden()


def test_the_head_of_a_try_out_covers_no_label(tables: Tables, browser: Browser, page: Page) -> None:
    size, state = ViewportSize(width=1280, height=900), page.context.storage_state()
    with browser.new_context(viewport=size, storage_state=state) as context:
        wide = context.new_page()
        wide.goto(tables.address("nobody moved").partition("?")[0] + "ply/0/try/")
        for name in ("A2", "C1", "C2"):
            box = wide.evaluate("name => clans.board.boxOf(name)", name)
            wide.mouse.move(box["x"], box["y"])
            expect(wide.locator(".board-label")).to_contain_text(f"{name}, ")
            head, label = wide.locator(".trial-head").bounding_box(), wide.locator(".board-label").bounding_box()
            assert head
            assert label
            assert label["y"] >= head["y"] + head["height"]


# --- After the move, and from a mail ---------------------------------------------------------------


def test_it_says_what_was_played_and_leads_on(tables: Tables, page: Page) -> None:
    tables.open("two moved")
    game = tables.position("two moved")
    move = rules.legal_moves(game)[0]
    page.touchscreen.tap(*huts_at(page, move.origin))
    expect(page.locator("#step")).to_contain_text("Where to?")
    box = page.evaluate("name => clans.board.boxOf(name)", move.target)
    page.touchscreen.tap(box["x"], box["y"])
    page.get_by_role("button", name=f"Move {move}").tap()
    bar = page.locator(".bar-waits")
    expect(bar).to_contain_text(f"Played {move}.")
    expect(bar).to_be_in_viewport(ratio=1)
    assert faults(page) == []
    assert page.evaluate("scrollY") == 0
    before = page.url
    bar.get_by_role("link", name=re.compile(r"^Next table \(\d\)")).tap()
    expect(page.locator(".turn-line")).to_contain_text("Your move, until ")
    assert page.url != before


@pytest.mark.parametrize("size", SIZES)
def test_the_way_to_the_next_table_is_large_enough_for_a_thumb(tables: Tables, page: Page, size: str) -> None:
    page.set_viewport_size(ViewportSize(width=SIZES[size][0], height=SIZES[size][1]))
    page.goto(tables.address("one moved"))
    box = page.locator(".prompt-head").get_by_role("link", name=re.compile("^Next table")).bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 44


def test_it_leads_back_to_the_draft_who_must_sign_in_first(tables: Tables, page: Page, browser: Browser) -> None:
    address = tables.address("a target")
    # A page that asks for news meanwhile, while the password is stored in another way, would be signed out.
    page.goto("about:blank")
    with browser.new_context(**PHONE) as context:
        page = context.new_page()
        page.goto(address)
        expect(page.locator(".bar-line")).to_contain_text("Are you alice?")
        page.get_by_role("link", name="Sign in to move").tap()
        expect(page.locator("main")).to_contain_text("you come back to your move")
        for name in ("small", "upright"):
            page.set_viewport_size(ViewportSize(width=SIZES[name][0], height=SIZES[name][1]))
            expect(page.get_by_label("Password")).to_be_in_viewport(ratio=1)
            expect(page.get_by_role("button", name="Use a passkey")).to_be_in_viewport(ratio=1)
            expect(page.get_by_role("link", name="Mail me a code")).to_be_in_viewport(ratio=1)
        page.get_by_label("E-mail address or user name").fill("alice")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).tap()
        page.wait_for_url(address)
        expect(page.get_by_role("button", name="Move ")).to_be_in_viewport(ratio=1)
    # The site has stored the password by its own hasher, which signs alice out of the page of the other tests.
    alice = Player.objects.filter(username="alice")
    at_the_database(tables.two.site, tables.two.unblock, lambda: alice.update(password=QUICK_HASH))


def test_day_and_night_are_chosen_in_its_header(tables: Tables, page: Page) -> None:
    """In the menu of the account, on a wide page as well."""
    page.goto(tables.address("one moved"))
    chosen = page.get_by_role("button", name="Night", exact=True)
    expect(chosen).to_have_count(0)
    page.locator(".site-user > summary").tap()
    box = chosen.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 44
    chosen.tap()
    expect(page.locator("html")).to_have_attribute("data-theme", "night")
    assert page.url == tables.address("one moved")
    page.locator(".site-user > summary").tap()
    expect(chosen).to_have_attribute("aria-current", "true")
    page.get_by_role("button", name="As the system says").tap()
    expect(page.locator("html[data-theme]")).to_have_count(0)
    page.set_viewport_size(ViewportSize(width=1440, height=900))
    page.locator(".site-user > summary").click()
    expect(chosen).to_be_in_viewport(ratio=1)


def test_a_visitor_chooses_them_in_the_header(tables: Tables, browser: Browser) -> None:
    for width in (360, 390):
        page = browser.new_page(viewport=ViewportSize(width=width, height=640), has_touch=True)
        page.goto(tables.address("one moved"))
        page.locator(".site-theme > summary").tap()
        expect(page.get_by_role("button", name="As the system says")).to_be_in_viewport(ratio=1)
        page.get_by_role("button", name="Night", exact=True).tap()
        expect(page.locator("html")).to_have_attribute("data-theme", "night")
        page.wait_for_load_state()
        assert page.evaluate("document.scrollingElement.scrollWidth") == width
        page.close()


@pytest.mark.parametrize("width", [360, 375, 390])
def test_it_names_the_reader_in_full(tables: Tables, page: Page, width: int) -> None:
    """A name is cut with an ellipsis where its letters are wider than its box, be it by a hair."""
    page.set_viewport_size(ViewportSize(width=width, height=640))
    page.goto(tables.address("one moved"))
    name = page.locator(".site-user > summary > span")
    name.evaluate("name => (name.textContent = 'rosalie')")
    assert name.evaluate(WIDER) <= 0
