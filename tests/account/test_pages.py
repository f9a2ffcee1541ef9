from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.apps import apps
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.urls import get_resolver, reverse
from django.views import defaults
from pytest_django import Settings

from games.models import Player
from tests.account.signing_in import sign_in, sign_up, soup, words
from tests.cast import AT, PASSWORD
from tests.elements import Element

pytestmark = pytest.mark.django_db

PASSKEY = json.loads(Path(__file__).with_name("passkey.json").read_text())
"""As a browser made it at localhost."""

SIGNED_OUT = [
    "account_login",
    "account_signup",
    "account_signup_by_passkey",
    "account_request_login_code",
    "account_reset_password",
    "account_password_reset_completed",
    "account_inactive",
    "account_closed",
]
WITH_AN_ACCOUNT = [
    "account_email",
    "account_change_password",
    "account_logout",
    "account_reauthenticate",
    "mfa_index",
    "mfa_list_webauthn",
    "mfa_add_webauthn",
    "mfa_activate_totp",
    "usersessions_list",
]
WITH_A_SECOND_FACTOR = [
    "mfa_index",
    "mfa_reauthenticate",
    "mfa_deactivate_totp",
    "mfa_generate_recovery_codes",
    "mfa_view_recovery_codes",
    "mfa_list_webauthn",
    "mfa_edit_webauthn",
    "mfa_remove_webauthn",
    "mfa_reauthenticate_webauthn",
]
ON_THE_WAY = {
    "account_email_verification_sent": lambda client: sign_up(client),
    "account_confirm_login_code": lambda client: client.post(
        reverse("account_request_login_code"), {"email": "bob@example.com"}
    ),
    "account_confirm_password_reset_code": lambda client: client.post(
        reverse("account_reset_password"), {"email": "bob@example.com"}
    ),
}
NO_PAGES = {
    "account_set_password",  # only for who has no password: the test below
    "account_complete_password_reset",  # only with the right code: test_sign_in
    "mfa_authenticate",  # only between the two locks: the test below
    "mfa_signup_webauthn",  # only in the middle of a sign-up: test_passkeys
    "mfa_login_webauthn",  # JSON
    "mfa_download_recovery_codes",  # text
}


def address_of(page: str) -> str:
    needs_key = page in {"mfa_edit_webauthn", "mfa_remove_webauthn"}
    return reverse(page, args=[Authenticator.objects.get(type="webauthn").pk] if needs_key else None)


@pytest.fixture
def inside(client: Client, alice: Player) -> Client:
    """alice has signed in and has just confirmed that it is she."""
    sign_in(client, "alice")
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return client


@pytest.fixture
def locked(inside: Client, alice: Player) -> Client:
    """alice with an app, recovery codes and a passkey."""
    TOTP.activate(alice, "JBSWY3DPEHPK3PXP")
    RecoveryCodes.activate(alice)
    Authenticator.objects.create(user=alice, type="webauthn", data=PASSKEY)
    return inside


def faults(response: Any) -> list[str]:
    """What the strict content security policy would forbid, and what a reader with a screen reader would miss."""
    page: Element = soup(response)
    nonce = response.headers["Content-Security-Policy"].partition("'nonce-")[2].partition("'")[0]
    labels = {label.get("for") for label in page.select("label")}
    return [
        *(f"style: {tag}" for tag in page.select("[style], style")),
        *(f"inline script: {tag}" for tag in page.select("script:not([src]):not([type='application/json'])")),
        *(f"no nonce: {tag}" for tag in page.select("script[src]") if not nonce or tag.get("nonce") != nonce),
        *(f"handler: {tag}" for tag in page.select("*") if any(name.startswith("on") for name in tag.attrs)),
        *(f"javascript: {tag}" for tag in page.select("[href^='javascript:']")),
        *(f"another host: {tag}" for tag in page.select("[src*='//'], link[href*='//']")),
        *(f"no label: {tag}" for tag in page.select("main input:not([type=hidden])") if tag.get("id") not in labels),
        *(f"placeholder: {tag}" for tag in page.select("[placeholder]")),
        *(f"headings: {tag}" for tag in page.select("h1")[1:]),
    ]


def check(response: Any) -> None:
    """The page is there, in our frame, and without a fault."""
    page = soup(response)
    assert response.status_code == 200
    assert page.select("header .site-name")
    assert page.select("link[href$='account.css']")
    assert len(page.select("main h1")) == 1
    title = page.select_one("title")
    assert title
    assert title.get_text().endswith(" · Clans by mail")
    assert faults(response) == []


