"""What the site answers where it cannot: pages that read nothing of what was sent, and a short line in the log."""

from __future__ import annotations

import errno
import logging
import re
from collections.abc import Callable
from io import StringIO

import pytest
from allauth.mfa.totp.internal.auth import TOTP
from django.conf import settings
from django.db import InternalError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import path
from psycopg.errors import IndexCorrupted, ReadOnlySqlTransaction

from clans_site import urls
from clans_site.logs import RequestFilter, ShortFormatter
from games.models import Game, Player
from tests.cast import PASSWORD
from tests.pages.helpers import table_url, text_of

pytestmark = pytest.mark.django_db

ALWAYS = (
    "Content-Security-Policy",
    "Permissions-Policy",
    "Cross-Origin-Opener-Policy",
    "Referrer-Policy",
    "X-Content-Type-Options",
    "X-Frame-Options",
)
LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z ERROR (?P<id>[0-9a-f]+-[0-9a-f]+) django\.request: .+")
FORMAT: str = settings.LOGGING["formatters"]["plain"]["format"]  # type: ignore[index]
Said = Callable[[], list[str]]
LATIN = "application/x-www-form-urlencoded; charset=latin-1"


def fail(request: HttpRequest, secret: str) -> HttpResponse:
    raise RuntimeError("mallory@example.com must not be logged")


def find_disk_full(request: HttpRequest) -> HttpResponse:
    raise OSError(errno.ENOSPC, "mallory must not be logged", "/a-secret")


def miss_database(request: HttpRequest) -> HttpResponse:
    raise OperationalError("connection failed: Connection refused\n\tmallory must not be logged")


def miss_writes(request: HttpRequest) -> HttpResponse:
    raise InternalError("cannot write") from ReadOnlySqlTransaction("mallory must not be logged")


def find_index_broken(request: HttpRequest) -> HttpResponse:
    raise InternalError("mallory must not be logged") from IndexCorrupted


class FailingUrls:
    """The site's own addresses, and some that fail."""

    urlpatterns = [
        path("fail/<str:secret>/", fail),
        path("full/", find_disk_full),
        path("away/", miss_database),
        path("api/away/", miss_database),
        path("read-only/", miss_writes),
        path("broken/", find_index_broken),
        *urls.urlpatterns,
    ]
    handler400, handler403 = urls.handler400, urls.handler403
    handler404, handler500 = urls.handler404, urls.handler500


@pytest.fixture
def careful() -> Client:
    """It hears of an error as a browser does, and its forms have to show a token."""
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    client.cookies[settings.CSRF_COOKIE_NAME] = "a" * 32
    return client


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Said:
    """The lines that the log of a site that others can reach has got."""
    log = StringIO()
    handler = logging.StreamHandler(log)
    handler.addFilter(RequestFilter())
    handler.setFormatter(ShortFormatter(FORMAT, style="{"))
    monkeypatch.setattr(logging.getLogger(), "handlers", [handler])
    return lambda: log.getvalue().splitlines()


@pytest.mark.parametrize("address", ["/", "/accounts/login/", "/tables/practice/move/", "/nowhere/"])
def test_it_answers_a_form_of_another_charset_with_400(careful: Client, address: str, said: Said) -> None:
    response = careful.post(address, "words=café", content_type=LATIN)
    assert response.status_code in (400, 404, 405)
    assert [name for name in ALWAYS if name not in response] == []
    assert len("".join(said())) < 1000


@pytest.mark.parametrize("status", [400, 403, 404, 405, 500, 503])
def test_each_refusal_has_all_headers(careful: Client, alice: Player, status: int) -> None:
    careful.force_login(alice)
    with override_settings(ROOT_URLCONF=FailingUrls):
        match status:
            case 400:
                response = careful.post("/preferences/", b"a=1", content_type=LATIN)
            case 403:
                response = careful.post("/preferences/", {"a": "1"})
            case 404:
                response = careful.get("/nowhere/")
            case 405:
                response = Client().put("/archive/")
            case 503:
                response = careful.get("/away/")
            case _:
                response = careful.get("/fail/a-secret/")
    assert response.status_code == status
    assert [name for name in ALWAYS if name not in response] == []
    assert b"<h1>" in response.content


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("/nowhere/", "There is no page here."),
        ("/tables/nowhere/", "There is no table here."),
        ("{table}ply/9/", "This game has not had so many moves."),
        ("{table}record.json", "The record of a game is there once the game is over."),
    ],
)
def test_a_page_that_is_not_there_says_why(client: Client, game: Game, address: str, says: str, debug: bool) -> None:
    with override_settings(DEBUG=debug):
        response = client.get(address.format(table=game.get_absolute_url()))
    assert response.status_code == 404
    assert says in text_of(response)


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize("address", ["/nowhere/", "/tables/nowhere/", "/players/nobody/", "/rules/nowhere.html"])
def test_a_wrong_address_is_a_page_of_the_site_where_it_is_tried_out_too(
    careful: Client, alice: Player, address: str, debug: bool
) -> None:
    careful.force_login(alice)
    with override_settings(DEBUG=debug):
        response = careful.get(address)
    assert response.status_code == 404
    page = response.content.decode()
    assert "This is not on the map" in page
    assert "/players/alice/" in page
    assert "URLconf" not in page


