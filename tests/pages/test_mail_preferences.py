"""Which mail a player wants, and when."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings
from time_machine import travel

from games import play
from games.models import Game, Notice, Player, Seat
from games.pages.player.mail import MailForm
from tests.cast import AT, make_game, make_table
from tests.pages.helpers import seat_of, soup, table_url, text_of, to_move

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


@pytest.fixture
def her(client: Client, alice: Player) -> Client:
    client.force_login(alice)
    return client


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


# --- What waits, and deadlines -------------------------------------------------------------------


@pytest.fixture
def called(client: Client, game: Game) -> Notice:
    """The call of whoever is to move, who is signed in; it waits."""
    player = to_move(game)
    client.force_login(player)
    call = Notice.objects.get(seat__game=game, seat__player=player, kind=Notice.Kind.TURN)
    assert call.state == Notice.State.DUE
    return call


def test_it_decides_again_on_what_waits(client: Client, called: Notice) -> None:
    with travel(AT + timedelta(minutes=1), tick=False):
        prefer(client, quiet_from="19:00", quiet_until="08:00")
    called.refresh_from_db()
    assert (called.state, called.reason, called.due_at) == ("due", "quiet", datetime(2026, 3, 3, 8, tzinfo=UTC))
    with travel(AT + timedelta(minutes=2), tick=False):
        prefer(client, mail_mode="digest", digest_hours=["6"])
    called.refresh_from_db()
    assert (called.state, called.reason, called.due_at) == ("due", "digest", datetime(2026, 3, 3, 6, tzinfo=UTC))
    with travel(AT + timedelta(minutes=3), tick=False):
        prefer(client, mail_mode="nothing")
    called.refresh_from_db()
    assert (called.state, called.reason) == ("superseded", "unwanted")


def test_it_decides_again_when_one_table_is_silenced(client: Client, called: Notice, game: Game) -> None:
    with travel(AT + timedelta(minutes=1), tick=False):
        client.post(table_url(game, "mail/"), {"mode": "nothing"})
    called.refresh_from_db()
    assert (called.state, called.reason) == ("superseded", "unwanted")


def test_it_lets_no_deadline_fall_into_quiet_hours(client: Client, called: Notice, game: Game) -> None:
    due = Game.objects.get(pk=game.pk).due_at
    with travel(AT + timedelta(minutes=1), tick=False):
        prefer(client, quiet_from="19:00", quiet_until="08:00")
    game.refresh_from_db()
    assert due == datetime(2026, 3, 12, 20, tzinfo=UTC)
    assert game.due_at == datetime(2026, 3, 13, 8, tzinfo=UTC)
    with travel(AT + timedelta(minutes=2), tick=False):
        prefer(client)
    game.refresh_from_db()
    assert game.due_at == datetime(2026, 3, 13, 8, tzinfo=UTC), "none comes sooner than was promised"


def test_it_leaves_deadlines_alone_when_the_calendar_stays(client: Client, called: Notice, game: Game) -> None:
    moment = AT + timedelta(days=1, hours=3)
    Game.objects.filter(pk=game.pk).update(due_at=moment, free_until=moment)
    prefer(client, mail_mode="once")
    game.refresh_from_db()
    assert game.due_at == moment


def test_it_sets_deadlines_again_in_another_zone(client: Client, called: Notice, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(reserve_hours=0)
    player = called.seat.player
    assert player is not None
    Player.objects.filter(pk=player.pk).update(quiet_from=time(22), quiet_until=time(8))
    play.reset_clocks(Player.objects.get(pk=player.pk), at=AT)
    game.refresh_from_db()
    assert game.due_at == AT + timedelta(days=3)
    with travel(AT + timedelta(minutes=1), tick=False):
        client.post("/preferences/", {"time_zone": "Asia/Tokyo"})
    game.refresh_from_db()
    called.refresh_from_db()
    eight_there = datetime(2026, 3, 5, 23, tzinfo=UTC)
    assert game.due_at == eight_there
    assert (called.reason, called.due_at) == ("quiet", datetime(2026, 3, 2, 23, tzinfo=UTC))


# --- What it means now ---------------------------------------------------------------------------


def outlook(client: Client) -> str:
    [lead] = soup(client.get(PAGE)).select(".lead")
    return lead.get_text().strip()


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({}, "The next mail could go at any time."),
        ({"mail_mode": "nothing"}, "No mail goes out to you, not even when your time runs out."),
        ({"mail_mode": "reminders"}, "A reminder could go at any time; nothing else does."),
        ({"quiet_from": "19:00", "quiet_until": "08:00"}, "Your quiet time: nothing goes before tomorrow, 08:00"),
        ({"days_off": ["0", "1"]}, "Your quiet time: nothing goes before Wednesday 4 March, 00:00"),
        (
            {"mail_mode": "reminders", "quiet_from": "19:00", "quiet_until": "08:00"},
            "The next reminder could go tomorrow, 08:00; nothing else does.",
        ),
        (
            {"mail_mode": "digest", "digest_hours": ["21"]},
            "The next digest goes today, 21:00, if there is anything to tell. Reminders do not wait for it.",
        ),
    ],
)
def test_it_says_when_the_next_mail_may_come(her: Client, wish: dict[str, Any], said: str) -> None:
    with travel(AT, tick=False):
        prefer(her, **wish)
        assert outlook(her) == said
        [next_one] = soup(her.get("/mail/")).select(".mail-now dd:last-child")
        assert next_one.get_text().strip() == said


def test_it_says_that_nothing_goes_to_an_address_that_takes_no_mail(her: Client, alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(mail_bounced_at=AT)
    assert outlook(her) == "No mail goes out to you, because our mails have not arrived."


def test_it_says_moments_by_the_players_clock(her: Client, alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(time_zone="Asia/Tokyo")
    with travel(AT, tick=False):  # 05:00 there, on Tuesday
        prefer(her, quiet_from="19:00", quiet_until="08:00")
        assert outlook(her).endswith("nothing goes before today, 08:00")


def test_the_home_page_promises_no_mail_that_will_not_come(her: Client, alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    Game.objects.filter(pk=game.pk).update(awaited=bob, to_move=Seat.objects.get(game=game, player=bob).number)
    assert "A mail will call you" in text_of(her.get("/"))
    for wish in ({"mail_mode": "nothing"}, {"mail_mode": "reminders"}, {"mail_mode": "once", "mail_bounced_at": AT}):
        Player.objects.filter(pk=alice.pk).update(**wish)
        assert "look in now and then" in text_of(her.get("/"))


def test_it_costs_3_queries_however_many_tables_there_are(
    her: Client, alice: Player, bob: Player, django_assert_max_num_queries: Any
) -> None:
    for _number in range(7):
        make_game(alice, bob)
    with django_assert_max_num_queries(3):
        page = soup(her.get(PAGE))
    assert len(page.select(".mail-tables li")) == 7
    assert len(page.select("input[name=mail_mode][required]")) == 5