@pytest.mark.parametrize("page", SIGNED_OUT)
def test_it_shows_a_visitor_our_pages(client: Client, page: str) -> None:
    check(client.get(reverse(page)))


@pytest.mark.parametrize("page", WITH_AN_ACCOUNT)
def test_it_shows_a_player_our_pages(inside: Client, page: str) -> None:
    check(inside.get(reverse(page)))


@pytest.mark.parametrize("page", WITH_A_SECOND_FACTOR)
def test_it_shows_who_has_passkeys_and_codes_our_pages(locked: Client, page: str) -> None:
    check(locked.get(address_of(page)))


def test_it_says_in_each_link_what_it_is_about(locked: Client) -> None:
    """Who hears a list of the links hears nothing else of the page."""
    passkeys, ways = (soup(locked.get(reverse(page))) for page in ("mfa_list_webauthn", "mfa_index"))
    names = [link.get_text() for link in passkeys.select("main td a")]
    assert names == ["Rename (Blue key)", "Remove (Blue key)"]
    names = [link.get_text() for link in ways.select("main section a")]
    assert {"See all passkeys", "See the recovery codes", "Make new recovery codes"} <= set(names)


@pytest.mark.parametrize("page", ON_THE_WAY)
def test_it_asks_for_codes_on_our_pages(client: Client, page: str) -> None:
    ON_THE_WAY[page](client)

    response = client.get(reverse(page))

    check(response)
    assert "bob@example.com" in words(response)


@pytest.mark.parametrize("page", ON_THE_WAY)
def test_it_says_with_the_field_that_has_the_focus_where_the_code_is_mailed(client: Client, page: str) -> None:
    ON_THE_WAY[page](client)

    shown = soup(client.get(reverse(page)))

    [field] = shown.select("main input[autofocus]")
    [said] = shown.select(f"#{field.get('aria-describedby')}")
    assert said.get_text() == "We mail a code to bob@example.com. It is good for 10 minutes."


@pytest.mark.parametrize("has_passkey", [True, False])
def test_it_asks_for_the_second_factor_on_our_page(locked: Client, has_passkey: bool) -> None:
    if not has_passkey:
        Authenticator.objects.filter(type="webauthn").delete()
    client = Client()
    sign_in(client, "alice")

    response = client.get(reverse("mfa_authenticate"))

    check(response)
    assert ("Use a passkey" in words(response)) is has_passkey


@pytest.mark.parametrize(
    ("page", "others"),
    [
        ("account_reauthenticate", {"Use your app or a recovery code", "Use a passkey"}),
        ("mfa_reauthenticate", {"Use your password", "Use a passkey"}),
        ("mfa_reauthenticate_webauthn", {"Use your password", "Use your app or a recovery code"}),
    ],
)
def test_it_names_the_other_ways_to_show_who_it_is(locked: Client, page: str, others: set[str]) -> None:
    ways = soup(locked.get(reverse(page))).select(".otherwise a")
    assert {way.get_text() for way in ways} == others


def test_without_an_app_it_asks_for_a_recovery_code(locked: Client) -> None:
    Authenticator.objects.filter(type="totp").delete()
    ways = soup(locked.get(reverse("account_reauthenticate"))).select(".otherwise a")
    assert {way.get_text() for way in ways} == {"Use a recovery code", "Use a passkey"}
    assert [label.get_text() for label in soup(locked.get(reverse("mfa_reauthenticate"))).select("main label")] == [
        "Recovery code"
    ]
    client = Client()
    sign_in(client, "alice")
    said = words(client.get(reverse("mfa_authenticate")))
    assert "Use a passkey" in said
    assert "Or enter one of your recovery codes." in said
    assert "app" not in said


def test_it_asks_for_no_code_where_there_is_a_passkey_alone(locked: Client) -> None:
    """As after a sign-up with a passkey: allauth makes no recovery codes then."""
    Authenticator.objects.exclude(type="webauthn").delete()
    client = Client()
    sign_in(client, "alice")
    response = client.get(reverse("mfa_authenticate"))
    check(response)
    said = words(response)
    assert not soup(response).select("[name=code]")
    assert "Use a passkey" in said
    assert "Cancel" in said
    assert "Phone or key lost? Write to" in said
    assert "ecovery code" not in said


