"""Day, night or as the system says: chosen in the header, kept without an account."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Player
from tests.pages.helpers import soup

pytestmark = pytest.mark.django_db


def look_of(client: Client, path: str = "/rules/") -> tuple[object, list[str], list[str]]:
    """What the page says of its theme: the attribute, the schemes, and the choice that is marked."""
    page = soup(client.get(path))
    schemes = [str(meta["content"]) for meta in page.select("meta[name=color-scheme]")]
    marked = [str(button["value"]) for button in page.select("button[name=theme][aria-current]")]
    [whole] = page.select("html")
    return whole.get("data-theme"), schemes, marked


@pytest.mark.parametrize(("theme", "scheme"), [("day", "light"), ("night", "dark")])
@pytest.mark.parametrize("who", ["visitor", "alice"])
def test_it_keeps_day_or_night_and_goes_back(client: Client, alice: Player, who: str, theme: str, scheme: str) -> None:
    if who == "alice":
        client.force_login(alice)
    assert look_of(client) == (None, ["light dark"], ["system"])

    response = client.post("/theme/?next=/rules/%3Ftry%3Dtwo-ways", {"theme": theme})
    assert (response.status_code, response["Location"]) == (303, "/rules/?try=two-ways")
    assert look_of(client) == (theme, [scheme], [theme])
    assert look_of(client, "/nowhere/")[0] == theme

    client.post("/theme/", {"theme": "system"})
    assert look_of(client) == (None, ["light dark"], ["system"])


def test_the_form_names_the_page_where_it_is(client: Client) -> None:
    page = soup(client.get("/rules/?try=two-ways&move=A3-A2"))
    [form] = page.select(".site-theme form")
    response = client.post(str(form["action"]), {"theme": "night"})
    assert response["Location"] == "/rules/?try=two-ways&move=A3-A2"


@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/signup/?next=/archive/", "/accounts/password/reset/"])
def test_the_pages_for_signing_in_name_themselves_too(client: Client, path: str) -> None:
    [form] = soup(client.get(path)).select(".site-theme form")
    assert client.post(str(form["action"]), {"theme": "night"})["Location"] == path


def test_a_cache_keeps_the_pages_of_readers_with_another_theme_apart(client: Client) -> None:
    for path in ("/", "/rules/", "/archive/", "/nowhere/", "/accounts/login/"):
        assert "Cookie" in client.get(path)["Vary"], path


def test_a_get_changes_nothing(client: Client) -> None:
    response = client.get("/theme/?theme=night")
    assert (response.status_code, "theme" in response.cookies) == (405, False)


@pytest.mark.parametrize("chosen", ["", "dusk"])
def test_it_knows_no_other_theme(client: Client, chosen: str) -> None:
    response = client.post("/theme/", {"theme": chosen})
    assert (response.status_code, "theme" in response.cookies) == (400, False)
    client.cookies["theme"] = "dusk"
    assert look_of(client)[0] is None


@pytest.mark.parametrize("next_page", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)", ""])
def test_it_leads_nowhere_else(client: Client, next_page: str) -> None:
    assert client.post(f"/theme/?next={next_page}", {"theme": "day"})["Location"] == "/"


def test_a_forged_form_changes_nothing(alice: Player) -> None:
    strict = Client(enforce_csrf_checks=True)
    response = strict.post("/theme/", {"theme": "night"})
    assert (response.status_code, "theme" in response.cookies) == (403, False)
