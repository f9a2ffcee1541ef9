"""What answers tell browsers: what a page may do, who may keep it, and who may find it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.robotparser import RobotFileParser

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import Settings

from games.models import Game, Player
from games.pages.headers import old_cookies
from tests.cast import make_game, make_table
from tests.pages.helpers import Page, soup, table_url
from tests.servers import prepared

pytestmark = pytest.mark.django_db

ALWAYS = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
BONUS = {"csp none": 10, "corp same-origin": 10, "frames by csp": 5, "private referrer": 5}
"""What MDN's HTTP Observatory adds to 100 points (its grader/charts.js)."""


@pytest.fixture(autouse=True)
def _static_files(settings: Settings) -> None:
    """Serve them from where they are written: tests collect none."""
    settings.WHITENOISE_USE_FINDERS = settings.WHITENOISE_AUTOREFRESH = True


def static_file(client: Client) -> Any:
    """The answer of a file that has been read."""
    response = client.get("/static/games/marks.svg")
    response.close()
    return response


def test_everything_has_all_headers(client: Client, game: Game) -> None:
    table = client.get(table_url(game))
    address = table.content.decode().partition('data-poll="')[2].partition('"')[0]
    answer = client.get(address)
    answers = {
        "page": table,
        "static": static_file(client),
        "unchanged": client.get(address, headers={"If-None-Match": answer["ETag"]}),
        "redirect": client.get("/vacation/"),
        "error": client.get("/nowhere/"),
    }
    assert [answer.status_code for answer in answers.values()] == [200, 200, 304, 302, 404]
    for name, answer in answers.items():
        assert {header: answer.get(header) for header in ALWAYS} == ALWAYS, name
        assert "default-src 'none'" in answer["Content-Security-Policy"], name
        assert answer.get("Permissions-Policy"), name


def test_the_observatory_gives_125_points_or_more(client: Client, game: Game) -> None:
    assert points(client.get("/").headers) >= 125


def points(headers: Mapping[str, str]) -> int:
    """The points of headers with nothing to take off; raises KeyError for what is not there."""
    policy = dict(part.partition(" ")[::2] for part in headers["Content-Security-Policy"].split("; "))
    won = {
        "csp none": policy["default-src"] == "'none'" and "unsafe" not in headers["Content-Security-Policy"],
        "corp same-origin": headers["Cross-Origin-Resource-Policy"] == "same-origin",
        "frames by csp": policy["frame-ancestors"] == "'none'",
        "private referrer": headers["Referrer-Policy"] in ("no-referrer", "same-origin"),
    }
    assert not any(source in policy["script-src"] for source in ("data:", "http:", "*"))
    return 100 + sum(BONUS[name] for name, is_won in won.items() if is_won)


def test_a_drawing_says_its_charset(client: Client) -> None:
    assert static_file(client)["Content-Type"] == "image/svg+xml; charset=utf-8"


@pytest.fixture
def account_pages(client: Client, alice: Player) -> list[str]:
    client.force_login(alice)
    private = [reverse(name) for name in ("browsers", "muted", "account_email", "mfa_index")]
    return ["/", "/mail/", "/preferences/", "/preferences/mail/", *private]


def test_nobody_keeps_pages_of_an_account(client: Client, account_pages: list[str]) -> None:
    kept = [page for page in account_pages if "no-store" not in client.get(page).get("Cache-Control", "")]
    assert kept == []


@pytest.mark.parametrize("name", ["mfa_view_recovery_codes", "mfa_generate_recovery_codes", "mfa_activate_totp"])
def test_nobody_keeps_codes_and_keys(client: Client, alice: Player, name: str) -> None:
    client.force_login(alice)
    assert "no-store" in client.get(reverse(name))["Cache-Control"]


def test_search_engines_list_no_table_that_is_open_by_link(client: Client, alice: Player, bob: Player) -> None:
    hidden, shown = make_game(alice, bob, is_public=False), make_game(alice, bob)
    opened = make_table(alice, is_public=False)
    pages = [table_url(hidden), table_url(hidden, "ply/0/"), table_url(hidden, "deal/"), table_url(opened)]
    assert [is_listed(client.get(page)) for page in pages] == [False] * 4
    assert is_listed(client.get(table_url(shown)))


def test_crawlers_are_told_what_is_not_for_them(client: Client, alice: Player, bob: Player) -> None:
    game, answer = make_game(alice, bob), client.get("/robots.txt")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; charset=utf-8")
    robots = RobotFileParser()
    robots.parse(answer.content.decode().splitlines())
    private = ("/accounts/login/", "/preferences/mail/", "/turns/", "/next/", "/mail/", "/turn/secret/", "/admin/")
    # Who may not fetch a page does not learn that it is not to be listed.
    public = ("/", table_url(game), table_url(game, "ply/0/"), "/archive/?at=after-1-1", "/players/alice/", "/rules/")
    assert [robots.can_fetch("Crawler", path) for path in private] == [False] * len(private)
    assert [robots.can_fetch("Crawler", path) for path in public] == [True] * len(public)
    # RobotFileParser does not know the asterisk of RFC 9309.
    assert "\nDisallow: /tables/*/try/\n" in answer.content.decode()


