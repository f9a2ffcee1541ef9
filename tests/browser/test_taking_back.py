"""The offer to take a move back, on a page that stays open."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Browser, expect
from pytest_django import DjangoDbBlocker

from tests.browser.hotseat import SEED, hotseat, some_move
from tests.servers import site

WAIT = 4
"""For so many seconds a move can be taken back."""
ASK = "dispatchEvent(new Event('online'))"
"""Has a page ask at once whether there is news."""


def test_the_offer_goes_when_its_time_is_over(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker
) -> None:
    folder = tmp_path_factory.mktemp("soon")
    with (
        site(folder, processes=("web",), environment={"MAIL_WAIT_SECONDS": str(WAIT)}) as served,
        hotseat(browser, served, django_db_blocker, confirms_moves=False) as two,
    ):
        page = two.seats[two.position.to_move].page
        two.seats[1 - two.position.to_move].page.goto("about:blank")
        move = some_move(two.position, random.Random(SEED))
        page.goto(f"{served.url}{two.game.get_absolute_url()}?from={move.origin}&to={move.target}")
        page.locator("form#move button").click()
        offer = page.get_by_role("button", name=f"Take {move} back")
        expect(offer).to_be_visible()
        with page.expect_response(lambda response: "/poll/" in response.url):
            page.evaluate(ASK)
        expect(offer).to_be_visible()
        offer.focus()
        page.wait_for_timeout(WAIT * 1000)
        page.evaluate(ASK)
        expect(offer).to_have_count(0)
        expect(page.locator("#turn")).to_be_focused()
