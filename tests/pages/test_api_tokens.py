"""The page of a player's tokens of the API."""

from __future__ import annotations

import pytest
from django.test import Client

from games import play
from games.models import ApiToken, Player
from tests.account.signing_in import sign_in, submit
from tests.api.helpers import call, read
from tests.cast import AT, PASSWORD
from tests.pages.helpers import links, soup, text_of

pytestmark = pytest.mark.django_db
PAGE = "/preferences/tokens/"
AGAIN = "/accounts/reauthenticate/"


@pytest.fixture
def her(client: Client, alice: Player) -> Client:
    """alice's browser; she has just given her password once more."""
    sign_in(client, alice.username)
    client.post(AGAIN, {"password": PASSWORD})
    return client


def test_it_asks_first_who_it_is_and_loses_no_name(client: Client, alice: Player) -> None:
    sign_in(client, alice.username)
    assert client.get(PAGE).status_code == 200
    asked = client.post(PAGE, {"name": "kitchen radio"})
    assert asked["Location"] == f"{AGAIN}?next=%2Fpreferences%2Ftokens%2F"
    page = client.get(asked["Location"])
    wrong = submit(client, page, password="wrong")
    assert "That is not your password." in text_of(wrong)
    assert not ApiToken.objects.exists()
    made = submit(client, wrong, password=PASSWORD)
    assert made.status_code == 201
    assert made["Cache-Control"] == "private, no-store"
    assert soup(made).select("#token")
    assert "kitchen radio" in text_of(made)
    assert soup(made).select('.subnav [href="/preferences/feeds/"][aria-current]')
    # The form for one more leads to this page, whatever address the answer has.
    assert submit(client, made, form=1, name="one more").status_code == 201
    reloaded = submit(client, page, password=PASSWORD)
    assert reloaded["Location"] == PAGE
    assert alice.api_tokens.count() == 2


def test_it_shows_a_token_this_once(her: Client) -> None:
    response = her.post(PAGE, {"name": "kitchen radio"})
    assert response.status_code == 201
    assert response["Cache-Control"] == "private, no-store"
    assert "Here it is" in text_of(response, "[autofocus]"), "it stands there this once"
    token = str(soup(response).select_one("#token")["value"])  # type: ignore[index]
    assert read("running?mine=true", token=token)["games"] == []
    page = her.get(PAGE)
    assert "kitchen radio" in text_of(page)
    assert token not in page.content.decode()


def test_a_form_that_is_sent_again_makes_no_second_one(her: Client, alice: Player, bob: Player) -> None:
    """Whoever reloads the page of a new token is asked by the browser whether to send the form again."""
    play.make_api_token(bob, name="kitchen radio", at=AT)
    assert her.post(PAGE, {"name": "kitchen radio"}).status_code == 201
    [made] = alice.api_tokens.all()
    again = her.post(PAGE, {"name": " kitchen  radio"})
    assert again.status_code == 422
    assert "You have a token of that name" in text_of(again, ".form-errors[autofocus]")
    assert not soup(again).select("#token")
    assert list(alice.api_tokens.all()) == [made]
    assert her.post(f"{PAGE}{made.pk}/").status_code == 303
    assert her.post(PAGE, {"name": "kitchen radio"}).status_code == 201


def test_it_revokes_one(client: Client, alice: Player) -> None:
    token = play.make_api_token(alice, name="kitchen radio", at=AT)
    client.force_login(alice)
    [form] = soup(client.get(PAGE)).select(".hook form")
    assert client.get(str(form["action"])).status_code == 302
    assert ApiToken.objects.exists()
    assert client.post(str(form["action"])).status_code == 303
    assert "kitchen radio" not in text_of(client.get(PAGE))
    assert call("games", token=token).status_code == 401


def test_the_token_of_another_is_none(client: Client, alice: Player, bob: Player) -> None:
    play.make_api_token(alice, name="kitchen radio", at=AT)
    client.force_login(bob)
    assert client.post(f"{PAGE}{ApiToken.objects.get().pk}/").status_code == 404
    assert ApiToken.objects.exists()


def test_it_makes_no_sixth_one(her: Client, alice: Player) -> None:
    for number in range(5):
        play.make_api_token(alice, name=str(number), at=AT)
    assert soup(her.get(PAGE)).select("input[name=name]") == []
    response = her.post(PAGE, {"name": "one more"})
    assert response.status_code == 422
    assert "Revoke one first." in text_of(response)
    assert ApiToken.objects.count() == 5


def test_it_asks_what_a_token_is_for(client: Client, alice: Player) -> None:
    client.force_login(alice)
    empty = client.post(PAGE, {"name": " "})
    assert empty.status_code == 422
    assert text_of(empty, ".form-errors li") == "What is it for? Fill this in."
    assert client.post(PAGE, {"name": "x" * 41}).status_code == 422
    assert not ApiToken.objects.exists()


def test_preferences_and_webhooks_lead_there(client: Client, alice: Player) -> None:
    client.force_login(alice)
    section = 'section[aria-labelledby="feeds"]'
    ways = ["/preferences/feeds/", "/preferences/webhooks/", "/api/v1/", PAGE]
    assert links(client.get("/preferences/"), section) == ways
    assert PAGE in links(client.get("/preferences/webhooks/"))