def test_password_managers_find_where_to_change_the_password(client: Client, alice: Player) -> None:
    client.force_login(alice)
    answer = client.get("/.well-known/change-password", follow=True)
    assert answer.redirect_chain == [("/accounts/password/change/", 302)]
    assert answer.status_code == 200
    assert (
        client.get("/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200/").status_code
        == 404
    )


def is_listed(response: Page) -> bool:
    return not soup(response).select('meta[name="robots"][content~="noindex"]')


def test_a_challenge_for_a_passkey_writes_no_session(client: Client) -> None:
    response = client.get(reverse("mfa_login_webauthn"), headers={"X-Requested-With": "XMLHttpRequest"})
    assert response.json()["request_options"]["publicKey"]["challenge"]
    assert not Session.objects.exists()
    assert settings.SESSION_COOKIE_NAME not in response.cookies


@pytest.fixture
def bound(settings: Settings) -> None:
    """The names of cookies on https."""
    settings.COOKIE_PREFIX = "__Host-"
    settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
    settings.LANGUAGE_COOKIE_NAME = "__Host-django_language"


HTTPS = """
import django; django.setup()
import json; from django.test import Client; from tests.cast import PASSWORD, make_player
client = Client(HTTP_HOST="clans.example.com", HTTP_X_FORWARDED_PROTO="https")
from django.templatetags.static import static
paths = ["/", "/accounts/login/", "/nowhere/", static("games/marks.svg"), "/preferences/"]
first = [client.get(path) for path in paths]
again = client.get(paths[3], headers={"If-Modified-Since": first[3]["Last-Modified"]})
make_player("alice")
entered = client.post(paths[1], {"login": "alice", "password": PASSWORD})
cookies = [morsel.OutputString() for jar in (first[1].cookies, entered.cookies) for morsel in jar.values()]
answers = [[one.status_code, dict(one.headers)] for one in (*first, again)]
print(json.dumps([answers, cookies]))
"""


@pytest.fixture(scope="module")
def on_https(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Any], list[str]]:
    """The answers and cookies of a site that others reach, with its own settings."""
    folder = shutil.copytree(prepared(), tmp_path_factory.mktemp("https"), dirs_exist_ok=True)
    environment = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "clans_site.settings",
        "DEBUG": "0",
        "SECRET_KEY": "headers" * 8,
        "SITE_URL": "https://clans.example.com",
        "EMAIL_URL": "smtp://127.0.0.1:1",
        "VAR_DIR": str(folder),
    }
    command = [sys.executable, "-c", HTTPS]
    said = subprocess.run(command, env=environment, cwd=settings.BASE_DIR, check=True, capture_output=True).stdout
    answers, cookies = json.loads(said.splitlines()[-1])
    return answers, cookies


def test_every_kind_of_answer_has_125_points_on_https(on_https: tuple[list[Any], list[str]]) -> None:
    answers, cookies = on_https
    assert [status for status, _headers in answers] == [200, 200, 404, 200, 302, 304]
    for status, headers in answers:
        assert points(headers) + taken_off(headers, cookies) >= 125, (status, headers)


def test_browsers_ask_by_https_alone_for_a_year(on_https: tuple[list[Any], list[str]]) -> None:
    answers, _cookies = on_https
    assert {headers.get("Strict-Transport-Security") for _status, headers in answers} == {"max-age=31536000"}


def taken_off(headers: Mapping[str, str], cookies: Sequence[str]) -> int:
    """What the Observatory takes off for HSTS, types that are guessed, foreign readers and cookies; 5 for good ones."""
    age = re.search(r"max-age=(\d+)", headers.get("Strict-Transport-Security", ""))
    off = 0 if age and int(age[1]) >= 15_768_000 else -20
    off -= 0 if headers.get("X-Content-Type-Options") == "nosniff" else 5
    off -= 50 if headers.get("Access-Control-Allow-Origin") == "*" else 0
    off -= 40 if any("Secure" not in cookie for cookie in cookies) else 0
    return off + (5 if all("SameSite" in cookie for cookie in cookies) else 0)


def test_cookies_of_https_are_bound_to_the_host(on_https: tuple[list[Any], list[str]]) -> None:
    _answers, cookies = on_https
    assert {cookie.partition("=")[0] for cookie in cookies} >= {"__Host-sessionid", "__Host-csrftoken"}
    for cookie in cookies:
        assert cookie.startswith("__Host-")
        assert {"Secure", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
        assert "HttpOnly" in cookie or not cookie.startswith("__Host-sessionid")


@pytest.mark.usefixtures("bound")
def test_who_was_signed_in_before_cookies_were_bound_to_the_host_stays(client: Client, alice: Player) -> None:
    client.force_login(alice)
    key = client.cookies["__Host-sessionid"].value
    seen: list[str | None] = []

    def page(request: HttpRequest) -> HttpResponse:
        seen.append(request.COOKIES.get("__Host-sessionid"))
        return HttpResponse()

    request = RequestFactory().get("/")
    request.COOKIES = {"sessionid": key}
    response = old_cookies(page)(request)
    assert seen == [key]
    new = response.cookies["__Host-sessionid"]
    assert (new.value, new["secure"], new["httponly"], new["path"], new["domain"]) == (key, True, True, "/", "")
    assert response.cookies["sessionid"]["max-age"] == 0
