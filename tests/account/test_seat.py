"""A seat that is asked for before there is an account: signing up or in ends in it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import unquote

import pytest
import time_machine
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from games import play
from games.models import Game, Player
from tests.account.signing_in import code_in, soup, submit, words
from tests.cast import AT, PASSWORD, make_table

pytestmark = pytest.mark.django_db

BOB: Any = {"email": "bob@example.com", "username": "bob", "password1": PASSWORD}


@pytest.fixture
def table(alice: Player) -> Game:
    """A table for three that alice has opened, by link."""
    return make_table(alice, is_public=False)


def ask_for_seat(client: Client, table: Game) -> Any:
    """The page that answers *Sit down*, pressed by a visitor."""
    return client.get(submit(client, client.get(table.get_absolute_url())).headers["Location"])


def sign_up(client: Client, page: Any, mailoutbox: list[EmailMessage]) -> Any:
    """The page behind signing up by the form of `page` and the code of the mail."""
    waits = client.get(submit(client, page, **BOB).headers["Location"])
    return client.get(submit(client, waits, code=code_in(mailoutbox[-1])).headers["Location"])


def names(table: Game) -> list[str]:
    return list(table.seats.order_by("joined").values_list("name", flat=True))


def test_a_sign_up_that_begins_by_sitting_down_ends_in_the_seat(
    client: Client, table: Game, mailoutbox: list[EmailMessage]
) -> None:
    shown = client.get(table.get_absolute_url())
    chance = str(soup(shown).select("input[name=chance]")[0]["value"])
    page = client.get(submit(client, shown).headers["Location"])
    assert "Once you are in, you sit there." in words(page)
    assert names(table) == ["alice"]
    there = sign_up(client, page, mailoutbox)
    assert there.request["PATH_INFO"] == table.get_absolute_url()
    assert "You sit at this table." in words(there)
    assert names(table) == ["alice", "bob"]
    assert table.seats.get(name="bob").entropy == chance


def test_a_form_that_is_refused_says_so_again(client: Client, table: Game, mailoutbox: list[EmailMessage]) -> None:
    page = ask_for_seat(client, table)
    for _time in range(2):
        page = submit(client, page, **BOB | {"password1": "password"})
        assert "Once you are in, you sit there." in words(page)
    sign_up(client, page, mailoutbox)
    assert names(table) == ["alice", "bob"]


def test_who_has_an_account_signs_in_and_sits_there(client: Client, table: Game, carol: Player) -> None:
    page = ask_for_seat(client, table)
    sign_in = client.get(str(soup(page).select("main a[href*=login]")[0]["href"]))
    there = submit(client, sign_in, login="carol", password=PASSWORD)
    assert there.headers["Location"] == table.get_absolute_url()
    assert names(table) == ["alice", "carol"]


def test_who_starts_over_with_another_address_sits_there_too(
    client: Client, table: Game, mailoutbox: list[EmailMessage]
) -> None:
    page = ask_for_seat(client, table)
    waits = client.get(submit(client, page, **BOB | {"email": "bop@example.com"}).headers["Location"])
    again = client.get(submit(client, waits, form=2).headers["Location"])
    sign_up(client, again, mailoutbox)
    assert names(table) == ["alice", "bob"]


def test_a_link_that_leads_there_seats_nobody(client: Client, table: Game, carol: Player) -> None:
    sign_in = client.get(reverse("account_login"), {"next": table.get_absolute_url()})
    assert submit(client, sign_in, login="carol", password=PASSWORD).headers["Location"] == table.get_absolute_url()
    assert names(table) == ["alice"]


def test_who_goes_elsewhere_is_not_seated_and_not_asked_again(client: Client, table: Game, carol: Player) -> None:
    ask_for_seat(client, table)
    submit(client, client.get(reverse("account_login")), login="carol", password=PASSWORD)
    client.post(reverse("account_logout"))
    sign_in = client.get(reverse("account_login"), {"next": table.get_absolute_url()})
    submit(client, sign_in, login="carol", password=PASSWORD)
    assert names(table) == ["alice"]


@pytest.mark.parametrize(("minutes", "seated"), [(59, ["alice", "carol"]), (61, ["alice"])])
def test_it_asks_for_the_seat_within_the_hour(
    client: Client, table: Game, carol: Player, minutes: int, seated: list[str]
) -> None:
    with time_machine.travel(AT, tick=False) as clock:
        page = ask_for_seat(client, table)
        clock.shift(timedelta(minutes=minutes))
        sign_in = client.get(str(soup(page).select("main a[href*=login]")[0]["href"]))
        submit(client, sign_in, login="carol", password=PASSWORD)
    assert names(table) == seated


def test_a_seat_of_another_hand_is_not_read(client: Client, table: Game, carol: Player) -> None:
    page = ask_for_seat(client, table)
    client.cookies["wish"] = f"{client.cookies['wish'].value}x"
    sign_in = client.get(str(soup(page).select("main a[href*=login]")[0]["href"]))
    assert submit(client, sign_in, login="carol", password=PASSWORD).status_code == 302
    assert names(table) == ["alice"]


def test_it_says_that_somebody_else_has_the_seat_by_now(
    client: Client, alice: Player, carol: Player, mailoutbox: list[EmailMessage]
) -> None:
    table = make_table(alice, size=2)
    page = ask_for_seat(client, table)
    play.join_table(table, player=carol, at=AT)
    there = sign_up(client, page, mailoutbox)
    assert there.status_code == 200
    assert "You sit at this table." not in words(there)
    assert "All seats at this table are taken." in words(there)
    assert sorted(names(table)) == ["alice", "carol"]


def test_the_way_back_tells_nothing_of_an_address(table: Game) -> None:
    there = {"next": table.get_absolute_url()}
    free, taken = (
        Client().post(reverse("account_signup"), BOB | there | {"email": f"{name}@example.com", "username": f"{name}2"})
        for name in ("alice", "dora")
    )
    assert free.headers["Location"] == taken.headers["Location"]
    assert table.get_absolute_url() in unquote(free.headers["Location"])
