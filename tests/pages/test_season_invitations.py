"""Inviting to a season from its page, what those who are invited find, and where the link of the mail leads."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail as outbox
from django.test import Client
from django.utils import timezone

from games import mail, play
from games.models import Invitation, Player, Season
from tests.cast import AT, make_game, make_player, make_table
from tests.pages.helpers import signed_in, soup, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(alice: Player) -> Season:
    return play.open_season(alice, name="Spring league", size=2, rounds=2, key="1", at=timezone.now())


def url_of(season: Season, verb: str = "") -> str:
    return f"/leagues/{season.slug}/{verb}"


def invite(season: Season, to: str) -> Any:
    return signed_in(season.opener).post(url_of(season, "invite/"), {"to": to})


def link_to(address: str, season: Season) -> str:
    """Invite that address by the page of the season, let the mail go, and take its link."""
    assert invite(season, address).status_code == 303
    mail.sweep_invitations(at=timezone.now())
    found = re.search(r"/invitations/[\w-]{43}/", str(outbox.outbox[-1].body))
    assert found
    return found[0]


def invited(client: Client, season: Season) -> list[str]:
    return [row.get_text(" ", strip=True) for row in soup(client.get(url_of(season))).select(".invited tr")]


def buttons(client: Client, season: Season) -> list[str]:
    return [button.get_text() for button in soup(client.get(url_of(season))).select("#main button:not([hidden])")]


def test_the_opener_invites_several_at_once_and_sees_who_has_not_come(
    season: Season, alice: Player, bob: Player, carol: Player
) -> None:
    client = signed_in(alice)
    page = client.post(url_of(season, "invite/"), {"to": "bob, carol; Dora <dora@example.com>"}, follow=True)
    assert "3 invitations are on their way." in text_of(page, "body")
    play.join_season(season, player=bob, at=timezone.now())
    play.decline_invitations(season, player=carol, at=timezone.now())
    assert invited(client, season) == [
        "carol has declined",
        "dora@example.com no answer yet Take back (dora@example.com)",
    ]
    [taken_back] = soup(client.get(url_of(season))).select(".invited button")
    client.post(url_of(season, "invite/withdraw/"), {"invitation": taken_back["value"]})
    assert invited(client, season) == ["carol has declined"]


def test_a_club_of_fifty_is_invited_as_mail_programs_write_it(season: Season) -> None:
    people = [f'"Member {number} of the Club" <first.member{number}@example.com>' for number in range(50)]
    assert invite(season, ", ".join(people)).status_code == 303
    assert season.invitations.count() == 50


def test_only_the_opener_sees_the_form_and_who_is_invited(season: Season, alice: Player, bob: Player) -> None:
    invite(season, "dora@example.com")
    play.join_season(season, player=bob, at=timezone.now())
    for viewer in (bob, make_player("mallory"), None):
        page = signed_in(viewer).get(url_of(season))
        assert soup(page).select("#id_to, .invited") == []
        assert "dora" not in text_of(page)
        answer = signed_in(viewer).post(url_of(season, "invite/"), {"to": "erin@example.com"})
        assert answer.status_code == (403 if viewer else 302)
    assert [row.address for row in Invitation.objects.all()] == ["dora@example.com"]


@pytest.mark.parametrize(
    ("to", "status", "says"),
    [
        ("", 422, "Fill this in."),
        ("bob, nobody", 422, "nobody: There is no player of that name."),
        ("bob dora@", 422, "dora@: That is not an e-mail address."),
        ("alice", 422, "alice: You cannot invite yourself."),
        ("carol", 422, "carol: That player plays this season already."),
        ("d" * 6000, 422, "At most 5000 letters fit here, and these are 6000."),
        (" ".join(f"guest{number}@example.com" for number in range(61)), 429, "At most 60 invitations of yours go out"),
    ],
)
def test_it_says_at_the_form_why_nobody_is_invited(
    season: Season, alice: Player, bob: Player, carol: Player, to: str, status: int, says: str
) -> None:
    play.join_season(season, player=carol, at=timezone.now())
    page = invite(season, to)
    assert page.status_code == status
    field = soup(page).select_one("#id_to")
    assert field is not None
    assert field.has_attr("autofocus")
    assert field.get("value", "") == to
    assert says in text_of(page)
    # Those before the one who was refused might seem to be invited.
    assert ("Nobody is invited yet." in text_of(page)) is (" " in to)
    assert not Invitation.objects.exists()


def test_a_season_that_has_begun_says_so(season: Season, alice: Player, bob: Player) -> None:
    play.join_season(season, player=bob, at=timezone.now())
    play.begin_season(season, by=alice, at=timezone.now())
    page = invite(season, "dora@example.com")
    assert page.status_code == 409
    assert soup(page).select_one("#id_to") is None
    assert not Invitation.objects.exists()


def test_people_of_the_openers_list_are_invited_by_a_button(season: Season, alice: Player, bob: Player) -> None:
    make_game(alice, bob)
    play.add_favorite(alice, bob.pk, at=AT)
    client = signed_in(alice)
    [button] = soup(client.get(url_of(season))).select("form[action$='/invite/'] button[name=to]")
    assert client.post(url_of(season, "invite/"), {"to": ["", button["value"]]}).status_code == 303
    assert Invitation.objects.get().player == bob
    assert soup(client.get(url_of(season))).select("form[action$='/invite/'] button[name=to]") == []


@pytest.mark.parametrize("to", ["bob", "bob@example.com"])
def test_who_is_invited_finds_it_and_declines(season: Season, bob: Player, to: str) -> None:
    client, said = signed_in(bob), "alice invites you to this season."
    assert "You are invited" not in text_of(client.get("/leagues/"))
    invite(season, to)
    listed = soup(client.get("/leagues/")).select('[aria-labelledby="inviting"] a.who')
    assert [link["href"] for link in listed] == [url_of(season)]
    page = client.get(url_of(season))
    assert said in text_of(page)
    # One piece beside the mark: as pieces of their own, the name and the words would stand below each other.
    assert [said in part.get_text() for part in soup(page).select(".notice > p")] == [True]
    assert buttons(client, season) == ["Join", "Decline"]
    page = client.post(url_of(season, "decline/"), follow=True)
    assert "You have declined." in text_of(page, "body")
    assert said not in text_of(page)
    assert "You are invited" not in text_of(client.get("/leagues/"))
    assert buttons(client, season) == ["Join"]
    assert Invitation.objects.get().answer == "declined"


@pytest.mark.parametrize("to", ["bob", "bob@example.com"])
def test_the_first_page_shows_it_beside_invitations_to_tables(
    season: Season, alice: Player, bob: Player, to: str, django_assert_num_queries: Any
) -> None:
    client = signed_in(bob)
    assert soup(client.get("/")).select('[aria-labelledby="inviting"]') == []
    invite(season, to)
    assert "No table waits for your move, and you are invited to a season." in text_of(client.get("/"))
    play.invite(make_table(alice, name="Dawn"), by=alice, to="bob", at=timezone.now())
    with django_assert_num_queries(8):
        page = soup(client.get("/"))
    rows = [row.get_text(" ", strip=True) for row in page.select('[aria-labelledby="inviting"] .table-row')]
    assert rows[0].startswith("Dawn alice")
    assert rows[1] == "Spring league A season of alice steady, 3 days a move Swiss, 2 at a table"
    buttons = [button.get_text() for button in page.select('[aria-labelledby="inviting"] button')]
    assert buttons == ["Sit down (Dawn)", "Decline (Dawn)", "Join (Spring league)", "Decline (Spring league)"]
    [decline] = page.select('form[action$="/decline/"][action^="/leagues/"]')
    client.post(str(decline["action"]))
    assert "Spring league" not in text_of(client.get("/"))
    assert season.invitations.get().answer == "declined"


@pytest.mark.parametrize("path", ["/", "/leagues/"])
@pytest.mark.parametrize("why", ["old", "begun", "blocked", "joined"])
def test_it_is_listed_no_more_where_nobody_can_or_will_join(
    season: Season, alice: Player, bob: Player, carol: Player, path: str, why: str
) -> None:
    def lists_it() -> bool:
        return bool(soup(signed_in(bob).get(path)).select('[aria-labelledby="inviting"]'))

    invite(season, "bob")
    assert lists_it()
    if why == "old":
        season.invitations.update(expires_at=timezone.now())
    elif why == "begun":
        play.join_season(season, player=carol, at=timezone.now())
        play.begin_season(season, by=alice, at=timezone.now())
    elif why == "blocked":
        play.mute_player(bob, alice, blocks=True, at=timezone.now())
    else:
        play.join_season(season, player=bob, at=timezone.now())
        invite(season, "bob@example.com")
        season.invitations.filter(player=bob).update(answer="withdrawn")
    assert not lists_it()


def test_a_page_costs_the_same_queries_however_many_are_invited(
    season: Season, alice: Player, django_assert_max_num_queries: Any
) -> None:
    invite(season, "dora@example.com")
    for number in range(15):
        invite(season, make_player(f"guest{number}").username)
    client = signed_in(alice)
    with django_assert_max_num_queries(6):
        client.get(url_of(season))


# --- The link of the mail -----------------------------------------------------------------------------


def test_a_newcomer_joins_by_the_link_alone(season: Season) -> None:
    link, client = link_to("dora@example.com", season), Client()
    page = client.get(link)
    assert "alice invites you to a season of several games of Clans." in text_of(page)
    assert "Swiss, 2 at a table, 2 rounds." in text_of(page)
    assert page["Cache-Control"] == "private, no-store"
    assert not Player.objects.filter(email="dora@example.com").exists()
    answer = client.post(link, {"answer": "sit", "name": "dora", "time_zone": "Europe/Vienna"})
    assert (answer.status_code, answer["Location"]) == (303, url_of(season))
    here = client.get(answer["Location"])
    assert here.context["user"].username == "dora"
    assert "You play this season, dora." in text_of(here, "body")
    assert season.entrants.filter(player__username="dora").exists()
    assert Invitation.objects.get().answer == "accepted"
    later = Client().get(link)
    assert "This invitation has been accepted" in text_of(later)


@pytest.mark.parametrize("to", ["bob", "bob@example.com"])
def test_a_player_signs_in_and_joins(season: Season, bob: Player, carol: Player, to: str) -> None:
    link = link_to(to, season)
    visitor = Client().get(link)
    assert "Sign in and join" in text_of(visitor)
    assert Client().post(link, {"answer": "sit"}).status_code == 302
    assert signed_in(carol).get(link).status_code == 403
    assert not season.entrants.filter(player=bob).exists()
    client = signed_in(bob)
    assert client.post(link, {"answer": "sit"}).status_code == 303
    assert season.entrants.filter(player=bob).exists()
    again = client.get(link)
    assert (again.status_code, again["Location"]) == (303, url_of(season))


def test_whoever_has_the_link_declines(season: Season) -> None:
    link = link_to("dora@example.com", season)
    assert "calls you to your first table" in text_of(Client().get(link))
    page = Client().post(link, {"answer": "decline"}, follow=True)
    assert "This invitation is declined." in text_of(page)
    assert "calls you to your first table" not in text_of(page)
    assert Client().post(link, {"answer": "sit", "name": "dora"}).status_code == 409
    assert not Player.objects.filter(username="dora").exists()


def test_the_link_says_that_a_season_has_begun(season: Season, alice: Player, bob: Player) -> None:
    link = link_to("dora@example.com", season)
    play.join_season(season, player=bob, at=timezone.now())
    play.begin_season(season, by=alice, at=timezone.now())
    page = Client().get(link)
    assert "This season is no longer open." in text_of(page)
    assert "calls you to your first table" not in text_of(page)
    assert soup(page).select("button[name=answer]") == []
    refused = Client().post(link, {"answer": "sit", "name": "dora"})
    assert refused.status_code == 409
    assert not Player.objects.filter(username="dora").exists()
