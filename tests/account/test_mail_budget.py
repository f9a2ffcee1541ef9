"""How many mails with codes strangers can have sent: counted by address and by network, whatever kind they are."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from games.models import Player
from games.pages.accounts.adapter import COUNTED_MAILS
from tests.account.signing_in import code_in, enter_code, sign_in, sign_up, soup, who
from tests.cast import AT, PASSWORD, make_player

pytestmark = pytest.mark.django_db
KINDS = ("account_request_login_code", "account_reset_password", "account_signup")


def ask(kind: str, address: str, *, host: str = "192.0.2.1", **headers: str) -> Any:
    form = {"email": address, "username": f"new-{kind[-5:]}", "password1": PASSWORD}
    return Client(REMOTE_ADDR=host, headers=headers).post(reverse(kind), form)


@pytest.mark.parametrize("address", ["alice@example.com", "nobody@example.com"])
def test_all_kinds_together_are_three_in_ten_minutes(
    alice: Player, mailoutbox: list[EmailMessage], address: str
) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        for kind in KINDS:
            assert ask(kind, address).status_code == 302
        for kind in KINDS:
            answer = ask(kind, address)
            assert answer.status_code == 200
            assert "have just mailed a code" in soup(answer).select("#id_email_error")[0].get_text()
        assert len(mailoutbox) == 3
        clock.shift(timedelta(minutes=10, seconds=1))
        assert ask(KINDS[0], address).status_code == 302
    assert len(mailoutbox) == 4


def test_all_addresses_of_a_mailbox_count_together(mailoutbox: list[EmailMessage]) -> None:
    """Mail to dora+1 comes to dora."""
    for number in range(5):
        ask(KINDS[0], f"dora+{number}@example.com")
    ask(KINDS[0], "dora@example.com")
    assert len(mailoutbox) == 3


def test_they_are_20_a_day_to_one_address_15_from_a_network(alice: Player, mailoutbox: list[EmailMessage]) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        for turn in range(40):
            ask(KINDS[turn % 2], alice.email)
            clock.shift(timedelta(minutes=10))
        assert len(mailoutbox) == 15
        for turn in range(20):
            answer = ask(KINDS[turn % 2], alice.email, host="198.51.100.7")
            clock.shift(timedelta(minutes=10))
        assert len(mailoutbox) == 20
        assert "tomorrow" in str(soup(answer))
        clock.shift(timedelta(days=1))
        assert ask(KINDS[0], alice.email).status_code == 302


@pytest.mark.parametrize(
    "hosts", [[f"192.0.2.{number}" for number in range(130)], [f"2001:db8:0:1::{number:x}" for number in range(130)]]
)
def test_they_are_120_an_hour_from_one_network(mailoutbox: list[EmailMessage], hosts: list[str]) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        answers = []
        for number, host in enumerate(hosts):
            clock.shift(timedelta(seconds=5))
            answers.append(ask(KINDS[1], f"nobody{number}@example.com", host=host))
        assert [answer.status_code for answer in answers] == [302] * 120 + [200] * 10
        assert "your network" in str(soup(answers[-1]))
        assert ask(KINDS[1], "nobody@example.com", host="203.0.113.1").status_code == 302
    assert len(mailoutbox) == 121


def test_a_header_of_a_stranger_makes_no_other_network(mailoutbox: list[EmailMessage], settings: Any) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        for proxies, forwarded in ((0, "198.51.100.{}"), (1, "198.51.{}.1, 192.0.2.9")):
            settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
            for number in range(70):
                clock.shift(timedelta(seconds=5))
                forged = {"X-Forwarded-For": forwarded.format(number)}
                ask(KINDS[1], f"nobody{proxies}{number}@example.com", host="192.0.2.8", **forged)
    assert len(mailoutbox) == 120


@pytest.mark.parametrize("address", ["alice@example.com", "nobody@example.com"])
def test_a_code_asked_for_again_counts_whoever_has_an_account(alice: Player, address: str) -> None:
    client = Client()
    client.post(reverse("account_request_login_code"), {"email": address})
    there = reverse("account_confirm_login_code")
    for _ in range(2):
        client.post(there, {"action": "resend"})
    assert ask(KINDS[0], address).status_code == 200


def test_a_code_is_not_replaced_when_no_mail_can_go(client: Client, mailoutbox: list[EmailMessage]) -> None:
    sign_up(client)
    for kind in KINDS[:2]:
        ask(kind, "bob@example.com")
    code = str(mailoutbox[0].body)
    there = reverse("account_email_verification_sent")
    answer = client.post(there, {"action": "resend"}, follow=True)
    assert "have just mailed a code" in str(soup(answer))
    assert len(mailoutbox) == 3
    assert code


def test_it_tells_of_changes_though_the_budget_is_spent(
    client: Client, alice: Player, mailoutbox: list[EmailMessage]
) -> None:
    for _ in range(3):
        ask(KINDS[0], alice.email)
    sign_in(client, "alice")
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    form = {"oldpassword": PASSWORD} | dict.fromkeys(("password1", "password2"), "the-lake-thaws-slowly")
    client.post(reverse("account_change_password"), form)
    assert "Was it not you?" in str(mailoutbox[-1].body)


def test_every_mail_that_is_no_news_is_counted() -> None:
    news = {"email_changed", "email_confirm", "email_deleted", "password_changed", "password_reset", "password_set"}
    written = {path.name for path in Path("templates/account/email").glob("*_message.txt")} - {"base_message.txt"}
    assert written == {f"{name.rpartition('/')[2]}_message.txt" for name in COUNTED_MAILS} | {
        f"{name}_message.txt" for name in news
    }


def test_a_mail_to_an_address_that_nobody_has_proved_has_no_words_of_who_typed_it(
    mailoutbox: list[EmailMessage],
) -> None:
    """A name has room for an advertisement, and its mail goes to whoever a stranger likes."""
    sign_up(Client(), username="win-1000-call-0900", email="stranger@example.com")
    make_player("call-0900")
    client = Client()
    sign_in(client, "call-0900")
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    client.post(reverse("account_email"), {"email": "another@example.com", "action_add": ""})
    assert [mail.to for mail in mailoutbox] == [["stranger@example.com"], ["another@example.com"]]
    assert not [mail.to for mail in mailoutbox if "call-0900" in f"{mail.subject} {mail.body} {vars(mail)}"]


# --- Wrong passwords -----------------------------------------------------------------------------


def test_who_has_had_all_codes_of_a_day_signs_in_by_password(alice: Player, mailoutbox: list[EmailMessage]) -> None:
    """Strangers may have asked for them."""
    with time_machine.travel(AT, tick=False) as clock:
        for turn in range(24):
            ask(KINDS[0], alice.email, host=f"198.51.{turn % 2}.7")
            clock.shift(timedelta(minutes=10))
        assert len(mailoutbox) == 20
        assert sign_in(Client(), "alice").status_code == 302


def test_strangers_do_not_shut_anybody_out(alice: Player) -> None:
    for login in ("alice", alice.email):
        for _ in range(7):
            stranger = Client(REMOTE_ADDR="198.51.100.7")
            answer = sign_in(stranger, login, "the-lake-is-warm")
        assert "That was wrong too often" in str(soup(answer))
        assert sign_in(Client(REMOTE_ADDR="192.0.2.1"), login).status_code == 302


def test_a_stranger_is_slowed_down_in_the_whole_network(alice: Player) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        for number in range(5):
            sign_in(Client(REMOTE_ADDR=f"198.51.100.{number}"), "alice", "the-lake-is-warm")
        late = Client(REMOTE_ADDR="198.51.100.77")
        assert sign_in(late, "alice").status_code == 200, "five of a network in five minutes"
        clock.shift(timedelta(minutes=5, seconds=1))
        assert sign_in(late, "alice").status_code == 302


def test_it_takes_a_code_though_many_passwords_were_wrong(client: Client, alice: Player, mailoutbox: Any) -> None:
    for _ in range(7):
        sign_in(client, "alice", "the-lake-is-warm")
    client.post(reverse("account_request_login_code"), {"email": alice.email})
    answer = enter_code(client, code_in(mailoutbox[-1]), page="account_confirm_login_code")
    assert answer.headers["Location"] == "/"


# --- Wrong codes of the second factor --------------------------------------------------------------


@pytest.fixture
def codes(alice: Player) -> list[str]:
    """alice's recovery codes, beside an app."""
    TOTP.activate(alice, "JBSWY3DPEHPK3PXP")
    found: list[str] = RecoveryCodes.activate(alice).get_unused_codes()
    return found