@pytest.fixture
def used_up(locked: Client, alice: Player) -> Client:
    """alice with an app and a passkey, who has used each of her recovery codes."""
    codes = RecoveryCodes.activate(alice)
    for code in codes.get_unused_codes():
        assert codes.validate_code(code)
    return locked


def test_it_offers_no_recovery_codes_that_are_used_up(used_up: Client) -> None:
    ways = soup(used_up.get(reverse("account_reauthenticate"))).select(".otherwise a")
    assert {way.get_text() for way in ways} == {"Use your app", "Use a passkey"}
    assert [label.get_text() for label in soup(used_up.get(reverse("mfa_reauthenticate"))).select("main label")] == [
        "Code from your app"
    ]
    client = Client()
    sign_in(client, "alice")
    said = words(client.get(reverse("mfa_authenticate")))
    assert "Or enter the code that your app shows." in said
    assert "Phone or key lost? Write to" in said
    assert "ecovery code" not in said


def test_it_asks_for_no_code_where_all_are_used_up_and_there_is_no_app(used_up: Client) -> None:
    Authenticator.objects.filter(type="totp").delete()
    ways = soup(used_up.get(reverse("account_reauthenticate"))).select(".otherwise a")
    assert [way.get_text() for way in ways] == ["Use a passkey"]
    client = Client()
    sign_in(client, "alice")
    assert not soup(client.get(reverse("mfa_authenticate"))).select("[name=code]")


def test_it_shows_the_key_of_an_app_in_groups_of_four(inside: Client) -> None:
    [key] = soup(inside.get(reverse("mfa_activate_totp"))).select(".copy-line")

    groups = key.get_text().split(" ")

    assert "".join(groups) == inside.session["mfa.totp.secret"]
    assert {len(group) for group in groups} == {4}


def test_it_says_what_to_do_where_the_second_factor_is_lost(locked: Client, settings: Settings) -> None:
    settings.DEFAULT_FROM_EMAIL = "Clans by mail <clans@example.com>"
    client = Client()
    sign_in(client, "alice")
    response = client.get(reverse("mfa_authenticate"))
    assert [part.get_text() for part in soup(response).select("title")] == ["The second factor · Clans by mail"]
    assert "Phone or key lost? Enter one of your recovery codes" in words(response)
    assert "Write to clans@example.com from the address of your account" in words(response)
    assert soup(response).select("main a[href='mailto:clans@example.com']")


def test_it_offers_a_password_to_who_has_none(client: Client, alice: Player) -> None:
    alice.set_unusable_password()
    alice.save()
    client.force_login(alice)

    check(client.get(reverse("account_set_password")))


def test_it_knows_every_page_that_allauth_has() -> None:
    names = {name for name in get_resolver().reverse_dict if isinstance(name, str)}

    pages = {name for name in names if name.startswith(("account_", "mfa_", "usersessions_"))}

    assert pages == {*SIGNED_OUT, *WITH_AN_ACCOUNT, *WITH_A_SECOND_FACTOR, *ON_THE_WAY, *NO_PAGES}


def everything() -> dict[str, list[tuple[Any, ...]]]:
    """All that the database remembers, but for sessions."""
    return {
        model._meta.label: sorted(model._default_manager.values_list(), key=str)
        for model in apps.get_models()
        if model is not Session
    }


@pytest.mark.parametrize("page", sorted({*SIGNED_OUT, *WITH_AN_ACCOUNT, *WITH_A_SECOND_FACTOR, *ON_THE_WAY, *NO_PAGES}))
def test_it_changes_nothing_when_somebody_looks(locked: Client, page: str) -> None:
    before = everything()

    for client in (locked, Client()):
        assert client.get(address_of(page)).status_code in {200, 302}

    assert everything() == before
    assert locked.get(reverse("account_email")).status_code == 200


def test_it_says_in_our_words_that_a_page_is_not_there(client: Client) -> None:
    response = client.get("/nowhere/")

    assert response.status_code == 404
    assert "This is not on the map" in words(response)
    assert faults(response) == []


def test_it_leads_nobody_back_to_a_page_that_is_not_there(client: Client) -> None:
    links = soup(client.get("/nowhere/")).select("header a[href*=login]")

    assert [link["href"] for link in links] == [reverse("account_login")]


