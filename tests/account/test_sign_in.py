from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Player
from tests.account.signing_in import code_in, enter_code, sign_in, soup, submit, who, words
from tests.cast import AT, PASSWORD

pytestmark = pytest.mark.django_db
KEY = "JBSWY3DPEHPK3PXP"


@pytest.mark.parametrize("login", ["alice", "ALICE", "alice@example.com", "Alice@Example.com"])
def test_it_signs_in_by_name_or_address(client: Client, alice: Player, login: str) -> None:
    response = sign_in(client, login)

    assert response.headers["Location"] == "/"
    assert who(client) == str(alice.pk)


@pytest.mark.parametrize("login", ["alice", "alice@example.com", "nobody", "nobody@example.com"])
def test_it_refuses_a_wrong_password_in_the_same_words_for_all(client: Client, alice: Player, login: str) -> None:
    response = sign_in(client, login, "the-lake-is-warm")

    assert who(client) is None
    [focused] = soup(response).select("[autofocus]")
    assert focused["role"] == "alert"
    assert focused.select("ul.errorlist")[0].get_text().strip() == (
        "This name and this password do not go together."
        " If you never entered the code of our first mail, sign up again."
    )


def test_it_goes_where_the_visitor_wanted(client: Client, alice: Player) -> None:
    response = client.get(reverse("account_email"))

    response = submit(client, client.get(response.headers["Location"]), login="alice", password=PASSWORD)

    assert response.headers["Location"] == reverse("account_email")


def test_it_asks_for_the_code_before_an_unconfirmed_address_gets_in(
    client: Client, alice: Player, mailoutbox: list[EmailMessage]
) -> None:
    EmailAddress.objects.update(verified=False)
    Player.objects.update(last_login=AT)

    response = sign_in(client, "alice")
    assert response.headers["Location"] == reverse("account_email_verification_sent")
    assert who(client) is None

    enter_code(client, code_in(mailoutbox[0]))
    assert who(client) == str(alice.pk)


@pytest.mark.parametrize("login", ["alice", "alice@example.com"])
@pytest.mark.parametrize(("codes", "status"), [(2, 302), (3, 200)])
def test_it_says_on_the_form_that_the_next_code_must_wait(
    alice: Player, mailoutbox: list[EmailMessage], login: str, codes: int, status: int
) -> None:
    EmailAddress.objects.update(verified=False)
    Player.objects.update(last_login=AT)
    for _ in range(codes):
        sign_in(Client(), "alice")
    answer = sign_in(Client(), login)
    assert answer.status_code == status
    assert ("have just mailed a code" in str(soup(answer))) is (status == 200)
    assert "too often" not in str(soup(answer))
    assert len(mailoutbox) == 3