def between_locks(host: str) -> Client:
    """A browser at `host` of who knows alice's password."""
    client = Client(REMOTE_ADDR=host)
    sign_in(client, "alice")
    return client


def open_lock(client: Client, code: str, *, host: str) -> tuple[str, bool]:
    """What the page of the second factor says to `code` from `host`, and whether they are in."""
    answer = client.post(reverse("mfa_authenticate"), {"code": code}, REMOTE_ADDR=host)
    return str(soup(answer)), who(client) is not None


def test_who_knows_the_password_shuts_nobody_out_where_they_are_signed_in(codes: list[str]) -> None:
    assert open_lock(between_locks("192.0.2.1"), codes[0], host="192.0.2.1")[1]
    stranger, owner = between_locks("198.51.100.7"), between_locks("192.0.2.77")
    for number in range(7):
        said, _is_in = open_lock(stranger, "000000", host=f"198.51.{number}.7")
    assert "That was wrong too often" in said
    assert not open_lock(owner, codes[1], host="203.0.113.5")[1], "all other networks are counted together"
    assert open_lock(owner, codes[1], host="192.0.2.77")[1]


def test_wrong_codes_are_five_in_five_minutes_also_at_home(codes: list[str]) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        assert open_lock(between_locks("192.0.2.1"), codes[0], host="192.0.2.1")[1]
        again = between_locks("192.0.2.1")
        for number in range(5):
            assert "not the right code" in open_lock(again, "000000", host=f"192.0.2.{number}")[0]
        said, is_in = open_lock(again, codes[1], host="192.0.2.1")
        assert ("That was wrong too often" in said, is_in) == (True, False)
        clock.shift(timedelta(minutes=5, seconds=1))
        assert open_lock(again, codes[1], host="192.0.2.1")[1]


