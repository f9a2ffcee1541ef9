"""Where the focus of the keyboard is after the test of a webhook, in Chromium."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, expect
from pytest_django import DjangoDbBlocker

from games import hooks
from games.models import Webhook
from tests.browser.hotseat import at_the_database
from tests.browser.looking import cookies_of
from tests.cast import AT, make_player
from tests.servers import Site

pytestmark = pytest.mark.timeout(120)


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_the_focus_goes_to_what_came_of_a_test(
    browser: Browser, web: Site, django_db_blocker: DjangoDbBlocker, script: bool
) -> None:
    client = Client()

    def prepare() -> None:
        player = make_player(f"alice{script:d}")
        for path in ("first", "second"):
            hooks.add_hook(player, kind="slack", url=f"https://hooks.example/{path}", at=AT)
        client.force_login(player)

    at_the_database(web, django_db_blocker, prepare)
    context = browser.new_context(java_script_enabled=script)
    context.add_cookies(cookies_of(client, web.url))
    page = context.new_page()
    page.goto(f"{web.url}/preferences/webhooks/")
    row = page.locator(".hook").nth(1)
    row.get_by_role("button", name="Send a test").press("Enter")

    expect(row.get_by_role("status")).to_contain_text("The test is on its way.")
    expect(row.get_by_role("status")).to_be_focused()
    page.keyboard.press("Tab")
    expect(row.get_by_role("link", name="Look again")).to_be_focused()
    done = {"said_at": timezone.now(), "status": 204}
    at_the_database(web, django_db_blocker, lambda: Webhook.objects.exclude(tested_at=None).update(**done))
    if not script:
        page.keyboard.press("Enter")
    expect(row.get_by_role("status")).to_contain_text("it was taken (status 204)")
    expect(row.get_by_role("status")).to_be_focused()
    row.get_by_role("button", name="Send a test").press("Enter")
    expect(page.locator(".flashes")).to_contain_text("only seconds old")
    expect(page.locator(".flashes")).to_be_focused()
    context.close()
