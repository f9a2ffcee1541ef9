"""Inviting people with the form of a new table."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games import play
from games.models import Deal, Game, Invitation, Player, Seat
from tests.cast import make_player, make_table
from tests.pages.helpers import soup, text_of
from tests.pages.test_new_table import offered_deal, open_table

pytestmark = pytest.mark.django_db


def invited() -> list[str]:
    rows = Invitation.objects.order_by("pk").select_related("player")
    return [row.player.username if row.player else row.address for row in rows]


def test_it_invites_by_name_and_address(her: Client, bob: Player, carol: Player) -> None:
    response = open_table(her, guests=" bob,Dora@Example.com ;\tCAROL, bob BOB", size="4")
    assert response.status_code == 303
    assert invited() == ["bob", "dora@example.com", "carol"]
    assert not Invitation.objects.filter(kept_until__isnull=False).exists()
    assert "dora@example.com" in text_of(her.get(response["Location"]), ".invited")


def test_all_that_is_wrong_with_the_guests_stands_above_the_form(her: Client) -> None:
    """What is read out first, and all that a phone shows without scrolling."""
    refused = open_table(her, guests="nobody-here, bad@, <b>alice")
    [item] = soup(refused).select(".form-errors li")
    errors = [error.get_text() for error in soup(refused).select(".errorlist li")]
    assert len(errors) == 3
    assert item.get_text(" ", strip=True) == f"Invite people : {' '.join(errors)}"
    assert not item.select("b")


@pytest.mark.parametrize(
    ("guests", "whom"),
    [
        ("Dora <dora@example.com>", ["dora@example.com"]),
        ('"Müller, Dora" <dora@example.com>; eve@example.com, bob', ["dora@example.com", "eve@example.com", "bob"]),
        ("bob, Eve of <eve@example.com>, carol", ["bob", "eve@example.com", "carol"]),
        ("dora@example.com bob <eve@example.com>", ["dora@example.com", "bob", "eve@example.com"]),
        ('"dora@example.com" <dora@example.com>', ["dora@example.com"]),
        ("MAILTO:dora@example.com bob", ["dora@example.com", "bob"]),
        ("dora@example.com <mailto:dora@example.com>", ["dora@example.com"]),
    ],
)
def test_it_takes_addresses_as_mail_programs_copy_them(
    her: Client, bob: Player, carol: Player, guests: str, whom: list[str]
) -> None:
    assert open_table(her, guests=guests, size="4").status_code == 303
    assert invited() == whom


@pytest.mark.parametrize(
    ("guests", "says"),
    [
        ("", "The table is open."),
        ("bob BOB", "The table is open. 1 invitation is on its way."),
        ("bob, carol", "The table is open. 2 invitations are on their way."),
        # One of these addresses has an account, the other has none: nothing of that shows.
        ("bob carol@example.com", "The table is open. 2 invitations are on their way."),
        ("bob dora@example.com", "The table is open. 2 invitations are on their way."),
    ],
)
def test_it_says_how_many_invitations_go_out(her: Client, bob: Player, carol: Player, guests: str, says: str) -> None:
    assert carol.email == "carol@example.com"
    assert text_of(her.get(open_table(her, guests=guests)["Location"]), ".flashes") == says


def test_it_says_nothing_of_an_open_table_where_the_game_has_begun(her: Client) -> None:
    page = her.get(open_table(her, size="3", bots="2")["Location"])
    assert soup(page).select_one(".flashes") is None


@pytest.mark.parametrize(("chosen", "days"), [({}, 3), ({"kept_for": "1"}, 1), ({"kept_for": "14"}, 14)])
def test_its_opener_says_for_how_long(her: Client, bob: Player, chosen: dict[str, str], days: int) -> None:
    open_table(her, guests="bob", keeps_seats="on", **chosen)
    kept = Invitation.objects.get()
    assert kept.kept_until == kept.created_at + timedelta(days=days)


@pytest.mark.parametrize("kept_for", ["0", "2", "15", "-1", "x", "1e9"])
def test_it_keeps_no_seat_for_any_other_time(her: Client, bob: Player, kept_for: str) -> None:
    response = open_table(her, guests="bob", keeps_seats="on", kept_for=kept_for)
    assert (response.status_code, "Choose one of these." in text_of(response)) == (422, True)
    assert not Invitation.objects.exists()


def test_it_keeps_seats_for_them(her: Client, bob: Player, carol: Player) -> None:
    response = open_table(her, guests="bob carol", keeps_seats="on")
    assert Invitation.objects.filter(kept_until__isnull=False).count() == 2
    assert text_of(her.get(response["Location"])).count("kept for somebody who is invited") == 2


def test_who_keeps_all_seats_is_not_asked_to_invite_more(her: Client, bob: Player, carol: Player) -> None:
    """Until one of these seats is free again: then the parts of the page differ, so an open page is loaded again."""
    table = open_table(her, guests="bob carol", keeps_seats="on")["Location"]

    def forms_and_parts() -> tuple[int, list[str]]:
        page = soup(her.get(table))
        return len(page.select("input[name=to]")), [part["id"] for part in page.select("[data-renew]")]

    asks, parts = forms_and_parts()
    assert asks == 0
    assert "Waiting for invited players A seat is kept for each of them." in text_of(her.get(table))
    assert her.post(f"{table}invite/", {"to": "dora"}).status_code == 422
    play.decline_invitations(Game.objects.get(), player=bob, at=timezone.now())
    asks, now = forms_and_parts()
    assert (asks, now == parts) == (1, False)
    assert "Waiting for players The game starts when all seats are taken." in text_of(her.get(table))


@pytest.mark.parametrize(
    ("guests", "status", "says"),
    [
        ("bob, nobody, dora@example.com", 422, "nobody: There is no player of that name."),
        ("bob dora@", 422, "dora@: That is not an e-mail address."),
        ("bob, <b>x</b>", 422, "<b>x</b>: There is no player of that name."),
        ("alice", 422, "alice: You cannot invite yourself."),
        ("bob\x00", 422, "Leave out the signs that cannot be seen."),
        ("bob " + "b" * 5000, 422, "At most 5000 letters fit here, and these are 5004."),
        (
            ", ".join(f"{n}@example.com" for n in range(61)),
            429,
            "57@example.com: At most 60 invitations of yours go out in a day, and 280 in 14 days.",
        ),
        ("bob asked", 429, "asked: They have not answered three invitations of the last 14 days"),
    ],
)
def test_it_opens_no_table_where_somebody_cannot_be_invited(
    her: Client, alice: Player, bob: Player, guests: str, status: int, says: str
) -> None:
    make_player("asked")
    for _time in range(3):
        play.invite(make_table(alice), by=alice, to="asked", at=timezone.now())
    before = Game.objects.count(), Seat.objects.count(), Deal.objects.count(), Invitation.objects.count()
    deal = offered_deal(her)
    response = open_table(her, guests=guests, deal=deal)
    assert response.status_code == status
    after = Game.objects.count(), Seat.objects.count(), Deal.objects.count(), Invitation.objects.count()
    assert after == before
    page = soup(response)
    [field] = page.select("input[name=guests]")
    assert says in " ".join(page.select_one("#id_guests_error").get_text().split())  # type: ignore[union-attr]
    assert field["aria-invalid"] == "true"
    assert str(field["value"]) == guests.strip() or "\x00" in guests
    assert open_table(her, guests="bob" if "asked" in guests else "", deal=deal).status_code == 303


def test_it_says_at_once_who_all_cannot_be_invited(her: Client, bob: Player) -> None:
    response = open_table(her, guests="nobody, bob, dora@, alice, erin@example.com")
    assert response.status_code == 422
    assert [said.get_text() for said in soup(response).select("#id_guests_error li")] == [
        "nobody: There is no player of that name.",
        "dora@: That is not an e-mail address.",
        "alice: You cannot invite yourself.",
    ]
    assert not Invitation.objects.exists()


def test_browsers_do_not_cut_a_list_that_is_too_long(her: Client) -> None:
    assert not soup(her.get("/tables/new/")).select("[name=guests][maxlength]")
    guests = ", ".join(f"somebody-{number}@example.com" for number in range(200))
    page = open_table(her, guests=guests)
    assert f"At most 5000 letters fit here, and these are {len(guests)}." in text_of(page)
    assert soup(page).select("[name=guests]")[0]["value"] == guests


def test_it_looks_up_no_endless_list_of_wrong_names(her: Client) -> None:
    response = open_table(her, guests=" ".join(f"x{number}" for number in range(300)))
    assert len(soup(response).select("#id_guests_error li")) == 20
    assert not Game.objects.exists()


def test_it_says_where_computer_players_take_all_seats(her: Client, bob: Player) -> None:
    response = open_table(her, size="3", bots="2", guests="bob")
    assert response.status_code == 422
    assert "Computer players take all the other seats, so nobody can be invited." in text_of(response)
    assert not Game.objects.exists()


def test_it_keeps_no_more_seats_than_there_are(her: Client, bob: Player, carol: Player) -> None:
    response = open_table(her, size="2", guests="bob carol", keeps_seats="on")
    assert "carol: There is no free seat left to keep" in text_of(response)
    assert not Invitation.objects.exists()
    assert open_table(her, size="2", guests="bob carol").status_code == 303
    assert len(invited()) == 2


def test_a_form_that_is_sent_twice_invites_once(her: Client, bob: Player) -> None:
    deal = offered_deal(her)
    for _time in range(2):
        assert open_table(her, guests="bob", deal=deal).status_code == 303
    assert (invited(), Game.objects.count()) == (["bob"], 1)


def test_what_it_says_of_an_address_does_not_depend_on_an_account(her: Client) -> None:
    said = []
    for _world in range(2):
        response = open_table(her, guests="dora@example.com erin@example.com frank@")
        told = text_of(response, "#id_guests_error")
        opened = open_table(her, guests="dora@example.com", keeps_seats="on")
        said.append((response.status_code, told, opened.status_code, text_of(her.get(opened["Location"]), ".invited")))
        Invitation.objects.all().delete()
        make_player("dora") if not Player.objects.filter(username="dora").exists() else None
    assert said[0][:3] == said[1][:3]
    assert said[0][3].split(",")[0] == said[1][3].split(",")[0]


def test_it_begins_with_somebody_to_play_with(her: Client, bob: Player) -> None:
    """As the button of a player's page asks for it: a table for two, with a seat that is kept."""
    [button] = soup(her.get("/players/bob/")).select(".page-actions a.button")
    assert button.get_text() == "New table with bob"
    page = soup(her.get(str(button["href"])))
    [guests] = page.select("input[name=guests]")
    assert guests["value"] == "bob"
    sent = {str(field["name"]): str(field.get("value") or "on") for field in page.select("main input[checked]")}
    assert (sent["size"], sent["bots"], sent["keeps_seats"]) == ("2", "0", "on")
    assert open_table(her, **sent, guests=str(guests["value"])).status_code == 303
    assert invited() == ["bob"]
    assert Invitation.objects.get().kept_until


def test_nobody_is_asked_to_play_with_themselves_or_whom_they_block(
    her: Client, client: Client, alice: Player, bob: Player
) -> None:
    assert not soup(her.get("/players/alice/")).select(".page-actions a.button")
    play.mute_player(alice, bob, blocks=True, at=timezone.now())
    assert not soup(her.get("/players/bob/")).select(".page-actions a.button")
    client.logout()
    assert not soup(client.get("/players/bob/")).select(".page-actions")
