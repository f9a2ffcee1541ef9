"""The browsers in which a player is signed in: listed, signed out one by one and all at once."""

from __future__ import annotations

from typing import Any

import pytest
import time_machine
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from games import play
from games.models import Player
from games.tasks import forget_sessions
from tests.account.signing_in import sign_in, soup, submit, who, words
from tests.cast import AT, PASSWORD

pytestmark = pytest.mark.django_db
PAGE = "/accounts/sessions/"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


def browser(host: str = "192.0.2.1", agent: str = FIREFOX) -> Client:
    client = Client(REMOTE_ADDR=host, headers={"User-Agent": agent})
    assert sign_in(client, "alice").status_code == 302
    return client


def is_in(client: Client) -> bool:
    return bool(client.get(reverse("preferences")).status_code == 200)


def test_it_lists_where_one_is_signed_in(alice: Player, bob: Player) -> None:
    here, there = browser(), browser("198.51.100.7", "curl/8.0")
    sign_in(Client(), "bob")
    page = soup(here.get(PAGE))
    assert [link.get_text() for link in page.select(".subnav [aria-current]")] == ["Passkeys"]
    lines = page.select(".hook")
    assert len(lines) == 2
    told = [line.get_text(" ", strip=True) for line in lines]
    assert "This browser" in told[0]
    assert "Firefox" in told[0]
    assert "198.51.100.7" in told[1]
    assert is_in(there)


def test_it_signs_one_out(alice: Player) -> None:
    here, there, elsewhere = browser(), browser(), browser()
    page = here.get(PAGE)
    answer = submit(here, page, form=0)
    assert (answer.status_code, answer.headers["Location"]) == (303, PAGE)
    assert [is_in(client) for client in (here, there, elsewhere)].count(True) == 2
    assert is_in(here)


def test_it_signs_all_others_out_also_those_it_does_not_know(alice: Player) -> None:
    here, there, old = browser(), browser(), Client()
    old.force_login(Player.objects.get(pk=alice.pk))
    assert is_in(old)
    answer = here.post(PAGE, {"others": "1"}, follow=True)
    assert [is_in(client) for client in (here, there, old)] == [True, False, False]
    assert len(soup(answer).select(".hook")) == 1


def test_nobody_signs_others_out(alice: Player, mallory: Player) -> None:
    here, thief = browser(), Client()
    sign_in(thief, "mallory")
    kept = UserSession.objects.get(user=alice)
    assert thief.post(PAGE, {"session": str(kept.pk)}).status_code == 404
    assert thief.post(PAGE, {"session": "x"}).status_code == 404
    assert thief.post(PAGE, {"session": "9" * 5000}).status_code == 404
    assert is_in(here)


def test_a_look_changes_nothing(alice: Player) -> None:
    here, there = browser(), browser()
    Session.objects.filter(session_key=there.session.session_key).delete()
    before = list(UserSession.objects.values_list())
    assert len(soup(here.get(PAGE)).select(".hook")) == 1
    assert list(UserSession.objects.values_list()) == before
    forget_sessions()
    assert UserSession.objects.count() == 1


def test_it_keeps_those_signed_in_who_were_before(client: Client, alice: Player) -> None:
    """A session of before this list has no line of its own, but the page knows the browser that asks."""
    client.force_login(alice)
    assert "This browser" in words(client.get(PAGE))


def test_it_is_offered_when_a_lock_or_the_password_changes(alice: Player, mailoutbox: Any) -> None:
    here, there = browser(), browser()
    here.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    form = {"oldpassword": PASSWORD} | dict.fromkeys(("password1", "password2"), "the-lake-thaws-slowly")
    answer = here.post(reverse("account_change_password"), form, follow=True)
    assert PAGE in [link["href"] for link in soup(answer).select("main a[href]")]
    assert (is_in(here), is_in(there)) == (True, False)
    assert PAGE in [link["href"] for link in soup(here.get(reverse("mfa_index"))).select("main a[href]")]


@pytest.mark.django_db(transaction=True)
@time_machine.travel(AT, tick=False)
def test_it_is_offered_once_with_a_second_factor(alice: Player, mailoutbox: Any) -> None:
    here = browser()
    here.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    here.get(reverse("mfa_activate_totp"))
    counter = next(yield_hotp_counters_from_time())
    code = format_hotp_value(hotp_value(here.session["mfa.totp.secret"], counter))
    answer = here.post(reverse("mfa_activate_totp"), {"code": code}, follow=True)
    assert [link["href"] for link in soup(answer).select(".flashes a[href]")] == [PAGE]


def test_who_closes_the_account_leaves_no_address_of_the_net(alice: Player) -> None:
    browser()
    play.close_account(alice, at=AT)
    assert not UserSession.objects.exists()


def test_a_visitor_has_none(client: Client) -> None:
    assert client.get(PAGE).status_code == 302
    assert who(client) is None


def test_who_shows_the_password_again_has_a_new_key(alice: Player) -> None:
    here, there = browser(), browser()
    stolen = here.session.session_key
    assert here.post(reverse("account_reauthenticate"), {"password": PASSWORD}).status_code == 302
    assert here.session.session_key != stolen
    assert not Session.objects.filter(pk=stolen).exists()
    assert is_in(here)
    assert is_in(there)
    assert len(soup(here.get(PAGE)).select(".hook")) == 2
