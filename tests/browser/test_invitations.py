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
            alice.page.goto(f"{served.url}/tables/new/")
            _keep_a_seat(alice, "Keep seats for them")
            alice.open_table("Friday table", size=3, bots=1)
            _invite(alice, "nobody")
            expect(alice.page.get_by_text("There is no player of that name.")).to_be_in_viewport()
            expect(alice.page.get_by_label("Name or e-mail address")).to_be_focused()
            _keep_a_seat(alice, "Keep a seat for them")
            _invite(alice, dora.email)
            invited = alice.page.get_by_role("table", name="Who is invited")
            expect(invited).to_contain_text("no answer yet, a seat is kept until")

            mail = smtp.wait_for_mail(dora.email, kind="invitation")
            [link] = set(LINK.findall(mail.text))
            assert link in mail.html
            dora.page.set_viewport_size({"width": 360, "height": 740})
            dora.page.goto(link)
            expect(dora.page.get_by_role("button", name="Sit down")).to_be_in_viewport(ratio=1)
            dora.page.get_by_label("User name").fill("dora")
            dora.page.get_by_role("button", name="Sit down").click()
            expect(dora.page.locator("svg.clans-board")).to_be_visible()
            expect(dora.page.get_by_text("To sign in elsewhere or later")).to_be_visible()
            assert [said for said in alice.trouble if "422" not in said] + dora.trouble == []
        assert all(link.split("/")[-2] not in served.log(name) for name in ("web", "worker", "beat"))


def _keep_a_seat(opener: Person, label: str) -> None:
    """Only then the form asks for how long."""
    kept_for = opener.page.get_by_label("For how long a seat is kept")
    expect(kept_for).to_be_hidden()
    opener.page.get_by_label(label).check()
    expect(kept_for).to_be_visible()


def _invite(opener: Person, to: str) -> None:
    """By the keyboard alone."""
    opener.page.get_by_label("Name or e-mail address").fill(to)
    opener.page.keyboard.press("Enter")
