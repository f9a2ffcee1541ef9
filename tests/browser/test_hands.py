"""A whole game by each way to play: mouse, touch, keyboard, writing, and by roles and names alone."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from itertools import cycle

from playwright.sync_api import Browser, CDPSession, Page, expect
from pytest_django import DjangoDbBlocker

from games import rules
from tests.browser.hotseat import PHONE, hotseat, huts_at
from tests.servers import Site

ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")


def confirm(page: Page, move: rules.Move) -> None:
    """Press the button in sight that plays the move."""
    page.get_by_role("button", name=f"Move {move.origin}-{move.target}").locator("visible=true").first.click()


def number(page: Page, move: rules.Move, press: Callable[[str], None]) -> None:
    """Press on the villages of the founding order, each when the one before has its number: the last ones may get
    theirs by themselves, and would lose it again."""
    expect(page.locator("form#move")).to_be_visible()
    for place, name in enumerate(move.order):
        if page.locator("input[name=order]:checked").count() == 0:
            press(name)
            expect(page.locator(".mark-asked.is-taken").nth(place)).to_be_attached()


# --- Mouse -----------------------------------------------------------------------------------------


def drag(page: Page, move: rules.Move) -> None:
    """Drag the huts, read what that would do, drop them, number the villages on the board, confirm."""
    page.locator("svg.clans-board").scroll_into_view_if_needed()
    page.mouse.move(*huts_at(page, move.origin))
    page.mouse.down()
    page.mouse.move(*huts_at(page, move.target), steps=3)
    expect(page.locator(".board-label")).to_contain_text(f"{move.origin}–{move.target}: ")
    page.mouse.up()
    number(page, move, lambda name: page.mouse.click(*huts_at(page, name)))
    confirm(page, move)


def test_it_plays_a_whole_game_by_mouse(browser: Browser, web: Site, django_db_blocker: DjangoDbBlocker) -> None:
    with hotseat(browser, web, django_db_blocker) as table:
        table.play_to_the_end(drag)


# --- Touch -----------------------------------------------------------------------------------------


class Finger:
    """A finger on the screen of a phone."""

    def __init__(self, page: Page) -> None:
        self.session: CDPSession = page.context.new_cdp_session(page)

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        where = [{"x": x, "y": y} for x, y in points]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

    def slide(self, start: tuple[float, float], end: tuple[float, float], *, is_down: bool = False) -> None:
        """Put the finger down, unless it `is_down`, and move it, without lifting it."""
        if not is_down:
            self.touch("touchStart", start)
        for part in (0.3, 0.6, 0.9, 1):
            self.touch("touchMove", (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part))


def slide(page: Page, move: rules.Move) -> None:
    """Hold the huts until they rise, slide them, read what that would do, lift the finger, tap the villages in order,
    confirm."""
    page.locator("svg.clans-board").scroll_into_view_if_needed()
    finger, start = Finger(page), huts_at(page, move.origin)
    finger.touch("touchStart", start)
    expect(page.locator(".lifted")).to_have_count(1)
    finger.slide(start, huts_at(page, move.target), is_down=True)
    expect(page.locator(".board-label")).to_contain_text(f"{move.origin}–{move.target}: ")
    finger.touch("touchEnd")
    finger.session.detach()
    number(page, move, lambda name: page.touchscreen.tap(*huts_at(page, name)))
    confirm(page, move)


def test_it_plays_a_whole_game_by_touch(browser: Browser, web: Site, django_db_blocker: DjangoDbBlocker) -> None:
    with hotseat(browser, web, django_db_blocker, device=PHONE) as table:
        table.play_to_the_end(slide)


# --- Keyboard --------------------------------------------------------------------------------------


def walk(page: Page, territory: str) -> None:
    """Walk over the map by arrow keys, from where the focus is."""
    start = page.evaluate("clans.board.focused()")
    for key in _way(page, start, territory):
        page.keyboard.press(key)
    assert page.evaluate("clans.board.focused()") == territory


def _way(page: Page, start: str, end: str) -> list[str]:
    """The arrow keys that lead from one territory to another."""
    beside = page.evaluate(
        "keys => Object.fromEntries(clans.board.names.map(n => [n, keys.map(key => clans.board.beside(n, key))]))",
        ARROWS,
    )
    ways: dict[str, list[str]] = {start: []}
    queue = deque([start])
    while end not in ways:
        here = queue.popleft()
        for key, there in zip(ARROWS, beside[here], strict=True):
            if there not in ways:
                ways[there] = [*ways[here], key]
                queue.append(there)
    return ways[end]


def type_keys(page: Page, move: rules.Move) -> None:
    """Tab to the map, walk, take, walk, put, number the villages; the focus is then on the button."""
    while not page.evaluate("clans.board.focused()"):
        page.keyboard.press("Tab")
    walk(page, move.origin)
    page.keyboard.press("Enter")
    walk(page, move.target)
    page.keyboard.press("Space")
    if move.order:
        orders = [radio.get_attribute("value") for radio in page.locator("input[name=order]").all()]
        expect(page.locator("input[name=order]").first).to_be_focused()
        page.keyboard.press("Space")
        for _order in range(orders.index(",".join(move.order))):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Tab")
    expect(page.locator("button:focus")).to_have_text(f"Move {move.origin}-{move.target}")
    page.keyboard.press("Enter")


def test_it_plays_a_whole_game_by_keyboard(browser: Browser, web: Site, django_db_blocker: DjangoDbBlocker) -> None:
    with hotseat(browser, web, django_db_blocker) as table:
        table.play_to_the_end(type_keys)


# --- Writing ---------------------------------------------------------------------------------------


BETWEEN = cycle(["-", "", " ", "\N{EN DASH}", " to ", "->"])


def write(page: Page, move: rules.Move) -> None:
    """Type the move wherever the page is, one way or another, and confirm it by the next key."""
    page.keyboard.type(str(move).lower().replace("-", next(BETWEEN)))
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")


def test_it_plays_a_whole_game_by_written_moves(
    browser: Browser, web: Site, django_db_blocker: DjangoDbBlocker
) -> None:
    with hotseat(browser, web, django_db_blocker) as table:
        table.play_to_the_end(write)


# --- Roles and names -------------------------------------------------------------------------------


def listen(page: Page, move: rules.Move) -> None:
    """Nothing but roles and names: the board as a list, what is said, and the button that plays."""
    origin = page.get_by_role("listitem").get_by_role("link", name=re.compile(f"^{move.origin}, "))
    if not origin.count():
        page.get_by_role("heading", name="The board as a list").click()
    origin.click()
    expect(page.get_by_role("status").last).to_contain_text(f"{move.origin}, ")
    page.get_by_role("listitem").get_by_role("link", name=re.compile(f"^To {move.target}, ")).first.click()
    if move.order:
        villages = ".*, then ".join(move.order)
        page.get_by_role("radio", name=re.compile(f"^{villages}")).check()
    page.get_by_role("button", name=f"Move {move.origin}-{move.target}", exact=True).first.click()


def test_it_plays_a_whole_game_by_roles_and_names_alone(
    browser: Browser, web: Site, django_db_blocker: DjangoDbBlocker
) -> None:
    with hotseat(browser, web, django_db_blocker) as table:
        table.play_to_the_end(listen)
