"""A table before its game has started."""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import unquote

import pytest
import time_machine
from django.test import Client

from games import play
from games.models import Game, Player, Seat
from tests.cast import AT, make_table, play_out
from tests.pages.helpers import links, soup, table_url, text_of


@pytest.fixture
def table(alice: Player) -> Game:
    """A table for three that alice has opened."""
    return make_table(alice)


def test_it_shows_who_sits_there_and_how_many_seats_are_free(client: Client, table: Game) -> None:
    response = client.get(table_url(table))
    assert "alice whose table it is" in text_of(response, ".seats")
    assert len(soup(response).select(".seat-free")) == 2
    assert "2 seats are free" in text_of(response, ".lead")


def test_it_tells_a_friend_what_this_is_and_offers_the_seat_first(client: Client, table: Game, bob: Player) -> None:
    client.force_login(bob)
    page = soup(client.get(table_url(table)))
    [board] = page.select("main figure svg.clans-board")
    assert board["aria-label"] == "A game of three, seen from above"
    about = text_of(client.get(table_url(table)), ".invitation p")
    assert "played here over days" in about
    assert len(re.findall(r"\.(?: |$)", about)) == 3
    first = page.select("main :is(button, a.button)")[0]
    assert first.get_text() == "Sit down"
    form = page.select_one(f"form#{first['form']}")
    assert form
    assert form["action"] == table_url(table, "join/")
    folded = page.select("main details")
    assert not any(one.has_attr("open") for one in folded)
    assert [summary.get_text() for one in folded for summary in one.select("summary")] == [
        "Add words of your own to the shuffle",
        "Cards and huts are drawn fairly",
    ]


def test_it_offers_a_visitor_the_seat_first(client: Client, table: Game) -> None:
    page = soup(client.get(table_url(table)))
    first = page.select("main :is(button, a.button)")[0]
    assert first.get_text() == "Sit down"
    form = page.select_one(f"form#{first['form']}")
    assert form
    assert form["action"] == table_url(table, "join/")
    assert not form.select("[name=words]")


def test_it_tells_those_who_sit_there_no_more_what_this_is(client: Client, table: Game, alice: Player) -> None:
    client.force_login(alice)
    response = client.get(table_url(table))
    assert not soup(response).select("main figure, .invitation")
    assert "Invite people by this link" in text_of(response)


@pytest.mark.parametrize("end", ["", "started", "over"])
def test_it_tells_those_who_have_played_no_more_what_this_is(
    client: Client, table: Game, bob: Player, end: str
) -> None:
    other = make_table(bob, size=2, bots=1 if end else 0, at=AT)
    if end == "over":
        play_out(other)
    client.force_login(bob)
    response = client.get(table_url(table))
    assert ("played here over days" in text_of(response)) == (end == "")
    assert text_of(response, "main button") == "Sit down"


def test_it_shows_the_commitment_from_the_start(client: Client, table: Game) -> None:
    [folded] = soup(client.get(table_url(table))).select("main details:not([open])")
    assert table.deal.commitment in folded.get_text()


def test_it_folds_the_words_for_the_deal_away_until_there_are_some(client: Client, table: Game, bob: Player) -> None:
    client.force_login(bob)
    [words] = soup(client.get(table_url(table))).select("details:not([open]) [name=words]")
    assert words.find_parent("form")
    refused = client.post(table_url(table, "join/"), {"words": "reeds" * 30})
    assert soup(refused).select("details[open] [name=words]")


def test_it_leads_a_visitor_to_an_account_and_back(client: Client, table: Game) -> None:
    response = client.get(table_url(table))
    assert f"/accounts/login/?next={table_url(table)}" in links(response)
    there = client.post(table_url(table, "join/"))["Location"]
    assert unquote(there) == f"/accounts/signup/?next={table_url(table)}"
    assert table.seats.count() == 1


def test_it_seats_a_player_with_their_own_words(client: Client, table: Game, bob: Player) -> None:
    client.force_login(bob)
    response = client.post(table_url(table, "join/"), {"words": "reeds in the wind", "chance": "c0ffee"})
    assert (response.status_code, response["Location"]) == (303, table_url(table))
    assert table.seats.get(player=bob).entropy == "reeds in the wind c0ffee"


def test_it_adds_chance_for_a_player_who_adds_none(client: Client, table: Game, bob: Player) -> None:
    client.force_login(bob)
    client.post(table_url(table, "join/"))
    assert len(table.seats.get(player=bob).entropy) == 32


