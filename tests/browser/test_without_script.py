"""A table by the keyboard alone in a browser without script: each page opens at what is asked next."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django import DjangoDbBlocker

from games import rules
from tests.browser.hotseat import Hotseat, hotseat
from tests.servers import Site


@pytest.fixture(scope="module")
def table(browser: Browser, web: Site, django_db_blocker: DjangoDbBlocker) -> Iterator[Hotseat]:
    """A game at its beginning. No test makes a move."""
    with hotseat(browser, web, django_db_blocker) as table:
        yield table


@pytest.fixture(params=[(1280, 900), (360, 640)], ids=["wide", "phone"])
def page(browser: Browser, table: Hotseat, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The page of whose turn it is, in a browser without script."""
    mine, (width, height) = table.turn().page, request.param
    with browser.new_context(storage_state=mine.context.storage_state(), java_script_enabled=False) as context:
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.goto(mine.url)
        yield page


def write(page: Page, text: str) -> None:
    page.get_by_label("Write a move:").fill(text)
    page.get_by_role("button", name="Show what it would do").press("Enter")
    page.wait_for_url(re.compile(r"move="))


def is_next(page: Page, control: Locator) -> None:
    """One Tab leads to it, and the board is in sight."""
    expect(page.locator(".clans-board")).to_be_in_viewport(ratio=0.99)
    page.keyboard.press("Tab")
    expect(control).to_be_focused()


def test_each_choice_leads_to_the_next_one(page: Page, table: Hotseat) -> None:
    move = rules.legal_moves(table.position)[40]
    page.locator(f"#board [data-territory={move.origin}]").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(f"from={move.origin}"))
    is_next(page, page.locator(".targets a").first)
    page.locator(".targets a").filter(has_text=re.compile(rf"^{move.target}\b")).focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(f"to={move.target}"))
    is_next(page, page.get_by_role("button", name=f"Move {move}"))


def test_a_written_move_leads_to_its_confirmation(page: Page, table: Hotseat) -> None:
    move = rules.legal_moves(table.position)[40]
    write(page, move.origin)
    is_next(page, page.locator(".targets a").first)
    write(page, str(move))
    is_next(page, page.get_by_role("button", name=f"Move {move}"))


def test_a_written_move_that_is_refused_leads_to_the_reason(page: Page) -> None:
    write(page, "A1-L5")
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_role("alert")).to_be_in_viewport(ratio=1)
    expect(page.locator("#ask")).to_have_count(1)


def tab_until(page: Page, control: Locator) -> int:
    """The number of Tabs from the beginning of the page that lead to a control."""
    for tabs in range(1, 100):
        page.keyboard.press("Tab")
        if control.evaluate("(one) => one === document.activeElement"):
            return tabs
    raise AssertionError(f"no Tab leads to {control}")


def test_one_link_leads_past_the_board(page: Page, table: Hotseat) -> None:
    link = page.get_by_role("link", name="Past the board, to write a move")
    before = tab_until(page, link)
    expect(link).to_be_in_viewport(ratio=1)
    page.keyboard.press("Enter")
    expect(page.locator("#written")).to_be_focused()
    page.goto(page.url.partition("#")[0])
    assert tab_until(page, page.locator("#board [data-territory]").first) == before + 1
    page.goto(f"{page.url}ply/0/")
    tab_until(page, page.get_by_role("link", name="Past the board, to its list"))
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("#as-list > summary")).to_be_focused()
