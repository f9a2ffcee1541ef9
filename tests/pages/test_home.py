"""The first page: what waits for a player, and what a visitor learns."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import play, rules
from games.importing import FileLine, import_records
from games.models import Game, Player
from games.pages.lists.home import A_FEW, SOME
from tests.cast import AT, make_game, make_table, play_out, play_random
from tests.pages.helpers import hidden, links, soup, text_of

pytestmark = pytest.mark.django_db


def waiting_for(player: Player, *others: Player, name: str, days: float) -> Game:
    """A running game in which it has been the turn of `player` for so many days, of 40."""
    game = make_game(player, *others)
    for _ply in range(len(others)):
        if game.awaited != player:
            play_random(game, 1)
    since = AT - timedelta(days=days)
    due = since + timedelta(days=40)
    Game.objects.filter(pk=game.pk).update(name=name, turn_since=since, free_until=due, due_at=due)
    return game


def names(client: Client, section: str, path: str = "/") -> list[str]:
    """The names of the tables in a section of the page."""
    found = soup(client.get(path)).select(f"section[aria-labelledby={section}] .table-name")
    return [link.get_text() for link in found]


def test_it_shows_what_waits_for_me_first_and_the_nearest_deadline_on_top(
    client: Client, alice: Player, bob: Player, carol: Player
) -> None:
    waiting_for(alice, bob, name="since Monday", days=2)
    waiting_for(alice, bob, carol, name="since March", days=30)
    waiting_for(bob, alice, name="bob thinks", days=40)
    client.force_login(alice)
    assert names(client, "waiting") == ["since March", "since Monday"]
    assert names(client, "tables") == ["bob thinks"]
    headings = [heading.get_text() for heading in soup(client.get("/")).select("main h2")]
    assert headings[:2] == ["Waiting for you", "Waiting for others"]


@pytest.mark.parametrize(
    ("free", "due", "said"),
    [
        (2, 9, "in 25 hours (4 March 2026, 20:00 UTC) , then reserve"),
        (2, 2, "due in 25 hours (4 March 2026, 20:00 UTC)"),
        (0.5, 9, "on reserve, due in 8 days (11 March 2026, 20:00 UTC)"),
        (0.5, 0.75, "time is up"),
    ],
)
def test_it_says_who_plays_whose_turn_it_is_and_until_when(
    client: Client, alice: Player, bob: Player, free: float, due: float, said: str
) -> None:
    game = waiting_for(bob, alice, name="bob thinks", days=0)
    days = {"free_until": AT + timedelta(days=free), "due_at": AT + timedelta(days=due)}
    Game.objects.filter(pk=game.pk).update(**days)
    client.force_login(alice)
    with time_machine.travel(AT + timedelta(hours=23), tick=False):
        row = text_of(client.get("/"), "section[aria-labelledby=tables] .table-row")
    assert "alice" in row
    assert row.endswith(f"bob to move {said}")


def test_it_says_since_when_a_table_has_waited_for_no_person(client: Client, alice: Player) -> None:
    game = make_game(alice, bots=1)
    Game.objects.filter(pk=game.pk).update(awaited=None, free_until=None, due_at=None)
    client.force_login(alice)
    row = text_of(client.get("/"), "section[aria-labelledby=tables] .table-row")
    assert row.endswith("2 March 2026 , 20:00 UTC")


def test_it_tells_the_pace_of_open_tables(client: Client, alice: Player, bob: Player) -> None:
    make_table(bob)
    make_table(bob, terms=play.Terms(100, 0))
    client.force_login(alice)
    tags = [tag.get_text() for tag in soup(client.get("/")).select("section[aria-labelledby=open] .tag")]
    assert tags == ["100 hours a move", "steady, 3 days a move"]


def test_it_offers_open_tables_of_others_but_not_those_by_link(client: Client, alice: Player, bob: Player) -> None:
    make_table(bob, name="come in")
    make_table(bob, name="for friends", is_public=False)
    mine = make_table(alice, name="my own")
    client.force_login(alice)
    assert names(client, "open") == ["come in"]
    assert names(client, "tables") == [mine.name]


def test_it_no_longer_offers_a_table_that_is_closed(client: Client, alice: Player, bob: Player) -> None:
    play.close_table(make_table(bob), player=bob, at=AT)
    client.force_login(alice)
    assert names(client, "open") == []


def test_it_tells_a_new_player_what_to_do(client: Client, alice: Player) -> None:
    client.force_login(alice)
    response = client.get("/")
    assert "You sit at no table" in text_of(response)
    assert {"/tables/new/", "/tables/new/?against=computer"} <= set(links(response))


def test_a_new_player_who_waits_is_shown_the_rules_and_a_practice_game(
    client: Client, alice: Player, bob: Player
) -> None:
    client.force_login(bob)
    play.join_table(make_table(alice, size=3), player=bob, at=AT)
    assert {"/rules/", "/practice/"} <= set(links(client.get("/")))

    play_out(make_game(alice, bob))
    assert "/practice/" not in links(client.get("/"))


def test_one_button_begins_a_game_against_computer_players(client: Client, alice: Player) -> None:
    client.force_login(alice)
    form = "form[action='/tables/new/?against=computer']"
    fields = hidden(client.get("/"), form)
    shown = play.find_deal(fields["deal"], opener=alice)
    assert shown
    assert "words" not in fields

    response = client.post("/tables/new/?against=computer", fields)
    game = Game.objects.get()
    assert (response.status_code, response["Location"]) == (303, game.get_absolute_url())
    assert game.status == Game.Status.RUNNING
    assert [seat.player for seat in game.seats.exclude(player=None)] == [alice]
    assert (game.size, game.deal.commitment) == (3, shown.commitment)
    assert not soup(client.get("/")).select(form)

    again = client.post("/tables/new/?against=computer", fields)
    assert (again.status_code, again["Location"], Game.objects.count()) == (303, game.get_absolute_url(), 1)


def test_it_promises_a_mail_only_to_who_wants_it(client: Client, alice: Player, bob: Player) -> None:
    waiting_for(bob, alice, name="bob thinks", days=0)
    client.force_login(alice)
    assert "A mail will call you" in text_of(client.get("/"))
    Player.objects.filter(pk=alice.pk).update(mail_mode="nothing")
    assert "A mail will call you" not in text_of(client.get("/"))


def test_it_does_not_count_a_seat_given_up_as_waiting(client: Client, alice: Player, bob: Player) -> None:
    game = waiting_for(alice, bob, name="too long", days=1)
    play.resign(game, player=alice, at=AT)
    client.force_login(alice)
    assert names(client, "waiting") == []
    assert "Your turn" not in text_of(client.get("/"))


def test_it_lists_games_that_i_resigned_last_and_apart(client: Client, alice: Player, bob: Player) -> None:
    left = waiting_for(alice, bob, name="left", days=1)
    waiting_for(bob, alice, name="bob thinks", days=1)
    play.resign(left, player=alice, at=AT)
    client.force_login(alice)
    assert (names(client, "tables"), names(client, "resigned")) == (["bob thinks"], ["left"])
    headings = [heading.get_text() for heading in soup(client.get("/")).select("main h2")]
    assert headings == ["Waiting for others", "Open tables", "You resigned, others play on"]
    client.force_login(bob)
    assert (names(client, "waiting"), names(client, "resigned")) == (["bob thinks"], [])


def test_whoever_has_resigned_everywhere_is_offered_a_game(client: Client, alice: Player, bob: Player) -> None:
    play.resign(waiting_for(alice, bob, name="left", days=1), player=alice, at=AT)
    client.force_login(alice)
    page = client.get("/")
    assert names(client, "resigned") == ["left"]
    assert "You sit at no table" in text_of(page)
    assert "Play now" in text_of(page)


def test_who_sits_at_a_table_is_told_so_beside_many_that_they_resigned(
    client: Client, alice: Player, bob: Player
) -> None:
    waiting_for(bob, alice, name="bob thinks", days=9)
    for _time in range(SOME):
        play.resign(waiting_for(alice, bob, name="left", days=1), player=alice, at=AT)
    client.force_login(alice)
    page = client.get("/")
    assert (names(client, "tables"), names(client, "resigned")) == ([], ["left"] * SOME)
    assert "A mail will call you" in text_of(page)
    assert "Play now" not in text_of(page)
    assert soup(page).select('a[href="?list=tables"]')


def test_it_shows_my_last_games_those_by_link_among_them(client: Client, alice: Player, bob: Player) -> None:
    game = play_out(make_game(alice, bob, is_public=False))
    client.force_login(alice)
    assert names(client, "finished") == [game.name]


def test_it_shows_a_visitor_the_game_and_only_public_tables(client: Client, alice: Player, bob: Player) -> None:
    make_table(bob, name="come in")
    make_table(bob, name="for friends", is_public=False)
    for is_public in (True, False):
        game = make_game(alice, bob, is_public=is_public)
        play.agree_to_abandon(game, player=alice, agrees=True, at=AT)
        play.agree_to_abandon(game, player=bob, agrees=True, at=AT)
    response = client.get("/")
    assert names(client, "open") == ["come in"]
    assert len(names(client, "finished")) == 1
    assert soup(response).select_one("main figure svg")
    assert len(soup(response).select("#how ~ ol li")) == 5
    assert "/accounts/signup/" in links(response)


def test_games_that_were_just_imported_push_out_none_that_was_finished_here(
    client: Client, alice: Player, bob: Player
) -> None:
    game = play_out(make_game(alice, bob))
    lines = [FileLine(number, json.dumps(rules.simulate(number, seed=5)).encode()) for number in range(A_FEW)]
    assert {each.outcome for each in import_records(lines, at=AT + timedelta(days=99))} == {"imported"}
    assert names(client, "finished") == [game.name]


def test_it_costs_the_same_queries_however_many_games_there_are(
    client: Client, alice: Player, bob: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    def fill(count: int) -> None:
        for number in range(count):
            waiting_for(alice, bob, name=f"mine {number}", days=number)
            waiting_for(bob, alice, name=f"bob {number}", days=number)
            make_table(bob)

    client.force_login(alice)
    for count in (1, 14):
        fill(count)
        with django_assert_num_queries(8):
            client.get("/")
    client.logout()
    with django_assert_num_queries(3):
        client.get("/")


def test_it_pages_a_long_list(client: Client, alice: Player, bob: Player) -> None:
    for number in range(30):
        waiting_for(alice, bob, name=str(number), days=number)
    client.force_login(alice)
    assert names(client, "waiting") == [str(number) for number in range(29, 17, -1)]
    first = client.get("/?list=waiting")
    second = client.get("/" + soup(first).select_one("a[rel=next]")["href"])  # type: ignore[index]
    shown = [row.get_text() for page in (first, second) for row in soup(page).select(".table-name")]
    assert shown == [str(number) for number in range(29, -1, -1)]
    assert [nav["aria-label"] for nav in soup(second).select(".pager")] == ["Pages of the list"]
    back = client.get("/" + soup(second).select_one("a[rel=prev]")["href"])  # type: ignore[index]
    assert [row.get_text() for row in soup(back).select(".table-name")] == shown[:24]


@pytest.mark.parametrize("name", ["waiting", "tables", "everything", ""])
def test_it_has_no_list_of_that_name_for_a_visitor(client: Client, name: str) -> None:
    assert client.get("/", {"list": name}).status_code == 404


@pytest.mark.parametrize("at", ["x", "after-", "after-1", "after-1-2-3", "before-9999999999999999-1", "after-²-1"])
def test_it_takes_a_cursor_that_cannot_be_read_for_none(client: Client, alice: Player, bob: Player, at: str) -> None:
    waiting_for(alice, bob, name="Friday", days=1)
    client.force_login(alice)
    response = client.get("/", {"list": "waiting", "at": at})
    assert text_of(response, ".table-name") == "Friday"


def test_it_only_reads(client: Client) -> None:
    assert client.post("/").status_code == 405