def test_an_error_is_one_short_line_without_what_was_sent(careful: Client, said: Said) -> None:
    with override_settings(ROOT_URLCONF=FailingUrls):
        assert careful.post("/fail/a-secret/", b"a=1", content_type=LATIN).status_code == 400
        response = careful.get("/fail/a-secret/")
    assert response.status_code == 500
    assert [line for line in said() if "RuntimeError" in line and "in fail" in line]
    assert all(len(line) < 1500 for line in said())
    assert "a-secret" not in "".join(said())
    assert "mallory" not in "".join(said())


def test_the_line_of_a_full_disk_says_so(careful: Client, said: Said) -> None:
    with override_settings(ROOT_URLCONF=FailingUrls):
        careful.get("/full/")
    assert "Traceback: OSError (No space left on device) at" in "".join(said())
    assert "mallory" not in "".join(said())
    assert "a-secret" not in "".join(said())


@pytest.mark.parametrize("address", ["/away/", "/api/away/"])
def test_a_database_that_is_away_is_one_line_without_a_place(
    careful: Client, alice: Player, said: Said, address: str
) -> None:
    careful.force_login(alice)
    with override_settings(ROOT_URLCONF=FailingUrls):
        response = careful.get(address)
    assert (response.status_code, response["Retry-After"]) == (503, "30")
    assert response["Content-Length"] == str(len(response.content))
    [line] = [line for line in said() if "ERROR" in line]
    assert line.endswith(f"Service Unavailable: {address}: OperationalError (connection failed: Connection refused)")


def test_a_database_that_only_reads_is_told_from_one_that_is_broken(careful: Client, said: Said) -> None:
    with override_settings(ROOT_URLCONF=FailingUrls):
        read_only, broken = careful.get("/read-only/"), careful.get("/broken/")
    assert (read_only.status_code, read_only["Retry-After"]) == (503, "30")
    assert "this site can show what it has stored, but store nothing" in text_of(read_only)
    assert broken.status_code == 500
    assert said()[0].endswith("Service Unavailable: /read-only/: InternalError (cannot write)")
    assert "Traceback: InternalError (IndexCorrupted) at " in said()[1]
    assert "mallory" not in "".join(said())


def test_a_refused_form_names_no_secret_address(careful: Client, said: Said, game: Game) -> None:
    careful.post(f"{table_url(game)}join/", {"words": "mine"})
    assert said()
    for line in said():
        assert "tables/<slug:slug>/join/" in line
        assert game.slug not in line


def test_a_line_has_time_level_and_the_id_of_the_request(said: Said) -> None:
    with override_settings(ROOT_URLCONF=FailingUrls):
        Client(raise_request_exception=False).get("/fail/x/")
        Client(raise_request_exception=False).get("/fail/x/")
    lines = [LINE.fullmatch(line) for line in said()]
    assert len({line["id"] for line in lines if line}) == 2


def test_it_notes_who_comes_and_goes_and_what_is_refused(
    client: Client, alice: Player, caplog: pytest.LogCaptureFixture
) -> None:
    """By numbers and patterns: no name, no address and no password."""
    caplog.set_level("INFO", logger="games.pages")
    client.post("/accounts/login/", {"login": "alice", "password": "not-this-one"})
    client.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    client.post("/accounts/logout/")
    Client(enforce_csrf_checks=True).post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    said = caplog.text
    for line in (
        "a wrong password",
        f"player {alice.pk} signed in",
        f"player {alice.pk} signed out",
        "refused with 403",
    ):
        assert line in said
    assert not any(secret in said for secret in ("alice", PASSWORD, "not-this-one"))


def test_it_notes_changes_of_an_account_and_refusals_by_limits(
    client: Client, alice: Player, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="games.pages")
    client.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    for _ in range(10):
        client.post("/accounts/reauthenticate/")
    form = {"oldpassword": PASSWORD} | dict.fromkeys(("password1", "password2"), "the-lake-thaws-slowly")
    client.post("/accounts/password/change/", form)
    TOTP.activate(alice, "JBSWY3DPEHPK3PXP")
    client.post("/accounts/2fa/totp/deactivate/")
    for line in (
        f"player {alice.pk} has shown: password",
        "refused with 429: POST /accounts/reauthenticate/",
        f"player {alice.pk}: password changed",
        f"player {alice.pk}: second factor or passkey removed",
    ):
        assert line in caplog.text
    assert not any(secret in caplog.text for secret in ("alice", PASSWORD, "the-lake-thaws-slowly"))
