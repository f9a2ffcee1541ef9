"""Passkeys in a real browser with a made-up authenticator, under the site's content security policy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, CDPSession, expect

from tests.browser.people import CODE, PASSWORD, Person, person
from tests.servers import mail_server, site

FINGER = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


class Device:
    """A phone or computer that keeps passkeys and knows its owner's finger."""

    def __init__(self, owner: Person) -> None:
        self.session: CDPSession = owner.page.context.new_cdp_session(owner.page)
        self.session.send("WebAuthn.enable")
        self.key = self.session.send("WebAuthn.addVirtualAuthenticator", {"options": FINGER})["authenticatorId"]

    def know_finger(self, knows: bool) -> None:
        self.session.send("WebAuthn.setUserVerified", {"authenticatorId": self.key, "isUserVerified": knows})


@pytest.fixture
def bob(browser: Browser, tmp_path: Path) -> Iterator[Person]:
    with (
        mail_server() as smtp,
        site(tmp_path / "site", smtp=smtp) as served,
        person("bob", browser, served, smtp, script=True) as bob,
    ):
        yield bob


def sign_out(player: Person) -> None:
    player.page.get_by_role("banner").get_by_text(player.name).click()
    player.page.get_by_role("button", name="Sign out").click()
    expect(player.page.get_by_role("link", name="Sign in").first).to_be_visible()


def press(player: Person, name: str) -> None:
    """Press a button of a page that has just been led to, once its scripts listen."""
    button = player.page.get_by_role("button", name=name)
    expect(button).to_be_visible()
    player.page.wait_for_load_state()
    button.click()


def use_passkey(player: Person) -> None:
    player.page.goto(f"{player.site.url}/accounts/login/")
    player.page.get_by_role("button", name="Use a passkey").click()


def test_it_signs_in_by_a_passkey_that_was_added_later(bob: Person) -> None:
    device, page = Device(bob), bob.page
    page.goto(f"{bob.site.url}/accounts/signup/")
    bob.sign_up()

    page.goto(f"{bob.site.url}/accounts/2fa/webauthn/add/")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    press(bob, "Add it")
    expect(page.get_by_role("status").first).to_contain_text("Your passkey is added.")
    sign_out(bob)

    device.know_finger(False)
    use_passkey(bob)
    expect(page.get_by_role("alert")).to_contain_text("The passkey did not answer")
    device.know_finger(True)
    use_passkey(bob)
    expect(page.get_by_role("banner").get_by_text("bob")).to_be_visible()
    sign_out(bob)

    page.goto(f"{bob.site.url}/accounts/login/")
    page.get_by_label("E-mail").fill(bob.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="The second factor")).to_be_visible()
    press(bob, "Use a passkey")
    expect(page.get_by_role("banner").get_by_text("bob")).to_be_visible()
    page.goto(f"{bob.site.url}/accounts/2fa/webauthn/reauthenticate/?next=/rules/")
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url("**/rules/")
    assert bob.trouble == []


def test_it_signs_up_by_passkey_alone(bob: Person) -> None:
    Device(bob)
    page = bob.page

    page.goto(f"{bob.site.url}/accounts/signup/")
    page.get_by_role("link", name="Sign up with a passkey").click()
    page.get_by_label("E-mail").fill(bob.email)
    page.get_by_label("User name").fill("bob")
    page.get_by_role("button", name="Go on").click()
    code = CODE.search(bob.smtp.wait_for_mail(bob.email).text)
    assert code
    page.get_by_label("Code").fill(code[1])
    page.get_by_role("button", name="Confirm").click()
    press(bob, "Make it")
    expect(page.get_by_role("banner").get_by_text("bob")).to_be_visible()
    sign_out(bob)

    use_passkey(bob)
    expect(page.get_by_role("banner").get_by_text("bob")).to_be_visible()
    assert bob.trouble == []