def test_it_says_in_our_words_that_a_form_is_too_old() -> None:
    response = Client(enforce_csrf_checks=True).post(reverse("account_login"), {"login": "alice"})

    assert response.status_code == 403
    assert "Nothing was done" in words(response)
    assert faults(response) == []


@time_machine.travel(AT, tick=False)
def test_it_says_in_our_words_that_it_was_too_often(client: Client) -> None:
    for _ in range(30):
        assert client.post(reverse("account_login")).status_code == 200

    response = client.post(reverse("account_login"))

    assert response.status_code == 429
    assert "That was too often" in words(response)
    assert faults(response) == []


def forbidden(request: HttpRequest) -> Any:
    return defaults.permission_denied(request, PermissionError())


def unreadable(request: HttpRequest) -> Any:
    return defaults.bad_request(request, ValueError())


@pytest.mark.parametrize(
    ("view", "status", "sentence"),
    [
        (forbidden, 403, "You may not go in here"),
        (unreadable, 400, "We could not read that"),
        (defaults.server_error, 500, "Something broke on our side"),
    ],
)
def test_it_says_in_our_words_that_something_is_wrong(
    rf: RequestFactory, django_assert_num_queries: Any, view: Any, status: int, sentence: str
) -> None:
    with django_assert_num_queries(0):
        response = view(rf.get("/"))

    assert response.status_code == status
    assert sentence in words(response)


def test_it_says_in_our_words_that_this_is_not_its_name(client: Client) -> None:
    """A wrong host is refused before anybody has asked who the reader is."""
    response = client.get("/", headers={"Host": "clans.example.org"})

    assert response.status_code == 400
    assert "We could not read that" in words(response)


def test_it_promises_nobody_a_way_in_when_it_does_not_know_who_asks(rf: RequestFactory) -> None:
    """After a failure we do not know whether the reader is signed in, so the page offers neither."""
    assert not soup(defaults.server_error(rf.get("/"))).select("nav a")


def test_it_writes_nothing_when_recovery_codes_are_first_seen(locked: Client, alice: Player) -> None:
    codes = Authenticator.objects.filter(user=alice, type=Authenticator.Type.RECOVERY_CODES)
    before = codes.values().get()

    page = words(locked.get(reverse("mfa_view_recovery_codes")))

    assert all(code in page for code in codes.get().wrap().get_unused_codes())
    assert codes.values().get() == before


@pytest.mark.parametrize(
    ("page", "form", "said"),
    [
        ("account_login", {}, "Fill this in."),
        ("account_signup", {"email": "nowhere"}, "That is not an e-mail address."),
        ("account_request_login_code", {"email": "nowhere"}, "That is not an e-mail address."),
        ("account_reset_password", {"email": "nowhere"}, "That is not an e-mail address."),
        ("account_email", {"action_add": "", "email": "nowhere"}, "That is not an e-mail address."),
        ("account_email", {"action_add": "", "email": "alice@example.com"}, "That is your address already."),
        ("account_change_password", {"oldpassword": ""}, "Fill this in."),
        ("account_reauthenticate", {"password": ""}, "Fill this in."),
        ("mfa_activate_totp", {"code": ""}, "Fill this in."),
        ("mfa_activate_totp", {"code": "000000"}, "That is not the right code. Each code works once."),
    ],
)
def test_it_refuses_in_words_of_its_own(inside: Client, page: str, form: dict[str, str], said: str) -> None:
    asking = Client() if page in SIGNED_OUT else inside
    asking.get(reverse(page))
    response = asking.post(reverse(page), form)
    assert said in words(response)
    assert not re.search("This field|valid|Ensure", words(response))


ANDROID = "Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"


@pytest.mark.parametrize(
    ("held", "name"),
    [
        ([], "Firefox on Android"),
        (["Blue key"], "Firefox on Android"),
        (["Firefox on Android"], "Firefox on Android (2)"),
        (["Firefox on Android", "Firefox on Android (2)"], "Firefox on Android (3)"),
    ],
)
def test_it_calls_a_new_passkey_by_the_browser_that_makes_it(
    inside: Client, alice: Player, held: list[str], name: str
) -> None:
    for key in held:
        data = PASSKEY | {"name": key}
        Authenticator.objects.create(user=alice, type=Authenticator.Type.WEBAUTHN, data=data)
    page = soup(inside.get(reverse("mfa_add_webauthn"), headers={"User-Agent": ANDROID}))
    [field] = page.select("input[name=name]")
    assert field["value"] == name
