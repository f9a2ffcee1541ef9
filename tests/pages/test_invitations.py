"""Inviting from the page of an open table, kept seats, and what the opener learns of answers.

Where the link of the mail leads is in `test_invitation_link.py`.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail as outbox
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import mail, play
from games.models import Game, Invitation, Player
from tests.cast import AT, make_player, make_table
from tests.pages.helpers import signed_in, soup, table_url, text_of
from tests.pages.inviting import link_to

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(alice: Player) -> Game:
    return make_table(alice, size=3)


def test_the_opener_finds_who_is_invited_right_below_the_seats(table: Game, alice: Player, bob: Player) -> None:
    client = signed_in(alice)
    assert "Who is invited" not in text_of(client.get(table_url(table)))
    play.invite(table, by=alice, to="bob", at=timezone.now())
    page = soup(client.get(table_url(table)))
    titles = [title.get_text() for title in page.select("main :is(h2, h3)")]
    assert titles[:3] == ["Who sits here", "Who is invited", "Waiting for players"]
    [taken_back] = page.select(".invited button")
    assert taken_back.get_text(" ", strip=True) == "Take back (bob)"
    client.post(table_url(table, "invite/withdraw/"), {str(taken_back["name"]): taken_back["value"]})
    assert not Invitation.objects.exclude(answer="withdrawn").exists()


def test_the_opener_sees_who_is_invited_and_takes_it_back(table: Game, alice: Player, bob: Player) -> None:
    client = signed_in(alice)
    client.post(table_url(table, "invite/"), {"to": "bob"})
    client.post(table_url(table, "invite/"), {"to": "dora@example.com", "keeps_seat": "on"})
    page = client.get(table_url(table))
    assert [
        item.get_text(" ", strip=True).split(" Take")[0].split(", a seat")[0]
        for item in soup(page).select(".invited tr")
    ] == [
        "bob no answer yet",
        "dora@example.com no answer yet",
    ]
    assert [link["href"] for link in soup(page).select(".invited a.who")] == ["/players/bob/"]
    [bobs, doras] = Invitation.objects.order_by("pk")
    play.decline_invitation(bobs, at=timezone.now())
    client.post(table_url(table, "invite/withdraw/"), {"invitation": doras.pk})
    assert [item.get_text(" ", strip=True) for item in soup(client.get(table_url(table))).select(".invited tr")] == [
        "bob has declined"
    ]


@pytest.mark.parametrize(
    ("to", "status", "says"),
    [
        ("", 422, "Fill this in."),
        ("nobody", 422, "There is no player of that name."),
        ("dora@", 422, "That is not an e-mail address."),
        ("alice", 422, "You cannot invite yourself."),
        ("d" * 10_000, 422, "At most 254 letters fit here, and these are 10000."),
        ("bob\x00", 422, "Leave out the signs that cannot be seen."),
        ("<script>", 422, "There is no player of that name."),
    ],
)
def test_it_says_at_the_form_why_nobody_is_invited(table: Game, alice: Player, to: str, status: int, says: str) -> None:
    client = signed_in(alice)
    page = client.post(table_url(table, "invite/"), {"to": to})
    assert page.status_code == status
    assert says in text_of(page)
    # The browser shows the field, which stands far down, by itself.
    assert [field["name"] for field in soup(page).select("main [autofocus]")] == ["to"]
    assert not soup(client.get(table_url(table))).select("main [autofocus]")
    assert "<script>x" not in page.content.decode()
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("to", ["Dora M. <dora@example.com>", " mailto:dora@example.com", "<dora@example.com>"])
def test_it_takes_an_address_as_mail_programs_copy_it(table: Game, alice: Player, to: str) -> None:
    client = signed_in(alice)
    client.post(table_url(table, "invite/"), {"to": to})
    assert Invitation.objects.get().address == "dora@example.com"
    assert "dora@example.com is invited." in text_of(client.get(table_url(table)))


@pytest.mark.parametrize("to", ["carol", "dora@example.com", "two words", ""])
@pytest.mark.parametrize("is_closed", [False, True])
def test_it_says_whom_it_does_not_invite_any_more(
    table: Game, alice: Player, bob: Player, carol: Player, to: str, *, is_closed: bool
) -> None:
    if is_closed:
        play.close_table(table, player=alice, at=timezone.now())
    else:
        play.join_table(table, player=bob, at=timezone.now())
        play.start_table(table, player=alice, at=timezone.now())
    page = signed_in(alice).post(table_url(table, "invite/"), {"to": to})
    assert page.status_code == 409
    [refusal] = soup(page).select("[role=alert]:not([hidden])")
    said = f"This table is no longer open. {to} is not invited." if to else "This table is no longer open."
    assert refusal.get_text(" ", strip=True) == said
    assert not Invitation.objects.exists()


def test_nobody_else_sees_or_says_who_is_invited(table: Game, alice: Player, bob: Player, mallory: Player) -> None:
    play.invite(table, by=alice, to="dora@example.com", at=timezone.now())
    play.join_table(table, player=bob, at=AT)
    for player in (bob, mallory, None):
        client = signed_in(player)
        assert "dora" not in client.get(table_url(table)).content.decode()
        client.post(table_url(table, "invite/"), {"to": "carol@example.com"})
        client.post(table_url(table, "invite/withdraw/"), {"invitation": Invitation.objects.get().pk})
    assert Invitation.objects.get().answer == ""


def test_a_player_declines_at_the_table(table: Game, alice: Player, bob: Player, mallory: Player) -> None:
    play.invite(table, by=alice, to="bob", at=timezone.now())
    assert "Decline" in text_of(signed_in(bob).get(table_url(table)))
    assert "Decline" not in text_of(signed_in(mallory).get(table_url(table)))
    assert signed_in(mallory).post(table_url(table, "decline/")).status_code == 409
    assert signed_in(bob).post(table_url(table, "decline/")).status_code == 303
    assert Invitation.objects.get().answer == "declined"


def test_the_buttons_of_each_invitation_name_its_table(alice: Player, bob: Player) -> None:
    for name in ("Dawn", "Dusk"):
        table = make_table(alice, size=2)
        Game.objects.filter(pk=table.pk).update(name=name)
        play.invite(table, by=alice, to="bob", at=timezone.now())
    buttons = soup(signed_in(bob).get("/")).select("section[aria-labelledby=inviting] button")
    names = {button.get_text() for button in buttons}
    assert names == {f"{does} ({name})" for does in ("Sit down", "Decline") for name in ("Dawn", "Dusk")}


def test_an_invitation_from_the_table_says_for_how_long_too(table: Game, alice: Player, bob: Player) -> None:
    client = signed_in(alice)
    client.post(table_url(table, "invite/"), {"to": "bob", "keeps_seat": "on", "kept_for": "7"})
    kept = Invitation.objects.get()
    assert kept.kept_until == kept.created_at + timedelta(days=7)
    assert client.post(table_url(table, "invite/"), {"to": "carol", "kept_for": "2"}).status_code == 422


def test_a_kept_seat_is_shown_as_kept(alice: Player, bob: Player, mallory: Player) -> None:
    table = make_table(alice, size=2)
    play.invite(table, by=alice, to="bob", keeps_seat=True, at=timezone.now())
    stranger = signed_in(mallory).get(table_url(table))
    assert "kept for somebody who is invited" in text_of(stranger)
    assert "Sit down" not in text_of(stranger)
    assert "bob" not in text_of(stranger)
    assert "Sit down" in text_of(signed_in(bob).get(table_url(table)))


def test_a_visitor_at_a_table_whose_seats_are_kept_is_told_to_sign_in(alice: Player, mallory: Player) -> None:
    table = make_table(alice, size=2)
    play.invite(table, by=alice, to="bob@example.com", keeps_seat=True, at=timezone.now())
    words, leads_to_sign_in = "Are you invited?", f'a[href="/accounts/login/?next={table_url(table)}"]'
    for client, is_told in ((Client(), True), (signed_in(mallory), False)):
        page = client.get(table_url(table))
        assert (words in text_of(page), bool(soup(page).select(f"main {leads_to_sign_in}"))) == (is_told, is_told)


LAST = "This is the last seat: the game starts at once."


def test_it_says_which_seats_are_left_for_whom(alice: Player, bob: Player, mallory: Player) -> None:
    table = make_table(alice, size=3)
    play.invite(table, by=alice, to="bob", keeps_seat=True, at=timezone.now())
    link = link_to("dora@example.com", table)
    for client, address in ((signed_in(mallory), table_url(table)), (Client(), link)):
        page = client.get(address)
        assert "A table of 3. One seat is free." in text_of(page)
        assert LAST not in text_of(page)
    invited = signed_in(bob).get(table_url(table))
    assert "A table of 3. A seat is kept for you, and one more is free." in text_of(invited)
    assert [item.get_text() for item in soup(invited).select(".seat-free")] == ["kept for you", "free"]
    play.join_table(table, player=mallory, at=timezone.now())
    last = signed_in(bob).get(table_url(table))
    assert "A table of 3. A seat is kept for you." in text_of(last)
    assert LAST in text_of(last)
    assert "All seats at this table are taken, or kept for others" in text_of(Client().get(link))


def test_lists_offer_no_seats_that_are_kept_for_others(
    alice: Player, bob: Player, carol: Player, mallory: Player
) -> None:
    table = make_table(alice, size=4)
    for to in ("bob", carol.email, "dora@example.com"):
        play.invite(table, by=alice, to=to, keeps_seat=True, at=timezone.now())

    def free(reader: Player | None) -> str:
        client = signed_in(reader) if reader else Client()
        pages = [soup(client.get(address)) for address in ("/?list=open", "/")]
        rows = [str(row) for page in pages for row in page.select(".table-row .table-turn") if "free" in row.get_text()]
        return " ".join(rows)

    for reader in (None, mallory):
        assert free(reader) == ""
    for reader in (bob, carol):
        assert "1 seat free" in free(reader)
    Invitation.objects.filter(address="dora@example.com").update(kept_until=timezone.now())
    for reader in (None, mallory):
        assert "1 seat free" in free(reader)
    assert "2 seats free" in free(bob)


def test_the_link_of_a_kept_seat_says_so(alice: Player, mallory: Player) -> None:
    table = make_table(alice, size=3)
    opener = signed_in(alice)
    opener.post(table_url(table, "invite/"), {"to": "dora@example.com", "keeps_seat": "on"})
    mail.sweep_invitations(at=timezone.now())
    link = re.search(r"/invitations/[\w-]{43}/", str(outbox.outbox[-1].body))
    assert link
    page = Client().get(link[0])
    assert "A seat is kept for you, and one more is free." in text_of(page)
    assert LAST not in text_of(page)
    play.join_table(table, player=mallory, at=timezone.now())
    last = Client().get(link[0])
    assert "A table of 3. A seat is kept for you." in text_of(last)
    assert LAST in text_of(last)


def test_what_the_opener_sees_is_the_same_with_and_without_an_account(alice: Player) -> None:
    """In one world dora has an account and wants no mail, in the other she has none."""
    with time_machine.travel(AT, tick=False):
        assert _pages_of_the_opener(alice, has_account=False) == _pages_of_the_opener(alice, has_account=True)


def _pages_of_the_opener(alice: Player, *, has_account: bool) -> str:
    if has_account:
        Player.objects.filter(pk=make_player("dora").pk).update(mail_mode="nothing")
    table, client = make_table(alice, size=3), signed_in(alice)
    client.post(table_url(table, "invite/"), {"to": "dora@example.com", "keeps_seat": "on"})
    mail.sweep_invitations(at=timezone.now())
    told: list[Any] = [soup(client.get(table_url(table))).select_one("#open-invited")]
    again = client.post(table_url(table, "invite/"), {"to": "dora@example.com"})
    told += [again.status_code, soup(again).select_one("main")]
    Invitation.objects.all().delete()
    return _without_keys(told)


def _without_keys(told: list[Any]) -> str:
    return re.sub(r'value="[^"]*"|/tables/\w+/|<code.*?</code>|data-\w+="[^"]*"', "", str(told))


# What bob does who is invited by name: by the link of that mail where it says so, else at the table.
ANSWERS: dict[str, list[tuple[str, dict[str, str]]]] = {
    "sits down": [("join/", {})],
    "sits down by the link": [("link", {"answer": "sit"})],
    "declines": [("decline/", {})],
    "declines twice": [("decline/", {}), ("decline/", {})],
    "declines by the link": [("link", {"answer": "decline"})],
    "declines, then sits down": [("decline/", {}), ("join/", {})],
    "leaves and comes back": [("join/", {}), ("leave/", {}), ("join/", {})],
}


@pytest.mark.parametrize("first", ["name", "address"])
@pytest.mark.parametrize("size", [2, 4])
@pytest.mark.parametrize("does", ANSWERS)
def test_no_answer_to_the_name_tells_whose_an_address_is(
    alice: Player, bob: Player, carol: Player, first: str, size: int, does: str
) -> None:
    """The opener invites bob by name, and an address for which a seat is kept: bob's own, carol's or nobody's. At a
    table of two this leaves no seat for the name."""
    with time_machine.travel(AT, tick=False):
        bobs, *others = (_told_of_answers(alice, bob, name, first, size, does) for name in ("bob", "carol", "dora"))
    assert others == [bobs, bobs]


def _told_of_answers(alice: Player, bob: Player, address: str, first: str, size: int, does: str) -> str:
    table, opener, guest = make_table(alice, size=size), signed_in(alice), signed_in(bob)
    asked = {"name": {"to": "bob"}, "address": {"to": f"{address}@example.com", "keeps_seat": "on"}}
    links = {}
    for which in sorted(asked, reverse=first == "name"):
        opener.post(table_url(table, "invite/"), asked[which])
        links[which] = reverse("invitation", args=[table.invitations.latest("pk").token])
        mail.sweep_invitations(at=timezone.now())
    told: list[Any] = []
    for verb, sent in ANSWERS[does]:
        guest.post(links["name"] if verb == "link" else table_url(table, verb), sent)
        told.append(soup(opener.get(table_url(table))).select_one("main"))
    table.delete()
    return _without_keys(told).replace(f"{address}@example.com", "the address")


@pytest.mark.parametrize("first", ["declines", "sits down"])
def test_who_is_invited_by_name_answers_for_the_address_by_its_link(alice: Player, bob: Player, first: str) -> None:
    table, guest = make_table(alice, size=2 if first == "declines" else 3), signed_in(bob)
    for to in ("bob", "bob@example.com"):
        made = play.invite(table, by=alice, to=to, keeps_seat="@" in to, at=timezone.now())
    link = reverse("invitation", args=[made.token])
    if first == "declines":
        guest.post(table_url(table, "decline/"))
        assert "Decline" not in text_of(guest.get(table_url(table)))
        assert not soup(guest.get("/")).select("section[aria-labelledby=inviting]")
    answer = guest.post(link, {"answer": "sit"})
    assert (answer.status_code, answer["Location"]) == (303, table_url(table))
    assert table.seats.filter(player=bob).exists()
    answers = dict(Invitation.objects.values_list("address", "answer"))
    assert answers == {"": "declined" if first == "declines" else "accepted", "bob@example.com": "accepted"}


def test_a_player_does_not_find_it_who_has_blocked_the_opener(table: Game, alice: Player, bob: Player) -> None:
    play.invite(table, by=alice, to="bob", at=timezone.now())
    play.mute_player(bob, alice, blocks=False, at=timezone.now())
    assert soup(signed_in(bob).get("/")).select("section[aria-labelledby=inviting]")
    play.mute_player(bob, alice, blocks=True, at=timezone.now())
    assert not soup(signed_in(bob).get("/")).select("section[aria-labelledby=inviting]")


def test_a_player_finds_it_on_the_first_page(table: Game, alice: Player, bob: Player, carol: Player) -> None:
    for address in ("bob", "carol@example.com"):
        play.invite(table, by=alice, to=address, at=timezone.now())
    for player, verb in ((bob, "decline/"), (carol, "join/")):
        client = signed_in(player)
        page = client.get("/")
        assert "Friday table" in text_of(page, "section[aria-labelledby=inviting]")
        assert [link.get_text() for link in soup(page).select("main .table-row a, main .tables a")].count(
            "Friday table"
        ) == 1
        assert client.post(table_url(table, verb)).status_code == 303
        assert not soup(client.get("/")).select("section[aria-labelledby=inviting]")
    assert not soup(signed_in(alice).get("/")).select("section[aria-labelledby=inviting]")
