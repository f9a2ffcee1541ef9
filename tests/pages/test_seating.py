"""What the opener of an open table does with who sits there."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from games import play
from games.models import Game, Player
from tests.cast import AT, make_table
from tests.pages.helpers import hidden, signed_in, soup, table_url, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(alice: Player, bob: Player) -> Game:
    game = make_table(alice, size=4, bots=1)
    play.join_table(game, player=bob, at=AT)
    return game


def buttons(client: Client, table: Game) -> list[tuple[str, str]]:
    """Who is on offer to be released or handed the table, by the forms of the page."""
    page = soup(client.get(table_url(table)))
    forms = [(form, form.select_one("[name=who]")) for form in page.select("form")]
    return [(str(form["action"]).split("/")[-2], str(who["value"])) for form, who in forms if who]


def test_the_opener_alone_is_offered_it_about_people(table: Game, alice: Player, bob: Player, mallory: Player) -> None:
    assert buttons(signed_in(alice), table) == [("hand-on", "bob"), ("release", "bob")]
    assert buttons(signed_in(bob), table) == buttons(signed_in(mallory), table) == []


def test_it_asks_and_then_releases(table: Game, alice: Player, bob: Player) -> None:
    client = signed_in(alice)
    asked = client.post(table_url(table, "release/"), {"who": "bob"})
    assert (asked.status_code, table.seats.filter(player=bob).exists()) == (200, True)
    assert "Release bob?" in text_of(asked)
    form = hidden(asked, "form.row")
    told = client.post(table_url(table, "release/"), form | {"sure": "yes"}, follow=True)
    assert "bob sits here no longer, and is told by mail." in text_of(told, ".flashes")
    assert not table.seats.filter(player=bob).exists()
    assert buttons(client, table) == []


def test_it_asks_and_then_hands_on(table: Game, alice: Player, bob: Player) -> None:
    client = signed_in(alice)
    asked = client.post(table_url(table, "hand-on/"), {"who": "bob"})
    assert "Hand the table on to bob?" in text_of(asked)
    told = client.post(table_url(table, "hand-on/"), hidden(asked, "form.row") | {"sure": "yes"}, follow=True)
    assert "The table is bob’s now." in text_of(told, ".flashes")
    assert "Leave the table" in text_of(told)
    assert "bob whose table it is" in text_of(told, ".seats")
    assert buttons(signed_in(bob), table) == [("hand-on", "alice"), ("release", "alice")]


def test_it_says_that_postcards_leave_with_their_writer(client: Client, table: Game, bob: Player) -> None:
    client.force_login(bob)
    told = "What you have written at this table leaves with you."
    assert told not in text_of(client.get(table_url(table)))
    play.write_postcard(table, player=bob, text="Hello", at=timezone.now())
    assert told in text_of(client.get(table_url(table)))
    client.post(table_url(table, "leave/"))
    assert not table.postcards.exists()


@pytest.mark.parametrize("verb", ["release/", "hand-on/"])
@pytest.mark.parametrize("form", [{}, {"who": "mallory"}, {"who": "bob\x00"}, {"who": "b" * 10_000}, {"who": "alice"}])
def test_it_says_that_somebody_does_not_sit_there(
    table: Game, alice: Player, mallory: Player, verb: str, form: dict[str, str]
) -> None:
    answer = signed_in(alice).post(table_url(table, verb), form | {"sure": "yes"})
    assert answer.status_code == 409
    assert "That player does not sit at this table any more." in text_of(answer, "[role=alert]")
    assert table.seats.count() == 3


@pytest.mark.parametrize("verb", ["release/", "hand-on/"])
def test_nobody_else_may_do_it(table: Game, bob: Player, mallory: Player, verb: str) -> None:
    for player in (bob, mallory):
        for sure in ({}, {"sure": "yes"}):
            answer = signed_in(player).post(table_url(table, verb), {"who": "alice"} | sure)
            assert answer.status_code == 403
    assert Client().post(table_url(table, verb), {"who": "bob"})["Location"].startswith("/accounts/login/")
    table.refresh_from_db()
    assert (table.opener, table.seats.count()) == (Player.objects.get(username="alice"), 3)


def test_the_new_opener_reads_no_address_that_somebody_else_typed(table: Game, alice: Player, bob: Player) -> None:
    play.invite(table, by=alice, to="dora@example.com", at=timezone.now())
    play.hand_on_table(table, by=alice, name="bob", at=timezone.now())
    client = signed_in(bob)
    page = client.get(table_url(table))
    assert "somebody by mail no answer yet" in text_of(page, ".invited")
    assert "dora" not in page.content.decode()
    play.invite(table, by=bob, to="erin@example.com", at=timezone.now())
    assert "erin@example.com" in text_of(client.get(table_url(table)), ".invited")


def test_a_release_does_not_tell_whose_an_address_is(table: Game, alice: Player, bob: Player) -> None:
    addresses = ("bob@example.com", "nobody@example.com")
    for address in addresses:
        play.invite(table, by=alice, to=address, at=timezone.now())
    play.release_player(table, by=alice, name="bob", at=timezone.now())
    shown = text_of(signed_in(alice).get(table_url(table)), ".invited")
    assert [f"{address} no answer yet" in shown for address in addresses] == [True, True]
    for address in addresses:
        with pytest.raises(play.InvitedAlready):
            play.invite(table, by=alice, to=address, at=timezone.now())


def test_a_page_that_waits_learns_whose_the_table_is(table: Game, alice: Player, bob: Player) -> None:
    client = signed_in(bob)
    poll = str(soup(client.get(table_url(table))).select_one("#table")["data-poll"])  # type: ignore[index]
    before = client.get(poll)["ETag"]
    assert client.get(poll, HTTP_IF_NONE_MATCH=before).status_code == 304
    assert str(soup(client.get(table_url(table))).select_one("#table")["data-version"]) in before  # type: ignore[index]
    play.hand_on_table(table, by=alice, name="bob", at=AT)
    assert client.get(poll, HTTP_IF_NONE_MATCH=before).status_code == 200
    page = soup(client.get(table_url(table))).select_one("#table")
    assert str(page["data-version"]) in client.get(poll)["ETag"]  # type: ignore[index]