@pytest.mark.parametrize("address", ["alice@example.com", "nobody@example.com"])
def test_it_says_that_the_next_code_to_sign_in_must_wait(alice: Player, address: str) -> None:
    answers = [Client().post(reverse("account_request_login_code"), {"email": address}) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [302, 302, 302, 200]
    assert "have just mailed a code" in soup(answers[3]).select("#id_email_error")[0].get_text()


def test_it_says_what_was_wrong_too_often(client: Client, alice: Player) -> None:
    for _ in range(6):
        answer = sign_in(client, alice.email, "the-lake-is-warm")
    assert "That was wrong too often" in words(answer)


def test_it_signs_in_by_a_mailed_code(client: Client, alice: Player, mailoutbox: list[EmailMessage]) -> None:
    response = client.post(reverse("account_request_login_code"), {"email": "ALICE@example.com"})
    assert response.headers["Location"] == reverse("account_confirm_login_code")
    [mail] = mailoutbox
    assert mail.to == ["alice@example.com"]

    enter_code(client, code_in(mail), page="account_confirm_login_code")

    assert who(client) == str(alice.pk)


@pytest.mark.parametrize(("minutes", "is_in"), [(9, True), (11, False)])
def test_it_takes_a_mailed_code_for_10_minutes(
    client: Client, alice: Player, mailoutbox: list[EmailMessage], minutes: int, is_in: bool
) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        client.post(reverse("account_request_login_code"), {"email": alice.email})
        clock.shift(timedelta(minutes=minutes))
        enter_code(client, code_in(mailoutbox[0]), page="account_confirm_login_code")

        assert (who(client) is not None) is is_in


@pytest.mark.parametrize(
    ("page", "form"),
    [
        ("account_request_login_code", "account_confirm_login_code"),
        ("account_reset_password", "account_confirm_password_reset_code"),
    ],
)
def test_it_says_how_to_go_on_after_three_wrong_codes(client: Client, alice: Player, page: str, form: str) -> None:
    client.post(reverse(page), {"email": alice.email})
    for _ in range(3):
        response = enter_code(client, "wrong", page=form)
    said = str(soup(client.get(response.headers["Location"])))
    assert "three wrong codes, so that code no longer works. Ask for a new one" in said
    assert "a few minutes" not in said


@pytest.mark.parametrize("page", ["account_request_login_code", "account_reset_password"])
def test_it_does_not_tell_which_addresses_have_an_account(
    client: Client, alice: Player, mailoutbox: list[EmailMessage], page: str
) -> None:
    def answers(address: str) -> list[object]:
        stranger = Client()
        first = stranger.post(reverse(page), {"email": address})
        second = stranger.get(first.headers["Location"])
        third = stranger.post(first.headers["Location"], {"code": "wrong"})
        texts = [re.sub(r'nonce="[^"]+"|value="\w{64}"', "", page.content.decode()) for page in (second, third)]
        return [first.status_code, first.headers["Location"], *(text.replace(address, "ADDRESS") for text in texts)]

    assert answers(alice.email) == answers("nobody@example.com")
    assert [mail.to for mail in mailoutbox] == [["alice@example.com"], ["nobody@example.com"]]
    assert reverse("account_signup") in str(mailoutbox[1].body)
    assert "has just asked us to mail a code to nobody@example.com" in " ".join(str(mailoutbox[1].body).split())


@pytest.mark.parametrize("page", ["account_request_login_code", "account_reset_password"])
def test_it_counts_no_code_that_is_missing(
    client: Client, alice: Player, mailoutbox: list[EmailMessage], page: str
) -> None:
    there = client.post(reverse(page), {"email": alice.email}).headers["Location"]
    for _ in range(3):
        response = client.post(there, {"code": " "}, follow=True)
    assert "Enter the code of our mail." in words(response)
    entered = submit(client, response, code=code_in(mailoutbox[0]))
    assert entered.headers["Location"] in {"/", reverse("account_complete_password_reset")}


def test_it_sets_a_new_password_with_a_mailed_code(
    client: Client, alice: Player, mailoutbox: list[EmailMessage]
) -> None:
    response = client.post(reverse("account_reset_password"), {"email": alice.email})
    response = submit(client, client.get(response.headers["Location"]), code=code_in(mailoutbox[0]))
    submit(client, client.get(response.headers["Location"]), password1="the-lake-thaws", password2="the-lake-thaws")

    assert sign_in(Client(), "alice").status_code == 200
    assert sign_in(Client(), "alice", "the-lake-thaws").status_code == 302
    assert "Was it not you?" in str(mailoutbox[-1].body)


def app_code() -> str:
    """What the player's app shows now."""
    counters: list[int] = list(yield_hotp_counters_from_time())
    return str(format_hotp_value(hotp_value(KEY, counters[len(counters) // 2])))


@time_machine.travel(AT, tick=False)
def test_it_asks_for_the_second_factor(client: Client, alice: Player) -> None:
    TOTP.activate(alice, KEY)

    response = sign_in(client, "alice")
    assert response.headers["Location"] == reverse("mfa_authenticate")
    assert who(client) is None

    submit(client, client.get(response.headers["Location"]), code="000000")
    assert who(client) is None
    submit(client, client.get(response.headers["Location"]), code=app_code())
    assert who(client) == str(alice.pk)


def test_it_takes_a_recovery_code_once(alice: Player) -> None:
    TOTP.activate(alice, KEY)
    code = RecoveryCodes.activate(alice).get_unused_codes()[0]

    for is_in in (True, False):
        client = Client()
        sign_in(client, "alice")
        client.post(reverse("mfa_authenticate"), {"code": code})
        assert (who(client) is not None) is is_in


def test_it_changes_the_address_only_after_the_code(
    client: Client, alice: Player, mailoutbox: list[EmailMessage]
) -> None:
    sign_in(client, "alice")
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})

    client.post(reverse("account_email"), {"action_add": "", "email": "Alice@Example.org"})
    alice.refresh_from_db()
    assert alice.email == "alice@example.com"

    enter_code(client, code_in(mailoutbox[0]))
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"
    assert alice.mail_again_at, "what bounces by then says nothing of the address"
    assert [mail.to for mail in mailoutbox[1:]] == [["alice@example.com"]]


def test_it_mails_who_has_given_another_address(client: Client, alice: Player, mailoutbox: list[EmailMessage]) -> None:
    Player.objects.filter(pk=alice.pk).update(mail_bounced_at=timezone.now(), mail_bounce="550 no such user")
    sign_in(client, "alice")
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})

    client.post(reverse("account_email"), {"action_add": "", "email": "alice@example.org"})
    alice.refresh_from_db()
    assert alice.mail_bounced_at, "an address that nobody has confirmed changes nothing"

    enter_code(client, code_in(mailoutbox[0]))
    reached = Player.objects.get(pk=alice.pk)
    assert (reached.email, reached.mail_bounced_at, reached.mail_bounce) == ("alice@example.org", None, "")


def test_it_asks_who_it_is_before_the_account_changes(client: Client, alice: Player) -> None:
    client.force_login(alice)

    response = client.post(reverse("account_email"), {"action_add": "", "email": "mallory@example.com"})

    assert response.headers["Location"].startswith(reverse("account_reauthenticate"))
    assert "Is it you?" in words(client.get(response.headers["Location"]))
    assert not EmailAddress.objects.filter(email="mallory@example.com").exists()


def test_a_new_password_signs_out_everywhere(client: Client, alice: Player) -> None:
    client.force_login(alice)
    assert client.get(reverse("preferences")).status_code == 200
    alice.set_password("another one of alice's")
    alice.save()
    assert client.get(reverse("preferences")).status_code == 302


def test_it_signs_out_by_post_only(client: Client, alice: Player) -> None:
    client.force_login(alice)

    response = client.get(reverse("account_logout"))
    assert "Sign out?" in words(response)
    assert who(client) is not None

    answer = submit(client, response)
    assert who(client) is None
    assert answer["Clear-Site-Data"] == '"cache"'


def test_it_offers_sign_out_on_every_page(client: Client, alice: Player) -> None:
    client.force_login(alice)

    page = soup(client.get(reverse("account_email")))
    [button] = page.select("header button[form]")
    [form] = page.select(f"form#{button['form']}")

    assert (form["method"], form["action"]) == ("post", reverse("account_logout"))
    assert form.select("input[name=csrfmiddlewaretoken]")


def test_it_offers_a_challenge_for_passkeys(client: Client) -> None:
    response = client.get(reverse("mfa_login_webauthn"), headers={"Accept": "application/json"})

    assert response.json()["request_options"]["publicKey"]["challenge"]
