"""Which mail a player wants, and when."""

from __future__ import annotations

from datetime import time
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from games import play
from games.models import Game, Player
from games.pages.player.mail_preferences import MailForm
from tests.cast import AT, make_game, make_table
from tests.pages.helpers import seat_of, soup, table_url, text_of

pytestmark = pytest.mark.django_db

PAGE = "/preferences/mail/"
USUAL = {
    "mail_mode": "every",
    "reminds": "on",
    "links_keepsake": "on",
    "mail_text": "short",
    "digest_hours": ["7", "18"],
    "quiet_from": "",
    "quiet_until": "",
}


def prefer(client: Client, **values: Any) -> Any:
    return client.post(PAGE, USUAL | values)


def wishes(player: Player) -> tuple[object, ...]:
    player.refresh_from_db()
    return player.mail_mode, player.digest_hours, player.quiet_from, player.quiet_until, player.days_off


# --- The form ------------------------------------------------------------------------------------


def test_it_keeps_what_is_chosen(her: Client, alice: Player) -> None:
    chosen = {"digest_hours": ["6", "20"], "quiet_from": "22:30", "quiet_until": "07:00", "days_off": ["5", "6"]}
    response = prefer(her, mail_mode="digest", **chosen)
    assert (response.status_code, response["Location"]) == (303, PAGE)
    assert wishes(alice) == ("digest", "6,20", time(22, 30), time(7), "56")
    prefer(her)
    assert wishes(alice) == ("every", "7,18", None, None, "")


def test_it_shows_what_is_chosen(her: Client, alice: Player) -> None:
    prefer(her, mail_mode="once", digest_hours=["0", "23"], quiet_from="22:30", quiet_until="07:00", days_off=["6"])
    page = soup(her.get(PAGE))
    ticked = [(box["name"], box["value"]) for box in page.select("input[checked][value]")]
    assert ticked == [
        ("mail_mode", "once"),
        ("digest_hours", "0"),
        ("digest_hours", "23"),
        ("days_off", "6"),
        ("mail_text", "short"),
    ]
    assert [page.select_one(f"#id_{name}")["value"] for name in ("quiet_from", "quiet_until")] == ["22:30", "07:00"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"mail_mode": "sometimes"}, "mail_mode"),
        ({"mail_mode": ""}, "mail_mode"),
        ({"mail_text": "long"}, "mail_text"),
        ({"mail_mode": "digest", "digest_hours": []}, "digest_hours"),
        ({"digest_hours": ["24"]}, "digest_hours"),
        ({"digest_hours": [str(hour) for hour in range(13)]}, "digest_hours"),
        ({"quiet_from": "22:00"}, "quiet_until"),
        ({"quiet_until": "22:00"}, "quiet_until"),
        ({"quiet_from": "22:00", "quiet_until": "22:00"}, "quiet_until"),
        ({"quiet_from": "07:00", "quiet_until": "23:01"}, "quiet_until"),
        ({"quiet_from": "late", "quiet_until": "07:00"}, "quiet_from"),
        ({"days_off": ["0", "1", "2", "3"]}, "days_off"),
        ({"days_off": ["7"]}, "days_off"),
    ],
)
def test_it_refuses_what_makes_no_sense(her: Client, alice: Player, wrong: dict[str, Any], field: str) -> None:
    before = wishes(alice)
    response = prefer(her, **wrong)
    assert response.status_code == 422
    assert wishes(alice) == before
    assert set(MailForm(response.context["form"].data, instance=alice).errors) == {field}
    [group] = soup(response).select("fieldset:has(.errorlist)")
    assert group.select(f"[name={field}]"), "what is wrong is said beside it"
    page = soup(response)
    links = {str(link["href"]) for link in page.select("form > [role=alert] a")}
    assert f"#id_{field}" in links
    assert all(page.select(f"form {link}") for link in links)


@pytest.mark.parametrize("hours", [[str(hour) for hour in range(12)], [str(hour) for hour in range(12, 24)], ["0"]])
def test_it_takes_up_to_twelve_hours(her: Client, alice: Player, hours: list[str]) -> None:
    assert prefer(her, mail_mode="digest", digest_hours=hours).status_code == 303
    alice.refresh_from_db()
    assert list(map(str, alice.hours)) == hours