def test_it_offers_another_chance_on_each_page(client: Client, table: Game, bob: Player) -> None:
    client.force_login(bob)
    chances = {str(soup(client.get(table_url(table))).select("input[name=chance]")[0]["value"]) for _page in range(2)}
    assert len(chances) == 2
    assert all(len(chance) == 32 for chance in chances)


def test_it_keeps_the_words_that_are_too_long(client: Client, table: Game, bob: Player) -> None:
    client.force_login(bob)
    response = client.post(table_url(table, "join/"), {"words": "reed " * 60})
    assert response.status_code == 422
    assert text_of(response, "[role=alert]")
    assert str(soup(response).select("input[name=words]")[0]["value"]).startswith("reed reed")
    assert table.seats.count() == 1


def test_it_starts_the_game_when_the_last_seat_is_taken(
    client: Client, table: Game, bob: Player, carol: Player
) -> None:
    for player in (bob, carol):
        client.force_login(player)
        client.post(table_url(table, "join/"))
    assert "Clan scores" in text_of(client.get(table_url(table)))


@pytest.mark.parametrize("who", ["alice", "bob"])
def test_it_seats_nobody_twice(client: Client, table: Game, bob: Player, who: str) -> None:
    client.force_login(Player.objects.get(username=who))
    client.post(table_url(table, "join/"))
    response = client.post(table_url(table, "join/"), follow=True)
    assert response.redirect_chain == [(table_url(table), 303)]
    assert "You already sit at this table." in text_of(response, ".flashes")
    assert table.seats.filter(player__username=who).count() == 1


@pytest.mark.parametrize(("verb", "said"), [("close/", "This table is closed."), ("start/", "The game has started.")])
def test_it_takes_a_second_click_for_the_first(
    client: Client, table: Game, alice: Player, bob: Player, mallory: Player, verb: str, said: str
) -> None:
    play.join_table(table, player=bob, at=AT)
    client.force_login(alice)
    client.post(table_url(table, verb), {"sure": "yes"})
    before = list(Game.objects.values()), list(Seat.objects.values())
    response = client.post(table_url(table, verb), follow=True)
    assert response.redirect_chain == [(table_url(table), 303)]
    assert said in text_of(response, ".flashes")
    client.force_login(mallory)
    assert client.post(table_url(table, verb)).status_code == 409
    assert (list(Game.objects.values()), list(Seat.objects.values())) == before


def test_it_has_no_seat_beyond_the_last(client: Client, alice: Player, bob: Player, mallory: Player) -> None:
    table = make_table(alice, size=2)
    for player in (bob, mallory):
        client.force_login(player)
        response = client.post(table_url(table, "join/"))
    assert response.status_code == 409
    assert "All seats at this table are taken." in text_of(response, "[role=alert]")


def test_it_lets_a_player_leave(client: Client, table: Game, bob: Player) -> None:
    client.force_login(bob)
    client.post(table_url(table, "join/"))
    response = client.post(table_url(table, "leave/"), follow=True)
    assert "You have left this table." in text_of(response)
    assert table.seats.count() == 1


def test_it_lets_nobody_leave_who_does_not_sit_there(client: Client, table: Game, mallory: Player) -> None:
    client.force_login(mallory)
    assert client.post(table_url(table, "leave/")).status_code == 403


@time_machine.travel(AT, tick=False)
def test_it_lets_its_opener_close_it(client: Client, table: Game, alice: Player) -> None:
    client.force_login(alice)
    response = client.post(table_url(table, "close/"), follow=True)
    assert "You closed this table before its game started, just now" in text_of(response, ".lead")
    client.logout()
    assert "alice closed this table before its game started, just now" in text_of(client.get(table_url(table)), ".lead")


def test_it_asks_before_it_is_closed_over_the_head_of_another(
    client: Client, table: Game, alice: Player, bob: Player
) -> None:
    client.force_login(alice)
    assert closing(client, table) == "Close the table"
    play.join_table(table, player=bob, at=AT)
    assert closing(client, table) == "Close the table …"
    response = client.post(table_url(table, "close/"))
    assert response.status_code == 200
    assert "bob sits at this table" in text_of(response)
    assert table_url(table) in links(response, "form.row")
    assert Game.objects.get(pk=table.pk).status == Game.Status.OPEN
    sure = soup(response).select_one("button[name=sure]")
    client.post(table_url(table, "close/"), {"sure": sure["value"]})  # type: ignore[index]
    assert Game.objects.get(pk=table.pk).status == Game.Status.CLOSED


