"""A season that is joined before there is an account: signing up or in ends in it."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from games import play
from games.models import Player, Season
from tests.account.signing_in import soup, submit, words
from tests.account.test_seat import BOB, sign_up
from tests.cast import AT, PASSWORD

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(alice: Player) -> Season:
    return play.open_season(alice, name="Spring league", size=2, rounds=2, key="1", at=AT)


def ask_to_join(client: Client, season: Season) -> Any:
    """The page that answers *Join*, pressed by a visitor."""
    return client.get(submit(client, client.get(season.get_absolute_url())).headers["Location"])


def sign_in(client: Client, page: Any) -> Any:
    """The answer to carol, who signs in by the link of `page`."""
    there = client.get(str(soup(page).select("main a[href*=login]")[0]["href"]))
    return submit(client, there, login="carol", password=PASSWORD)


def names(season: Season) -> list[str]:
    return list(season.entrants.order_by("pk").values_list("player__username", flat=True))


def test_a_sign_up_that_begins_by_joining_ends_in_the_season(
    client: Client, season: Season, mailoutbox: list[EmailMessage]
) -> None:
    page = ask_to_join(client, season)
    assert "Once you are in, you have joined." in words(page)
    assert names(season) == ["alice"]
    page = submit(client, page, **BOB | {"password1": "password"})
    assert "Once you are in, you have joined." in words(page)
    there = sign_up(client, page, mailoutbox)
    assert there.request["PATH_INFO"] == season.get_absolute_url()
    assert "You play this season." in words(there)
    assert names(season) == ["alice", "bob"]


def test_who_has_an_account_signs_in_and_has_joined(client: Client, season: Season, carol: Player) -> None:
    answer = sign_in(client, ask_to_join(client, season))
    assert answer.headers["Location"] == season.get_absolute_url()
    assert names(season) == ["alice", "carol"]


def test_a_link_that_leads_there_lets_nobody_join(client: Client, season: Season, carol: Player) -> None:
    for url in (season.get_absolute_url(), reverse("join_season", args=(season.slug,))):
        there = client.get(reverse("account_login"), {"next": url})
        submit(client, there, login="carol", password=PASSWORD)
        client.get(url, follow=True)
        client.post(reverse("account_logout"))
    assert names(season) == ["alice"]


def test_who_goes_elsewhere_has_not_joined_and_is_not_asked_again(
    client: Client, season: Season, carol: Player
) -> None:
    ask_to_join(client, season)
    submit(client, client.get(reverse("account_login")), login="carol", password=PASSWORD)
    client.post(reverse("account_logout"))
    there = client.get(reverse("account_login"), {"next": season.get_absolute_url()})
    submit(client, there, login="carol", password=PASSWORD)
    assert names(season) == ["alice"]


@pytest.mark.parametrize(
    ("happens", "said"),
    [("closed", "This season has begun or is closed"), ("blocked", "You cannot join this season.")],
)
def test_it_says_why_they_have_not_joined(
    client: Client, season: Season, alice: Player, carol: Player, happens: str, said: str
) -> None:
    page = ask_to_join(client, season)
    if happens == "closed":
        play.close_season(season, by=alice, at=AT)
    else:
        play.mute_player(alice, carol, blocks=True, at=AT)
    there = client.get(sign_in(client, page).headers["Location"])
    assert said in words(there)
    assert "carol" not in names(season)


def test_nobody_is_asked_to_sign_up_for_a_season_that_is_over(client: Client, season: Season, alice: Player) -> None:
    page = client.get(season.get_absolute_url())
    play.close_season(season, by=alice, at=AT)
    answer = submit(client, page)
    assert answer.headers["Location"] == f"/accounts/login/?next={season.get_absolute_url()}"
    assert "wish" not in client.cookies
