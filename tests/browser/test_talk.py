"""Talk by the keyboard alone on real servers, with and without script: write, get mail, answer, report and mute."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.people import Person, person, tables_in
from tests.servers import mail_server, site


@pytest.mark.timeout(600)
@pytest.mark.parametrize("script", [True, False], ids=["script-on", "script-off"])
def test_two_talk_by_keyboard_and_one_has_enough(browser: Browser, tmp_path: Path, script: bool) -> None:
    with (
        mail_server() as smtp,
        site(tmp_path / "site", smtp=smtp) as served,
        person("alice", browser, served, smtp, script=script) as alice,
        person("bob", browser, served, smtp, script=script) as bob,
    ):
        table = _sit_down(alice, bob)

        alice.page.goto(table)
        _write(alice, "Who holds green, I wonder?")
        mail = bob.wait_for_words("Who holds green, I wonder?")
        bob.page.goto(tables_in(mail)[0])
        expect(_said(bob)).to_contain_text("Who holds green, I wonder?")
        _write(bob, "Not me. See http://example.com/<b>lakes</b>")

        alice.page.goto(tables_in(alice.wait_for_words("Not me."))[0])
        expect(_said(alice).get_by_role("link", name="http://example.com/")).to_be_visible()
        alice.press(_said(alice).get_by_role("listitem").filter(has_text="Not me.").locator("a:has(time)"))
        alice.type_into(alice.page.get_by_label("Report this postcard"), "A made-up lake.")
        alice.press(alice.page.get_by_role("button", name="Report"))
        expect(alice.page.get_by_text("The operator of this site will look at this postcard.")).to_be_visible()
        assert "A made-up lake." in served.manage("shell", "-c", _REPORTS)
        alice.press(_said(alice).get_by_role("listitem").filter(has_text="Not me.").locator("a:has(time)"))
        alice.press(alice.page.get_by_role("button", name="Mute"))
        expect(alice.page.get_by_text("You have muted bob.")).to_be_visible()
        expect(_said(alice)).to_contain_text("Who holds green, I wonder?")
        expect(_said(alice)).not_to_contain_text("Not me.")
        assert alice.trouble + bob.trouble == []


_REPORTS = "from games.models import Report; print(*Report.objects.values_list('reason', flat=True))"


def _sit_down(alice: Person, bob: Person) -> str:
    """Both sign up and sit at a table with a computer player, which starts the game; the table's address."""
    alice.page.goto(f"{alice.site.url}/accounts/signup/")
    alice.sign_up()
    table = alice.open_table("Friday table", size=3, bots=1)
    bob.page.goto(table)
    bob.page.get_by_role("button", name="Sit down").click()
    bob.sign_up()
    expect(bob.page.locator("svg.clans-board")).to_be_visible()
    return table


def _said(one: Person) -> Locator:
    return one.page.locator("#said")


def _write(one: Person, words: str) -> None:
    if not one.page.locator("details#talk[open]").count():
        one.press(one.page.locator("#talk > summary"))
    one.type_into(one.page.get_by_label("A postcard to all at the table"), words)
    one.press(one.page.get_by_role("button", name="Send", exact=True))
    expect(_said(one)).to_contain_text(words)
