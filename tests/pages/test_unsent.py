"""What somebody sends who was signed out meanwhile: after signing in it stands in the form again, not sent."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import unquote

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.test import Client

from games import play
from games.limits import POSTCARDS
from games.models import ApiToken, Game, Invitation, Note, Player, Postcard, Season, Vacation
from tests.account.signing_in import sign_in
from tests.cast import AT, make_table, play_out
from tests.pages.helpers import soup, table_url, text_of
from tests.pages.test_new_table import CHOICES

pytestmark = pytest.mark.django_db

Fields = dict[str, str | list[str]]


def sign_out_from_elsewhere(client: Client, player: Player) -> None:
    """End the session of a player who has seen a page of the site."""
    client.force_login(player)
    client.get("/preferences/")
    Session.objects.all().delete()


def send_and_sign_in(client: Client, player: Player, address: str, fields: Fields) -> str:
    """Where signing in leads to, for a player who was signed out and has sent these fields."""
    sign_out_from_elsewhere(client, player)
    asked = client.post(address, fields)
    assert asked.status_code == 302
    assert asked["Location"].startswith("/accounts/login/?next=/")
    kept = "What you wrote is kept for the account that was signed in here"
    assert kept in text_of(client.get(asked["Location"]), "[autofocus]")
    client.force_login(player)
    return unquote(asked["Location"].partition("?next=")[2])


def shown_at(client: Client, page: str, name: str) -> list[str]:
    """What stands in the fields of that name."""
    fields = soup(client.get(page)).select(f"main [name={name}]:not([type=hidden])")
    chosen = [field for field in fields if field.get("type") not in ("checkbox", "radio") or field.has_attr("checked")]
    return [field.get_text() if field.name == "textarea" else str(field.get("value", "")) for field in chosen]


@pytest.mark.parametrize(
    ("address", "fields"),
    [
        ("/tables/new/", CHOICES | {"name": "Winter table", "guests": "dora@example.com, bob", "size": "4"}),
        ("/tables/new/?against=computer", CHOICES | {"name": "Against two", "bots": "1"}),
        ("/leagues/new/", {"name": "Winter", "size": "3", "format": "swiss", "rounds": "7", "pace": "brisk"}),
        ("/vacation/", {"first": "2026-12-24", "last": "2026-12-31"}),
        ("/preferences/tokens/", {"name": "Statistics on my laptop"}),
        ("/preferences/name/", {"name": "alicia"}),
        ("/preferences/mail/", {"mail_mode": "digest", "quiet_from": "21:30", "digest_hours": ["9", "15"]}),
    ],
)
def test_a_form_is_filled_again(client: Client, alice: Player, address: str, fields: Fields) -> None:
    page = send_and_sign_in(client, alice, address, fields)
    assert page == address
    for _look in range(2):
        for name, value in fields.items():
            wanted = value if isinstance(value, list) else [value]
            assert shown_at(client, page, name) == wanted, name
    assert not soup(client.get(page)).select("[role=alert], .form-errors")
    unchanged = Player.objects.get(pk=alice.pk)
    assert (unchanged.username, unchanged.mail_mode) == ("alice", alice.mail_mode)
    assert not any(model.objects.exists() for model in (Game, Season, Vacation, ApiToken))


def test_a_box_without_a_tick_stays_so(client: Client, alice: Player) -> None:
    client.force_login(alice)
    assert soup(client.get("/preferences/")).select("[name=confirms_moves][checked]")
    client.logout()
    page = send_and_sign_in(client, alice, "/preferences/", {"time_zone": "Asia/Tokyo"})
    assert not soup(client.get(page)).select("[name=confirms_moves][checked]")
    [zone] = soup(client.get(page)).select("[name=time_zone] option[selected]")
    assert zone["value"] == "Asia/Tokyo"


def test_another_page_has_nothing_of_it_and_what_is_sent_ends_it(client: Client, alice: Player) -> None:
    page = send_and_sign_in(client, alice, "/preferences/tokens/", {"name": "Statistics"})
    assert shown_at(client, "/preferences/name/", "name") == [""]
    client.post(page, {"name": "Statistics"})
    assert shown_at(client, page, "name") == [""]


def test_nobody_else_who_signs_in_gets_it(client: Client, alice: Player, bob: Player) -> None:
    send_and_sign_in(client, alice, "/preferences/tokens/", {"name": "Statistics"})
    client.force_login(bob)
    assert shown_at(client, "/preferences/tokens/", "name") == [""]
    sign_out_from_elsewhere(client, alice)
    client.post("/preferences/tokens/", {"name": "Statistics"})
    client.force_login(bob)
    assert shown_at(client, "/preferences/tokens/", "name") == [""]


@pytest.mark.parametrize("way", ["signs out", "signs out late", "ends this session"])
def test_who_signs_out_here_leaves_nothing(client: Client, alice: Player, way: str) -> None:
    sign_in(client, "alice")
    client.get("/preferences/")
    session = client.get("/accounts/sessions/").context["lines"][0]["key"]
    if way == "signs out late":
        Session.objects.all().delete()
    address = "/accounts/sessions/" if way == "ends this session" else "/accounts/logout/"
    answer = client.post(address, {"session": session})
    assert answer["Clear-Site-Data"] == '"cache"'
    asked = client.post("/preferences/tokens/", {"name": "Statistics"})
    assert "is kept" not in text_of(client.get(asked["Location"]))
    assert not Session.objects.exists()


def test_a_note_does_not_wait(client: Client, mid: Game, alice: Player) -> None:
    """It is a secret."""
    sign_out_from_elsewhere(client, alice)
    assert client.post(table_url(mid, "notebook/"), {"text": "Bob is red", "seen": ""}).status_code == 302
    assert not Session.objects.exists()
    client.force_login(alice)
    assert "Bob is red" not in client.get(table_url(mid)).content.decode()
    assert not Note.objects.exists()


def test_who_is_to_be_invited_waits(client: Client, alice: Player) -> None:
    table = make_table(alice, size=3, at=AT)
    page = send_and_sign_in(client, alice, table_url(table, "invite/"), {"to": "dora@example.com", "keeps_seat": "on"})
    assert page == table_url(table)
    assert shown_at(client, page, "to") == ["dora@example.com"]
    assert soup(client.get(page)).select("[name=keeps_seat][checked]")
    assert not Invitation.objects.exists()


def test_words_about_a_move_wait_where_it_is(client: Client, game: Game, alice: Player) -> None:
    over = play_out(game)
    assert over.ended_at
    with time_machine.travel(over.ended_at + timedelta(hours=1), tick=False):
        page = send_and_sign_in(client, alice, table_url(over, "ply/5/comment/"), {"say": "There it turned."})
        assert page == table_url(over, "ply/5/")
        assert shown_at(client, page, "say") == ["There it turned."]
        assert shown_at(client, table_url(over, "ply/6/"), "say") == [""]
    assert not Postcard.objects.exists()


@pytest.mark.parametrize(("who", "field"), [("alice", "say"), ("bob", "reason")])
def test_what_is_written_of_a_postcard_waits(client: Client, game: Game, alice: Player, who: str, field: str) -> None:
    play.write_postcard(game, player=alice, text="Helo", at=play.now())
    address = table_url(game, "talk/1/")
    page = send_and_sign_in(client, Player.objects.get(username=who), address, {"do": "edit", field: "Hello!"})
    assert page == address
    assert shown_at(client, page, field) == ["Hello!"]
    assert "Helo" in text_of(client.get(page))


def test_one_network_stores_few_sessions_and_nothing_long(alice: Player) -> None:
    def post(name: str) -> None:
        client = Client()
        client.cookies["player"] = str(alice.pk)
        client.post("/tables/new/", {"name": name})

    post("x" * 20_000)
    assert not Session.objects.exists()
    for _post in range(42):
        post("Friday")
    assert Session.objects.count() == POSTCARDS.rates[0].amount
