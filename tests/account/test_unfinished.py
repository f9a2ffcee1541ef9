"""Sign-ups that were not finished: they can be begun again, and keep nothing from anybody."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from games.models import Player
from tests.account.signing_in import code_in, enter_code, sign_in, sign_up, who, words
from tests.cast import AT, PASSWORD, make_table

pytestmark = pytest.mark.django_db


def test_it_starts_over_with_the_right_address_and_the_same_name(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    sign_up(client, email="bbo@example.com")

    response = client.post(reverse("start_over"), {"sign_up": "1"})
    assert response.headers["Location"] == reverse("account_signup")
    sign_up(client)
    enter_code(client, code_in(mailoutbox[-1]))

    assert Player.objects.get().email == "bob@example.com"
    assert who(client) is not None


def test_it_starts_over_without_harm_to_who_was_in_before(client: Client, alice: Player) -> None:
    EmailAddress.objects.update(verified=False)
    alice.last_login = AT
    alice.save()
    sign_in(client, "alice")

    client.post(reverse("start_over"))

    assert Player.objects.filter(username="alice").exists()
    assert client.get(reverse("account_email_verification_sent")).headers["Location"] == reverse("account_login")


def test_it_lets_the_holder_of_an_address_sign_up_after_somebody_who_never_confirmed_it(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    mallory = Client()
    sign_up(mallory, username="mallory", password1="the-lake-is-warm")
    sign_up(client, email="Bob@example.com")
    first, second = map(code_in, mailoutbox)

    response = enter_code(mallory, first)
    assert "not the code of our last mail" in words(response)
    enter_code(mallory, second)
    assert who(mallory) is None
    enter_code(client, second)
    assert who(client) == str(Player.objects.get().pk)
    assert Player.objects.get().username == "bob"
    assert Player.objects.get().check_password(PASSWORD)


def test_it_lets_one_sign_up_again_with_the_same_name(client: Client, mailoutbox: list[EmailMessage]) -> None:
    sign_up(Client())
    sign_up(client)
    enter_code(client, code_in(mailoutbox[-1]))
    assert who(client) is not None


@pytest.mark.parametrize(("minutes", "is_free"), [(59, False), (61, True)])
def test_it_keeps_a_name_for_an_hour_from_another_address(client: Client, minutes: int, is_free: bool) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        sign_up(Client(), email="carol@example.com")
        clock.shift(timedelta(minutes=minutes))
        sign_up(client, username="BOB")

    assert Player.objects.filter(email="bob@example.com").exists() is is_free
    assert Player.objects.count() == 1


@pytest.mark.parametrize("address", ["alice@example.com", "nobody@example.com"])
@pytest.mark.parametrize(("minutes", "is_over", "is_free"), [(0, False, False), (61, False, True), (0, True, True)])
def test_a_name_tells_nobody_whether_an_address_has_an_account(
    client: Client, alice: Player, address: str, minutes: int, is_over: bool, is_free: bool
) -> None:
    """Whoever has signed up for an address can sign up by that name once more, for it and for another one."""
    with time_machine.travel(AT, tick=False) as clock:
        answers = [sign_up(Client(), email=address, username="zoe")]
        clock.shift(timedelta(minutes=11))
        answers.append(sign_up(client, email=address, username="zoe"))
        assert [answer.status_code for answer in answers] == [302, 302]
        if is_over:
            client.post(reverse("start_over"), {"sign_up": "1"})
        clock.shift(timedelta(minutes=minutes))
        sign_up(Client(), email="mallory@example.com", username="zoe")
    assert Player.objects.filter(username="zoe", email="mallory@example.com").exists() is is_free


@pytest.mark.parametrize("address", ["alice@example.com", "nobody@example.com"])
def test_signing_in_tells_nobody_whether_an_address_has_an_account(alice: Player, address: str) -> None:
    """Whoever has signed up for an address knows name and password of that sign-up."""
    password = "the-lake-is-warm"
    sign_up(Client(), email=address, username="zoe", password1=password)
    for login in ("zoe", address):
        assert "do not go together" in words(sign_in(Client(), login, password))


def test_nobody_comes_by_a_code_into_an_account_that_a_stranger_has_begun(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    """The stranger knows the password."""
    sign_up(Client(), username="mallory", password1="the-lake-is-warm")
    client.post(reverse("account_request_login_code"), {"email": "bob@example.com"})
    assert "There is no account with this address" in str(mailoutbox[-1].body)
    sign_up(client)
    enter_code(client, code_in(mailoutbox[-1]))
    assert who(client) is not None
    mallory = Client()
    sign_in(mallory, "mallory", "the-lake-is-warm")
    assert who(mallory) is None


@pytest.mark.parametrize("changes", [{"last_login": AT}, {"is_superuser": True}, {"is_staff": True}])
def test_it_makes_no_way_of_an_account_that_is_in_use(
    client: Client, alice: Player, mailoutbox: list[EmailMessage], changes: dict[str, Any]
) -> None:
    EmailAddress.objects.update(verified=False)
    Player.objects.update(date_joined=AT - timedelta(days=2), **changes)

    sign_up(client, email=alice.email)
    assert "account with this address already" in str(mailoutbox[0].body)
    assert "has that name already" in words(sign_up(Client(), username="alice"))
    assert Player.objects.filter(pk=alice.pk).exists()


def test_it_makes_no_way_of_who_sits_at_a_table(client: Client, alice: Player) -> None:
    EmailAddress.objects.update(verified=False)
    make_table(alice)
    sign_up(client, email=alice.email)
    assert Player.objects.filter(pk=alice.pk).exists()
