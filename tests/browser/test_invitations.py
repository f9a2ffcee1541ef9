"""Inviting by a table's page, and two clicks from the mail to a seat, on real servers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import Person, person
from tests.servers import mail_server, site

LINK = re.compile(r"http://\S+/invitations/[\w-]{43}/")


@pytest.mark.parametrize("script", [True, False], ids=["script-on", "script-off"])
def test_somebody_without_an_account_sits_down_by_the_link_of_a_mail(
    browser: Browser, tmp_path: Path, script: bool
) -> None:
    with mail_server() as smtp, site(tmp_path / "site", smtp=smtp) as served:
        with (
            person("alice", browser, served, smtp, script=script) as alice,
            person("dora", browser, served, smtp, script=script) as dora,
        ):
            alice.page.goto(f"{served.url}/accounts/signup/")
            alice.sign_up()
            alice.open_table("Friday table", size=3, bots=1)
            _invite(alice, dora.email)
            expect(alice.page.get_by_role("table", name="Who is invited")).to_contain_text("no answer yet")

            mail = smtp.wait_for_mail(dora.email, kind="invitation")
            [link] = set(LINK.findall(mail.text))
            assert link in mail.html
            dora.page.goto(link)
            dora.page.get_by_label("User name").fill("dora")
            dora.page.get_by_role("button", name="Sit down").click()
            expect(dora.page.locator("svg.clans-board")).to_be_visible()
            expect(dora.page.get_by_text("To sign in elsewhere or later")).to_be_visible()
            assert alice.trouble + dora.trouble == []
        assert all(link.split("/")[-2] not in served.log(name) for name in ("web", "worker", "beat"))


def _invite(opener: Person, to: str) -> None:
    """By the keyboard alone."""
    opener.page.get_by_label("Name or e-mail address").fill(to)
    opener.page.keyboard.press("Enter")
