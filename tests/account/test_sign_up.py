from __future__ import annotations

import re
import socket
from collections.abc import Sequence
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.test import Client
from django.urls import reverse

from games.models import Player
from tests.account.signing_in import code_in, enter_code, sign_up, soup, submit, who, words
from tests.cast import AT, PASSWORD, make_player, make_table

pytestmark = pytest.mark.django_db


def test_it_signs_up_with_the_code_from_the_mail(client: Client, mailoutbox: list[EmailMessage]) -> None:
    response = sign_up(client)

    assert response.headers["Location"] == reverse("account_email_verification_sent")
    assert "bob@example.com" in words(client.get(response.headers["Location"]))
    [mail] = mailoutbox
    assert mail.to == ["bob@example.com"]
    assert code_in(mail) in mail.subject

    response = enter_code(client, code_in(mail))

    assert response.headers["Location"] == "/"
    assert who(client) == str(Player.objects.get(username="bob").pk)
    assert EmailAddress.objects.get(email="bob@example.com").verified


def test_it_lets_nobody_in_without_the_code(client: Client) -> None:
    sign_up(client)

    assert who(client) is None
    assert not EmailAddress.objects.get(email="bob@example.com").verified


def test_it_reads_a_code_in_small_letters_without_its_dash(client: Client, mailoutbox: list[EmailMessage]) -> None:
    sign_up(client)

    enter_code(client, code_in(mailoutbox[0]).lower().replace("-", ""))

    assert who(client) is not None


@pytest.mark.parametrize(("wrong", "is_in"), [(2, True), (3, False)])
def test_it_ends_after_three_wrong_codes(
    client: Client, mailoutbox: list[EmailMessage], wrong: int, is_in: bool
) -> None:
    sign_up(client)

    for _ in range(wrong):
        enter_code(client, "wrong")
    enter_code(client, code_in(mailoutbox[0]))

    assert (who(client) is not None) is is_in


def test_it_counts_no_code_that_is_missing(client: Client, mailoutbox: list[EmailMessage]) -> None:
    sign_up(client)

    for _ in range(3):
        enter_code(client, "")
    enter_code(client, code_in(mailoutbox[0]))

    assert who(client) is not None


def test_it_says_that_a_code_is_wrong(client: Client) -> None:
    sign_up(client)

    response = enter_code(client, "wrong")

    assert soup(response).select("#id_code_error li")[0].get_text() == "That is not the code of our last mail."
    assert soup(response).select("#id_code[aria-invalid=true][aria-describedby~=id_code_error]")


@pytest.mark.parametrize(
    ("changes", "focused"),
    [
        ({}, []),
        ({"password1": "1"}, ["id_password1"]),
        ({"username": "b b", "password1": "1"}, ["id_username"]),
    ],
)
def test_it_puts_the_focus_where_something_is_to_correct(
    client: Client, changes: dict[str, str], focused: list[str]
) -> None:
    response = sign_up(client, **changes) if changes else client.get(reverse("account_signup"))

    assert [field["id"] for field in soup(response).select("[autofocus]")] == focused


@pytest.mark.parametrize(("minutes", "is_in"), [(9, True), (11, False)])
def test_it_takes_a_code_for_10_minutes(
    client: Client, mailoutbox: list[EmailMessage], minutes: int, is_in: bool
) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        sign_up(client)
        clock.shift(timedelta(minutes=minutes))
        enter_code(client, code_in(mailoutbox[0]))

        assert (who(client) is not None) is is_in


def test_it_mails_a_new_code(client: Client, mailoutbox: list[EmailMessage]) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        sign_up(client)
        clock.shift(timedelta(minutes=1))
        client.post(reverse("account_email_verification_sent"), {"action": "resend"})
        first, second = map(code_in, mailoutbox)

        enter_code(client, first)
        assert who(client) is None
        enter_code(client, second)
        assert who(client) is not None


def test_it_stays_on_the_page_when_codes_are_asked_for_too_soon(client: Client, mailoutbox: list[EmailMessage]) -> None:
    page = reverse("account_email_verification_sent")
    with time_machine.travel(AT, tick=False) as clock:
        sign_up(Client())
        clock.shift(timedelta(minutes=6))
        sign_up(client)
        for _ in range(2):
            response = client.post(page, {"action": "resend"})
            assert response.headers["Location"] == page
        assert len(mailoutbox) == 3
        assert "have just mailed a code" in str(soup(client.get(page)))

        clock.shift(timedelta(minutes=4, seconds=1))
        client.post(page, {"action": "resend"})
        assert len(mailoutbox) == 4
        enter_code(client, code_in(mailoutbox[-1]))
        assert who(client) is not None