@pytest.mark.parametrize(
    ("who", "last"),
    [
        ("alice", ["Start now with 2", "Invite", "Hand the table on … (bob)", "Release … (bob)", "Close the table …"]),
        ("bob", ["Leave the table"]),
    ],
)
def test_it_puts_what_ends_things_at_the_end(
    client: Client, table: Game, bob: Player, who: str, last: list[str]
) -> None:
    play.join_table(table, player=bob, at=AT)
    client.force_login(Player.objects.get(username=who))
    buttons = soup(client.get(table_url(table))).select(".spread > div form button")
    assert [" ".join(button.get_text(" ").split()) for button in buttons] == last


def test_it_closes_at_once_where_only_computer_players_sit(client: Client, alice: Player) -> None:
    table = make_table(alice, size=3, bots=1)
    client.force_login(alice)
    assert client.post(table_url(table, "close/")).status_code == 303


def closing(client: Client, table: Game) -> str:
    """What the button says."""
    return text_of(client.get(table_url(table)), "#open-end .button-danger")


def test_it_says_no_name_where_nobody_closed_it(client: Client, table: Game) -> None:
    assert play.expire_tables(at=AT + timedelta(days=30)) == 1
    assert "This table was closed before its game started." in text_of(client.get(table_url(table)), ".lead")


def test_it_lets_nobody_else_close_it(client: Client, table: Game, bob: Player) -> None:
    client.force_login(bob)
    client.post(table_url(table, "join/"))
    response = client.post(table_url(table, "close/"))
    assert response.status_code == 403
    assert "Only the player whose table this is can do that." in text_of(response, "[role=alert]")


def test_it_lets_its_opener_start_with_two(client: Client, table: Game, alice: Player, bob: Player) -> None:
    client.force_login(bob)
    client.post(table_url(table, "join/"))
    client.force_login(alice)
    assert "Start now with 2" in text_of(client.get(table_url(table)))
    assert client.post(table_url(table, "start/")).status_code == 303
    table.refresh_from_db()
    assert (table.status, table.size) == (Game.Status.RUNNING, 2)


def test_it_does_not_start_with_one(client: Client, table: Game, alice: Player) -> None:
    client.force_login(alice)
    assert "Start now" not in text_of(client.get(table_url(table)))
    response = client.post(table_url(table, "start/"))
    assert response.status_code == 409
    assert "A game needs at least two seats taken." in text_of(response, "[role=alert]")


@pytest.mark.parametrize(("size", "said"), [(2, False), (3, True)])
def test_it_speaks_of_a_sooner_start_where_one_is_possible(
    client: Client, alice: Player, size: int, said: bool
) -> None:
    table = make_table(alice, size=size)
    client.force_login(alice)
    assert ("You can start sooner" in text_of(client.get(table_url(table)))) is said


def test_it_lets_nobody_else_start_it(client: Client, table: Game, alice: Player, bob: Player) -> None:
    client.force_login(bob)
    client.post(table_url(table, "join/"))
    assert "Start now" not in text_of(client.get(table_url(table)))
    assert client.post(table_url(table, "start/")).status_code == 403


@pytest.mark.parametrize("verb", ["join", "leave", "close", "start"])
def test_it_changes_nothing_by_get(client: Client, table: Game, alice: Player, verb: str) -> None:
    client.force_login(alice)
    response = client.get(table_url(table, f"{verb}/"))
    assert (response.status_code, response["Location"]) == (302, table_url(table))
    table.refresh_from_db()
    assert (table.status, table.seats.count()) == (Game.Status.OPEN, 1)


@pytest.mark.parametrize(("verb", "who"), [("join", "mallory"), ("leave", "bob"), ("close", "alice"), ("start", "bob")])
def test_it_is_no_longer_open_once_it_runs(client: Client, game: Game, mallory: Player, verb: str, who: str) -> None:
    client.force_login(Player.objects.get(username=who))
    assert client.post(table_url(game, f"{verb}/")).status_code == 409


def test_it_gives_the_link_to_those_who_sit_there(client: Client, table: Game, alice: Player) -> None:
    client.force_login(alice)
    assert soup(client.get(table_url(table))).select("#link")[0]["value"] == f"http://testserver{table_url(table)}"


def test_it_says_which_house_rule_holds(client: Client, alice: Player) -> None:
    strict, usual = make_table(alice, five_clans="nothing"), make_table(alice)
    assert "keep huts scores nothing" in text_of(client.get(table_url(strict)))
    assert "keep huts scores nothing" not in text_of(client.get(table_url(usual)))
