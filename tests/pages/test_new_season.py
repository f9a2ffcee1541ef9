"""The form that opens a season."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from games import play
from games.models import Player, Season
from tests.cast import AT
from tests.pages.helpers import soup, text_of
from tests.pages.test_seasons import buttons, url_of

pytestmark = pytest.mark.django_db

FORM = {
    "name": "Spring league",
    "size": "2",
    "format": "swiss",
    "rounds": "3",
    "ends_on": "",
    "is_public": "yes",
    "pace": "steady",
    "chance": "1",
}


def test_a_form_opens_a_season_once(client: Client, alice: Player) -> None:
    client.force_login(alice)
    for _again in range(2):
        answer = client.post("/leagues/new/", FORM)
    found = Season.objects.get()
    assert (answer.status_code, answer.headers["Location"]) == (303, url_of(found))
    assert (found.name, found.size, found.rounds, found.move_hours, found.is_rated) == (
        "Spring league",
        2,
        3,
        72,
        False,
    )
    assert "Spring league" in text_of(client.get("/leagues/"))


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("name", "", "Fill this in."),
        ("name", "x" * 41, "At most 40 letters fit here"),
        ("size", "5", "Choose one of these."),
        ("rounds", "0", "At least 1."),
        ("rounds", "21", "At most 20."),
        ("rounds", "many", "Write a whole number."),
        ("rounds", "", "Fill in how many rounds there are, or the last day."),
        ("ends_on", "2026-01-01", "That day is over."),
        ("ends_on", "2026-02-31", "That is not a day of the calendar. Write it as 2026-12-31."),
        ("pace", "hasty", "Choose one of these."),
    ],
)
def test_it_says_what_is_wrong_with_the_form(
    client: Client, alice: Player, field: str, value: str, said: str, time_machine: Any
) -> None:
    time_machine.move_to(AT)
    client.force_login(alice)
    answer = client.post("/leagues/new/", FORM | {field: value})
    assert answer.status_code == 422
    assert said in text_of(answer)
    assert not Season.objects.exists()


def test_its_form_says_how_many_rounds_there_can_be(client: Client, alice: Player) -> None:
    client.force_login(alice)
    assert text_of(client.get("/leagues/new/"), "#id_rounds_helptext") == (
        "From 1 to 20. If you leave this empty and choose a last day, as many are played as fit until that day, at most"
        " 20. A round robin has as many as it needs."
    )


def test_a_last_day_alone_decides_how_many_rounds_there_are(client: Client, alice: Player, time_machine: Any) -> None:
    time_machine.move_to(AT)
    client.force_login(alice)
    answer = client.post("/leagues/new/", FORM | {"rounds": "", "ends_on": "2030-05-17"}, follow=True)
    assert Season.objects.get().rounds == 20
    lead, about = text_of(answer, ".page-head"), text_of(answer, "[aria-labelledby=about]")
    assert "2 at a table, until 17 May 2030." in lead
    assert "There are at most 20 rounds." in about
    both = client.post("/leagues/new/", FORM | {"ends_on": "2030-05-17"}, follow=True)
    assert "2 at a table, 3 rounds, until 17 May 2030." in text_of(both, ".page-head")
    assert "There are at most" not in text_of(both)


def test_a_round_robin_needs_no_number_of_rounds(client: Client, alice: Player, bob: Player) -> None:
    client.force_login(alice)
    client.post("/leagues/new/", FORM | {"rounds": "", "format": "round-robin"})
    found = Season.objects.get()
    play.join_season(found, player=bob, at=AT)
    play.begin_season(found, by=alice, at=AT)
    found.refresh_from_db()
    assert found.rounds == 1


def test_nobody_has_more_than_five_seasons_that_are_not_over(client: Client, alice: Player) -> None:
    client.force_login(alice)
    answers = [client.post("/leagues/new/", FORM | {"name": f"League {n}"}).status_code for n in range(6)]
    assert answers == [303] * 5 + [422]


def test_nobody_opens_more_than_ten_seasons_in_a_day(client: Client, alice: Player, time_machine: Any) -> None:
    """Closing them again does not help."""
    client.force_login(alice)
    for number in range(10):
        play.open_season(alice, name=f"League {number}", size=2, rounds=1, key=str(number), at=AT)
    Season.objects.update(status="over", ended_at=AT)
    time_machine.move_to(AT + timedelta(hours=23))
    answer = client.post("/leagues/new/", FORM)
    assert (answer.status_code, Season.objects.count()) == (422, 10)
    assert "You have opened 10 seasons in a day. Open another tomorrow." in text_of(answer)
    time_machine.move_to(AT + timedelta(hours=25))
    assert client.post("/leagues/new/", FORM).status_code == 303


def test_its_form_and_that_of_a_table_say_the_same_of_a_pace(client: Client, alice: Player) -> None:
    client.force_login(alice)
    paces = {}
    for url in ("/tables/new/", "/leagues/new/"):
        [*inputs] = soup(client.get(url)).select("input[name=pace]")
        labels = (soup(client.get(url)).select(f'label[for="{one["id"]}"]')[0].get_text(" ") for one in inputs)
        paces[url] = [" ".join(label.split()) for label in labels]
    assert paces["/leagues/new/"] == paces["/tables/new/"][:-1]
    assert "steady 3 days a move, 7 days in reserve" in paces["/leagues/new/"]


def test_a_box_opens_a_season_without_playing_it(client: Client, alice: Player, bob: Player) -> None:
    client.force_login(alice)
    form = soup(client.get("/leagues/new/")).select_one("input[name=only_opens]")
    assert form is not None
    assert not form.has_attr("checked")
    page = client.post("/leagues/new/", FORM | {"only_opens": "on", "is_public": "no"}, follow=True)
    assert "Nobody has joined yet." in text_of(page)
    found = Season.objects.get()
    assert buttons(client, found) == ["Begin the season", "Join", "Close without playing", "Invite"]
    assert soup(page).select_one("#link") is not None
    mine = soup(client.get("/leagues/")).select('[aria-labelledby="mine"] tbody th')
    assert [link.get_text() for link in mine] == ["Spring league"]
    client.post(url_of(found, "join/"))
    assert buttons(client, found) == ["Begin the season", "Close without playing", "Leave the season", "Invite"]
    client.force_login(bob)
    assert buttons(client, found) == ["Join"]