def test_it_takes_the_last_code_that_was_mailed_when_the_next_one_was_refused(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    sign_up(Client())
    sign_up(client)
    for _ in range(2):
        client.post(reverse("account_email_verification_sent"), {"action": "resend"})
    assert len(mailoutbox) == 3
    enter_code(client, code_in(mailoutbox[-1]))
    assert who(client) is not None


@pytest.mark.parametrize("address", ["bob@example.com", "alice@example.com"])
def test_it_says_on_the_form_that_codes_were_asked_for_too_often(
    alice: Player, mailoutbox: list[EmailMessage], address: str
) -> None:
    answers = [sign_up(Client(), email=address) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [302, 302, 302, 200]
    assert "have just mailed a code" in soup(answers[3]).select("#id_email_error")[0].get_text()
    assert len(mailoutbox) == 3


def test_it_says_how_to_go_on_after_three_wrong_codes(client: Client, mailoutbox: list[EmailMessage]) -> None:
    sign_up(client)
    for _ in range(3):
        response = enter_code(client, "wrong")
    page = client.get(response.headers["Location"])
    assert "Sign up again, and we mail you a new one" in str(soup(page))
    assert "wait" not in str(soup(page).select("[role=status], .flashes"))
    sign_up(client)
    enter_code(client, code_in(mailoutbox[-1]))
    assert who(client) is not None


def test_it_brings_an_invited_person_back_to_the_table(client: Client, mailoutbox: list[EmailMessage]) -> None:
    table = reverse("table", args=[make_table(make_player("alice"), is_public=False).slug])
    link = str(soup(client.get(table)).select("header a[href*=signup]")[0]["href"])

    response = submit(client, client.get(link), email="bob@example.com", username="bob", password1=PASSWORD)
    response = submit(client, client.get(response.headers["Location"]), code=code_in(mailoutbox[-1]))

    assert response.headers["Location"] == table
    assert who(client) is not None


def test_it_brings_an_invited_person_back_who_finds_the_way_by_sign_in(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    table = reverse("table", args=[make_table(make_player("alice")).slug])
    link = str(soup(client.get(table)).select("header a[href*=login]")[0]["href"])
    [other] = soup(client.get(link)).select("main a[href*=signup]:not([href*=passkey])")

    submit(client, client.get(str(other["href"])), email="bob@example.com", username="bob", password1=PASSWORD)
    response = enter_code(client, code_in(mailoutbox[-1]))

    assert response.headers["Location"] == table


def test_it_brings_nobody_to_another_site(client: Client, mailoutbox: list[EmailMessage]) -> None:
    sign_up(client, next="https://example.org/")

    assert enter_code(client, code_in(mailoutbox[0])).headers["Location"] == "/"


def test_it_keeps_addresses_in_lower_case(client: Client, mailoutbox: list[EmailMessage]) -> None:
    sign_up(client, email="Bob@Example.COM")
    enter_code(client, code_in(mailoutbox[0]))

    assert Player.objects.get().email == "bob@example.com"
    assert EmailAddress.objects.get().email == "bob@example.com"


@pytest.mark.parametrize("address", ["alice@example.com", "ALICE@Example.com"])
def test_it_makes_no_second_player_of_one_address(
    client: Client, alice: Player, mailoutbox: list[EmailMessage], address: str
) -> None:
    sign_up(client, email=address)

    assert list(Player.objects.filter(email__endswith="@example.com")) == [alice]
    assert list(Player.objects.exclude(pk=alice.pk)) == list(Player.objects.never_confirmed())
    [mail] = mailoutbox
    assert mail.to == ["alice@example.com"]
    assert "account with this address already" in str(mail.body)


def test_it_does_not_tell_who_plays_here(client: Client, alice: Player) -> None:
    """A stranger sees the same answers for an address that has an account and one that has none."""

    def answers(address: str) -> list[object]:
        stranger = Client()
        first = sign_up(stranger, email=address, username="mallory")
        second = stranger.get(first.headers["Location"])
        third = enter_code(stranger, "wrong")
        texts = [re.sub(r'nonce="[^"]+"|value="\w{64}"', "", page.content.decode()) for page in (second, third)]
        Player.objects.filter(username="mallory").delete()
        return [first.status_code, first.headers["Location"], *(text.replace(address, "ADDRESS") for text in texts)]

    assert answers("alice@example.com") == answers("aline@example.com")


@pytest.mark.parametrize(("password", "is_good"), [("seven-7", False), ("eight-88", True), ("password1", False)])
def test_it_keeps_the_promise_about_passwords(client: Client, password: str, is_good: bool) -> None:
    sign_up(client, password1=password)

    assert Player.objects.exists() is is_good


@pytest.mark.parametrize(
    ("sent", "stored"), [("Asia/Tokyo", "Asia/Tokyo"), ("", "UTC"), ("Nowhere/Here", "UTC"), ("x" * 300, "UTC")]
)
def test_it_takes_the_clock_of_the_browser(client: Client, sent: str, stored: str) -> None:
    sign_up(client, time_zone=sent)

    assert Player.objects.get(username="bob").time_zone == stored


@pytest.mark.usefixtures("two_languages")
@pytest.mark.parametrize("language", ["en", "de"])
def test_it_takes_the_language_of_the_browser(client: Client, language: str) -> None:
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    sign_up(client)

    assert Player.objects.get(username="bob").language == language


@pytest.fixture
def unanswered() -> int:
    """A port at which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def test_it_goes_on_when_the_mail_server_does_not_answer(
    client: Client, settings: Any, unanswered: int, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", unanswered

    with time_machine.travel(AT, tick=False) as clock:
        page = client.get(sign_up(client).headers["Location"])
        assert "could not be sent just now" in str(soup(page))
        assert "is on its way" not in str(soup(page))
        assert "bob@example.com" not in caplog.text

        settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
        clock.shift(timedelta(minutes=1))
        again = client.get(submit(client, page, form=1).headers["Location"])
        assert "is on its way" in str(soup(again))
        enter_code(client, code_in(mail.outbox[0]))
        assert who(client) == str(Player.objects.get(username="bob").pk)


class RefusingBackend(BaseEmailBackend):
    """A mail server that takes mail for nobody, and says for whom."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        raise SMTPRecipientsRefused({email_messages[0].to[0]: (550, b"no such mailbox")})


def test_it_keeps_a_refused_address_out_of_the_log(
    client: Client, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.RefusingBackend"
    sign_up(client)
    assert "was not sent: SMTPRecipientsRefused" in caplog.text
    assert "bob@example.com" not in caplog.text
