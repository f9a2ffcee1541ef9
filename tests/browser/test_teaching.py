"""What teaches the game works in a browser as tables do: the examples of the rules, and the practice game."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from games.pages.practice.example_boards import EXAMPLES
from tests.browser.hotseat import WIDE, Seat, huts_at
from tests.servers import site


def try_by_keys(page: Page, example: str, *territories: str) -> None:
    """Choose territories of a example by the keyboard alone."""
    for territory in territories:
        page.locator(f"#{example} svg [data-territory={territory}]").focus()
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(rf"move=.*{territory}"))


def play_by_drag(page: Page) -> str:
    """Drag the huts of the first territory that may move to its first target, and confirm; the move."""
    targets = json.loads(page.locator("#moves").text_content() or "")["targets"]
    origin = min(targets)
    target = targets[origin].split()[0]
    page.locator("svg.clans-board").scroll_into_view_if_needed()
    page.mouse.move(*huts_at(page, origin))
    page.mouse.down()
    page.mouse.move(*huts_at(page, target), steps=3)
    page.mouse.up()
    page.get_by_role("button", name=f"Move {origin}-{target}").locator("visible=true").first.click()
    return f"{origin} to {target}"


def test_it_teaches_without_loading_another_page(browser: Browser, tmp_path: Path) -> None:
    step = EXAMPLES["two-epochs"].make().steps[0]
    with site(tmp_path / "site", processes=["web"]) as served, browser.new_context(**WIDE) as context:
        seat = Seat(context.new_page())
        page = seat.page
        page.goto(f"{served.url}/rules/")
        seat.asked.clear()

        try_by_keys(page, "two-epochs", step.move.origin, step.move.target)
        page.locator("#two-epochs .targets a").first.click()
        expect(page.locator("#two-epochs .example-outcome")).to_be_focused()
        expect(page.locator("#two-epochs .example-outcome")).to_contain_text(f"{step.move}")
        assert [request.resource_type for request in seat.asked] == ["fetch"] * 3

        page.goto(f"{served.url}/")
        page.get_by_role("button", name="Practice game").click()
        expect(page.locator("#turn")).to_have_text("It is your move.")
        # Its scripts listen then.
        page.wait_for_load_state()
        seat.asked.clear()
        move = play_by_drag(page)
        expect(page.locator(".history")).to_contain_text(f"Guest moved {move}")
        expect(page.locator(".history > li").first).to_contain_text("Computer moved")
        assert [request.method for request in seat.asked] == ["POST"]
        assert seat.trouble == []