# --- An evening of a club ---------------------------------------------------------------------------


def test_fifty_people_in_one_room_sign_up_in_ten_minutes(mailoutbox: list[EmailMessage]) -> None:
    """All at once, most with typing errors: a name with a blank, a poor password, a wrong code, and every third with
    the address of nobody first, every fifth with a second mail."""
    people = [Client() for _ in range(50)]
    with time_machine.travel(AT, tick=False) as clock:
        for number, person in enumerate(people):
            assert sign_up(person, username=f"guest {number}").status_code == 200
            clock.shift(timedelta(seconds=1))
        for number, person in enumerate(people):
            assert sign_up(person, username=f"guest{number}", password1="guest").status_code == 200
            clock.shift(timedelta(seconds=1))
        for number, person in enumerate(people):
            if number % 3 == 0:
                sign_up(person, username=f"guest{number}", email=f"geust{number}@example.com")
                person.post(reverse("start_over"), {"sign_up": "1"})
            sign_up(person, username=f"guest{number}", email=f"guest{number}@example.com")
            clock.shift(timedelta(seconds=1))
        for number, person in enumerate(people):
            enter_code(person, "wrong")
            if number % 5 == 0:
                person.post(reverse("account_email_verification_sent"), {"action": "resend"})
            [*_, mail] = [mail for mail in mailoutbox if mail.to == [f"guest{number}@example.com"]]
            enter_code(person, code_in(mail))
            clock.shift(timedelta(seconds=1))
        assert [number for number, person in enumerate(people) if who(person) is None] == []