def test_it_keeps_the_hours_of_who_wants_no_digest_and_chooses_none(her: Client, alice: Player) -> None:
    assert prefer(her, digest_hours=[]).status_code == 303
    assert wishes(alice)[:2] == ("every", "7,18")


def test_it_takes_sixteen_quiet_hours_and_no_more(her: Client, alice: Player) -> None:
    assert prefer(her, quiet_from="17:00", quiet_until="09:00").status_code == 303
    assert wishes(alice)[2:4] == (time(17), time(9))


def test_it_changes_nothing_else(her: Client, alice: Player) -> None:
    prefer(her, email="mallory@example.com", is_staff="on", time_zone="Asia/Tokyo", mail_bounce="x")
    alice.refresh_from_db()
    assert (alice.email, alice.is_staff, alice.time_zone, alice.mail_bounce) == ("alice@example.com", False, "UTC", "")


def test_it_asks_a_visitor_to_sign_in(client: Client) -> None:
    assert client.get(PAGE).status_code == 302
    assert prefer(client).status_code == 302


def test_it_names_every_field(her: Client, alice: Player) -> None:
    make_table(alice)
    page = soup(her.get(PAGE))
    fields = [
        field
        for form in page.select("form[method=post]:not(#sign-out)")
        for field in form.select("input:not([type=hidden]), select")
    ]
    assert len(fields) == 5 + 1 + 1 + 24 + 2 + 7 + 2 + 1 + 1
    for field in fields:
        assert page.select_one(f"label[for='{field['id']}']") or field.find_parent("label")


def test_nobody_moves_without_signing_in_who_has_not_said_so(her: Client, alice: Player) -> None:
    assert not soup(her.get(PAGE)).select_one("#id_presses").has_attr("checked")  # type: ignore[union-attr]
    for ticked in (True, False):
        her.post(PAGE, {**USUAL, "presses": "on"} if ticked else USUAL)
        alice.refresh_from_db()
        assert alice.presses == ticked


def test_reminders_can_be_done_without(her: Client, alice: Player) -> None:
    for ticked in (False, True):
        her.post(PAGE, USUAL if ticked else {name: value for name, value in USUAL.items() if name != "reminds"})
        alice.refresh_from_db()
        assert (alice.reminds, alice.mail_mode) == (ticked, "every")
        assert soup(her.get(PAGE)).select_one("#id_reminds").has_attr("checked") == ticked  # type: ignore[union-attr]


def test_the_link_to_the_keepsake_can_be_done_without(her: Client, alice: Player) -> None:
    for ticked in (False, True):
        her.post(PAGE, USUAL if ticked else {name: value for name, value in USUAL.items() if name != "links_keepsake"})
        alice.refresh_from_db()
        assert alice.links_keepsake == ticked


# --- What is in a mail ---------------------------------------------------------------------------


def test_it_keeps_which_text_mails_have(her: Client, alice: Player) -> None:
    for text in ("full", "short"):
        assert prefer(her, mail_text=text).status_code == 303
        alice.refresh_from_db()
        assert alice.mail_text == text
        [ticked] = soup(her.get(PAGE)).select("input[name=mail_text][checked]")
        assert ticked["value"] == text


def test_it_asks_what_becomes_of_moves_by_mail_only_where_mails_can_be_answered(
    her: Client, alice: Player, settings: Settings
) -> None:
    assert not soup(her.get(PAGE)).select("[name=mail_answers]")
    assert prefer(her, mail_answers="play").status_code == 303
    alice.refresh_from_db()
    assert alice.mail_answers == "ask"
    settings.REPLY_ADDRESS = "turn@clans.example.com"
    assert soup(her.get(PAGE)).select_one("[name=mail_answers][checked]")["value"] == "ask"  # type: ignore[index]
    assert prefer(her, mail_answers="play").status_code == 303
    alice.refresh_from_db()
    assert alice.mail_answers == "play"
    assert prefer(her, mail_answers="always").status_code == 422
    assert prefer(her).status_code == 422, "where it is asked, it has an answer"


