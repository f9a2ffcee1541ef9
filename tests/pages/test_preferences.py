"""What a player wishes of the site, and the clock that follows it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils.functional import SimpleLazyObject
from time_machine import travel

from games.models import Player
from games.pages.middleware import player_clock
from games.pages.player.preferences import PreferencesForm
from games.pages.times import when
from tests.cast import AT, make_table
from tests.pages.helpers import links, soup

pytestmark = pytest.mark.django_db


def prefer(client: Client, **values: str) -> Any:
    return client.post("/preferences/", {"time_zone": "UTC"} | values)


def test_it_keeps_what_is_chosen(client: Client, alice: Player) -> None:
    client.force_login(alice)
    response = prefer(client, time_zone="Europe/Vienna", goes_on="on")
    alice.refresh_from_db()
    assert (response.status_code, response["Location"]) == (303, "/preferences/")
    assert (alice.time_zone, alice.goes_on, alice.confirms_moves) == ("Europe/Vienna", True, False)
    prefer(client, confirms_moves="on")
    alice.refresh_from_db()
    assert (alice.time_zone, alice.goes_on, alice.confirms_moves) == ("UTC", False, True)


def test_a_page_from_before_an_update_leaves_newer_boxes_as_they_are(client: Client, alice: Player) -> None:
    client.force_login(alice)
    shown = soup(client.get("/preferences/")).select_one("input[name=shown]")
    assert shown
    assert str(shown["value"]).split() == ["confirms_moves", "goes_on", "sees_motion", "white_clan"]
    refused = prefer(client, time_zone="Europe/Atlantis", shown="confirms_moves goes_on")
    again = soup(refused).select_one("input[name=shown]")
    assert again
    assert again["value"] == "confirms_moves goes_on"
    prefer(client, goes_on="on", shown=str(again["value"]))
    alice.refresh_from_db()
    assert (alice.confirms_moves, alice.goes_on, alice.sees_motion) == (False, True, True)
    prefer(client, shown=str(shown["value"]))
    alice.refresh_from_db()
    assert (alice.goes_on, alice.sees_motion) == (False, False)


def test_each_tab_of_the_account_is_called_as_its_page(client: Client, alice: Player) -> None:
    client.force_login(alice)
    page = soup(client.get("/preferences/"))
    tabs = page.select("nav.subnav > a")
    assert len(tabs) == 8
    for tab in tabs:
        heading = soup(client.get(tab["href"])).select_one("h1")
        assert heading
        assert tab.get_text().lower() in heading.get_text().lower()
    menu = {link["href"]: link.get_text() for link in page.select(".site-user a")}
    assert {tab["href"]: tab.get_text() for tab in tabs}.items() <= menu.items()


def test_it_shows_what_is_chosen(client: Client, alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(time_zone="Europe/Vienna", goes_on=True)
    client.force_login(alice)
    page = soup(client.get("/preferences/"))
    chosen = page.select("select[name=time_zone] option[selected]")
    assert [(option["value"], option.get_text()) for option in chosen] == [("Europe/Vienna", "Vienna")]
    ticked = {str(box["name"]) for box in page.select("input[type=checkbox][checked]")}
    assert ticked == {"confirms_moves", "goes_on", "sees_motion"}


def test_it_keeps_a_zone_that_it_does_not_offer(client: Client, alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(time_zone="Etc/GMT+5")
    client.force_login(alice)
    page = soup(client.get("/preferences/"))
    assert [option["value"] for option in page.select("[name=time_zone] option[selected]")] == ["Etc/GMT+5"]


def test_it_offers_every_zone_of_the_world_by_region(client: Client, alice: Player) -> None:
    client.force_login(alice)
    page = soup(client.get("/preferences/"))
    offered = [str(option["value"]) for option in page.select("select[name=time_zone] option")]
    assert len(offered) > 400
    assert (
        len(offered)
        == len(set(offered))
        == len({option.get_text() for option in page.select("[name=time_zone] option")})
    )
    assert [there.get_text() for there in page.select('[value="Antarctica/DumontDUrville"]')] == ["Dumont d’Urville"]
    assert {"Africa", "Europe", "Pacific Ocean"} <= {group["label"] for group in page.select("optgroup")}


@pytest.mark.parametrize(
    ("now", "formerly"),
    [("Asia/Kolkata", "Asia/Calcutta"), ("Asia/Kathmandu", "Asia/Katmandu"), ("Asia/Dhaka", "Asia/Dacca")],
)
def test_it_offers_a_place_once_by_the_name_of_today(client: Client, alice: Player, now: str, formerly: str) -> None:
    client.force_login(alice)
    offered = {str(option["value"]) for option in soup(client.get("/preferences/")).select("option")}
    assert (now in offered, formerly in offered) == (True, False)
    assert "America/Knox_IN" not in offered
    prefer(client, time_zone=formerly)
    page = soup(client.get("/preferences/"))
    assert [option["value"] for option in page.select("[name=time_zone] option[selected]")] == [formerly]


@pytest.mark.parametrize("zone", ["Europe/Atlantis", "", "../../etc/passwd", "Europe", "\0", "<b>"])
def test_it_refuses_a_zone_that_there_is_not(client: Client, alice: Player, zone: str) -> None:
    client.force_login(alice)
    response = prefer(client, time_zone=zone)
    assert response.status_code == 422
    assert soup(response).select("div:has(> .errorlist) select[name=time_zone]")
    alice.refresh_from_db()
    assert alice.time_zone == "UTC"


@pytest.mark.usefixtures("one_language")
def test_it_changes_nothing_else(client: Client, alice: Player) -> None:
    client.force_login(alice)
    prefer(client, username="mallory", email="mallory@example.com", is_staff="on", language="de", mail_mode="nothing")
    alice.refresh_from_db()
    assert (alice.username, alice.email, alice.is_staff, alice.language) == ("alice", "alice@example.com", False, "en")
    assert alice.mail_mode == "every"


@pytest.mark.usefixtures("one_language")
def test_it_asks_for_no_language_where_there_is_one_alone(client: Client, alice: Player) -> None:
    client.force_login(alice)
    assert not soup(client.get("/preferences/")).select("[name=language]")


@pytest.mark.usefixtures("two_languages")
def test_it_asks_for_a_language_where_there_is_a_choice(client: Client, alice: Player) -> None:
    client.force_login(alice)
    assert soup(client.get("/preferences/")).select("[name=language]")


@pytest.mark.usefixtures("two_languages")
def test_it_keeps_the_language_of_a_page_that_did_not_ask_for_it(client: Client, alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(language="de")
    client.force_login(alice)
    assert prefer(client, goes_on="on").status_code == 303
    alice.refresh_from_db()
    assert (alice.language, alice.goes_on) == ("de", True)


@pytest.mark.usefixtures("two_languages")
def test_it_remembers_the_language_for_pages_that_look_nobody_up(client: Client, alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(language="de")
    client.force_login(alice)
    assert soup(client.get("/")).select("html[lang=en]")
    assert soup(client.get("/")).select("html[lang=de]")


@pytest.mark.usefixtures("two_languages")
def test_it_speaks_the_chosen_language_in_a_browser_of_another(client: Client, alice: Player) -> None:
    client.force_login(alice)
    assert soup(client.get("/", headers={"Accept-Language": "de"})).select("html[lang=de]")
    assert soup(client.get("/", headers={"Accept-Language": "de"})).select("html[lang=en]")


@pytest.mark.usefixtures("one_language")
def test_it_sets_no_cookie_where_there_is_one_language(client: Client, alice: Player) -> None:
    client.force_login(alice)
    client.get("/")
    assert "django_language" not in client.cookies


def test_it_leads_to_mail_vacation_address_password_and_passkeys(client: Client, alice: Player) -> None:
    client.force_login(alice)
    ways = set(links(client.get("/preferences/")))
    assert {"/accounts/email/", "/accounts/password/change/", "/accounts/2fa/"} <= ways
    assert {"/mail/", "/preferences/mail/", "/vacation/"} <= ways
    names = {link.get_text() for link in soup(client.get("/preferences/")).select("main a")}
    assert {"Which mail you get, and your quiet hours", "mute and block players"} <= names


def test_it_asks_a_visitor_to_sign_in(client: Client) -> None:
    assert client.get("/preferences/").status_code == 302
    assert prefer(client).status_code == 302


def shown_time(client: Client) -> dict[str, Any]:
    """The first time on the home page: what it says and its attributes."""
    time = soup(client.get("/")).select_one("time")
    assert time
    return dict(time.attrs) | {"text": " ".join(time.get_text().split())}


def test_it_shows_hours_of_the_players_own_zone(client: Client, alice: Player, bob: Player) -> None:
    make_table(bob)
    Player.objects.filter(pk=alice.pk).update(time_zone="Europe/Vienna")
    with travel(AT + timedelta(hours=3), tick=False):
        assert shown_time(client)["datetime"] == "2026-03-02T20:00:00+00:00"
        client.force_login(alice)
        shown = shown_time(client)
    assert shown["datetime"] == "2026-03-02T21:00:00+01:00"
    assert shown["title"] == "2 March 2026, 21:00 CET"
    assert shown["text"] == "3 hours ago (2 March 2026, 21:00 CET)"


@pytest.mark.parametrize(
    ("ago", "text"),
    [
        (timedelta(seconds=59), "just now"),
        (timedelta(seconds=-59), "just now"),
        (timedelta(seconds=60), "1 minute ago"),
        (timedelta(minutes=59), "59 minutes ago"),
        (timedelta(hours=1), "1 hour ago"),
        (timedelta(days=2, hours=23), "2 days ago"),
        (timedelta(days=2, hours=23, minutes=1), "3 days ago"),
        (timedelta(days=2, seconds=-1), "47 hours ago"),
        (timedelta(minutes=119), "119 minutes ago"),
        (timedelta(days=3), "3 days ago"),
        (timedelta(hours=95), "3 days ago"),
        (timedelta(days=27, hours=23), "27 days ago"),
        (timedelta(hours=-44), "in 44 hours"),
        (timedelta(days=-3), "in 3 days"),
        (timedelta(days=-4), "in 4 days"),
    ],
)
def test_it_says_about_how_long_ago_it_was(client: Client, bob: Player, ago: timedelta, text: str) -> None:
    make_table(bob)
    with travel(AT + ago, tick=False):
        assert shown_time(client)["text"].startswith(f"{text} (")


def test_it_says_the_day_of_what_was_long_ago_once(client: Client, bob: Player) -> None:
    make_table(bob)
    with travel(AT + timedelta(days=28), tick=False):
        time = shown_time(client)
    assert time["text"].startswith("2 March 2026, ")
    assert time["text"] == time["title"]


def test_it_survives_a_zone_that_is_gone(client: Client, alice: Player, bob: Player) -> None:
    make_table(bob)
    Player.objects.filter(pk=alice.pk).update(time_zone="Europe/Atlantis")
    client.force_login(alice)
    assert shown_time(client)["datetime"] == "2026-03-02T20:00:00+00:00"


def test_it_looks_nobody_up_until_a_time_is_shown(alice: Player) -> None:
    asked = []

    def who() -> Player:
        asked.append(alice)
        return alice

    def view(request: HttpRequest) -> HttpResponse:
        seen.append(len(asked))
        return HttpResponse(when(AT))

    seen: list[int] = []
    request = RequestFactory().get("/")
    request.user = SimpleLazyObject(who)  # type: ignore[assignment]
    response = player_clock(view)(request)
    assert (seen, len(asked)) == ([0], 1)
    assert b"2026-03-02T20:00:00" in response.content


def test_it_does_not_leave_the_clock_of_one_reader_to_the_next(client: Client, alice: Player, bob: Player) -> None:
    make_table(bob)
    Player.objects.filter(pk=alice.pk).update(time_zone="Asia/Tokyo")
    client.force_login(alice)
    client.get("/")
    assert shown_time(Client())["datetime"].endswith("+00:00")


@pytest.mark.usefixtures("one_language")
def test_it_asks_for_every_preference_under_a_heading(client: Client, alice: Player) -> None:
    client.force_login(alice)
    groups = soup(client.get("/preferences/")).select("form fieldset.group")
    assert [legend.get_text() for group in groups for legend in group.select("legend")[:1]] == [
        "Playing",
        "Looks",
        "My page is for",
        "Clock",
    ]
    asked = [str(field["name"]) for group in groups for field in group.select("input[name], select[name]")]
    assert list(dict.fromkeys(asked)) == list(PreferencesForm(instance=alice).fields)
    for field in (field for group in groups for field in group.select("input[name], select[name]")):
        assert soup(client.get("/preferences/")).select_one(f"label[for={field['id']}]")