# --- Tables --------------------------------------------------------------------------------------


def test_it_asks_for_a_wish_for_each_unfinished_table(her: Client, alice: Player, bob: Player) -> None:
    game, table, over = make_game(alice, bob), make_table(alice), make_game(bob, alice)
    for player in (alice, bob):
        play.agree_to_abandon(over, player=player, agrees=True, at=AT)
    make_table(bob)
    names = [select["name"] for select in soup(her.get(PAGE)).select(".mail-tables select")]
    assert names == [f"table-{table.slug}", f"table-{game.slug}"]


def test_it_keeps_and_shows_a_wish_for_a_table(her: Client, alice: Player, bob: Player) -> None:
    game, other = make_game(alice, bob), make_game(alice, bob)
    assert not soup(her.get(PAGE)).select("details[open]")
    prefer(her, **{f"table-{game.slug}": "reminders"})
    assert (seat_of(game, alice).mail_mode, seat_of(game, bob).mail_mode) == ("reminders", "")
    assert seat_of(other, alice).mail_mode == ""
    page = soup(her.get(PAGE))
    assert [option["value"] for option in page.select("details[open] option[selected]")] == ["", "reminders"]
    prefer(her)
    assert seat_of(game, alice).mail_mode == "reminders", "a table of which the form says nothing stays as it was"
    prefer(her, **{f"table-{game.slug}": ""})
    assert seat_of(game, alice).mail_mode == ""


def test_it_refuses_a_wish_that_there_is_not(her: Client, alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    response = prefer(her, **{f"table-{game.slug}": "sometimes"})
    assert response.status_code == 422
    assert seat_of(game, alice).mail_mode == ""


def test_it_asks_for_hours_when_one_table_wants_a_digest(her: Client, alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    assert prefer(her, digest_hours=[], **{f"table-{game.slug}": "digest"}).status_code == 422


def test_it_leaves_tables_of_others_alone(her: Client, bob: Player, carol: Player) -> None:
    game = make_game(bob, carol)
    prefer(her, **{f"table-{game.slug}": "nothing"})
    assert set(game.seats.values_list("mail_mode", flat=True)) == {""}


def test_it_asks_the_same_few_queries_however_many_tables(
    her: Client, alice: Player, bob: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _number in range(7):
        make_table(alice)
    with django_assert_num_queries(3):  # session, player and the tables that wait, tables
        assert len(soup(her.get(PAGE)).select(".mail-tables select")) == 7


# --- At the table --------------------------------------------------------------------------------


def test_it_sets_the_wish_at_the_table(her: Client, game: Game, alice: Player) -> None:
    response = her.post(table_url(game, "mail/"), {"mode": "nothing"})
    assert (response.status_code, response["Location"]) == (303, table_url(game))
    assert seat_of(game, alice).mail_mode == "nothing"
    assert "Mail about this table: nothing." in text_of(her.get(table_url(game)))
    her.post(table_url(game, "mail/"), {"mode": ""})
    assert seat_of(game, alice).mail_mode == ""


def test_it_refuses_a_wish_at_the_table_that_there_is_not(her: Client, game: Game, alice: Player) -> None:
    assert her.post(table_url(game, "mail/"), {"mode": "sometimes"}).status_code == 422
    assert seat_of(game, alice).mail_mode == ""


def test_it_lets_only_the_seated_wish_at_the_table(client: Client, game: Game, mallory: Player) -> None:
    assert client.post(table_url(game, "mail/"), {"mode": "nothing"}).status_code == 302
    client.force_login(mallory)
    assert client.post(table_url(game, "mail/"), {"mode": "nothing"}).status_code == 403
    assert set(game.seats.values_list("mail_mode", flat=True)) == {""}


def test_it_changes_no_wish_by_get(her: Client, game: Game, alice: Player) -> None:
    assert her.get(table_url(game, "mail/"), {"mode": "nothing"}).status_code == 302
    assert seat_of(game, alice).mail_mode == ""
