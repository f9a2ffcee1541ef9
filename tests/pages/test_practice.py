"""A practice game against a computer player, in the session of whoever plays it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from games import play, rules, words
from games.models import Game, Player
from games.pages.practice.page import KEY, hint, practice_pov
from tests.cast import AT, PASSWORD, make_game, make_player, make_table
from tests.faults import memory
from tests.pages.helpers import hidden, links, soup, text_of
from tests.play.test_practice import play_some

pytestmark = pytest.mark.django_db

INTRODUCTION, TABLE, MOVE = "/practice/", "/tables/practice/", "/tables/practice/move/"


def begin(client: Client) -> play.Practice:
    response = client.post(INTRODUCTION)
    assert (response.status_code, response.headers["Location"]) == (303, TABLE)
    return stored(client)


def stored(client: Client) -> play.Practice:
    return play.read_practice(client.session[KEY])


def keep(client: Client, data: Any) -> None:
    session = client.session
    session[KEY] = data
    session.save()


def send(client: Client, move: str, *, ply: int) -> Any:
    return client.post(MOVE, {"ply": ply, "move": move})


def test_it_is_found_from_the_first_page_the_rules_and_the_way_in(client: Client) -> None:
    for page in ("/", "/rules/", "/accounts/signup/"):
        assert INTRODUCTION in links(client.get(page)), page


def test_it_is_found_until_the_first_game_begins_and_in_an_empty_archive(
    client: Client, alice: Player, bob: Player
) -> None:
    assert INTRODUCTION in links(client.get("/archive/"))
    client.force_login(alice)
    assert INTRODUCTION in links(client.get("/"))
    make_table(alice)
    assert INTRODUCTION in links(client.get("/"))
    make_game(alice, bob)
    for player in (alice, bob):
        client.force_login(player)
        assert INTRODUCTION not in links(client.get("/"))


def test_who_signs_up_comes_back_to_the_game_and_not_to_a_move_of_before(client: Client) -> None:
    move = rules.legal_moves(begin(client).position)[0]
    page = client.get(TABLE, {"from": move.origin, "to": move.target})
    [link] = soup(page).select('.site-user a[href^="/accounts/signup/"]')
    assert link["href"] == "/accounts/signup/?next=%2Ftables%2Fpractice%2F"


@pytest.mark.parametrize("where", [".targets", "svg.clans-board"])
def test_it_plays_at_once_for_who_confirms_no_move(client: Client, alice: Player, where: str) -> None:
    Player.objects.filter(pk=alice.pk).update(confirms_moves=False)
    client.force_login(alice)
    move = rules.legal_moves(begin(client).position)[0]
    page = soup(client.get(TABLE, {"from": move.origin}))
    assert page.select(f"{where} button[form=strike][value={move}]")


def test_it_writes_nothing_by_looking(client: Client) -> None:
    begin(client)
    before = memory.dump()
    for page in (INTRODUCTION, TABLE, f"{TABLE}?from=A1", MOVE, "/", "/rules/"):
        with memory.writes() as written:
            client.get(page)
        assert written == []
    assert memory.dump() == before


def test_it_keeps_nothing_of_who_only_looks(client: Client) -> None:
    for page in (INTRODUCTION, TABLE, MOVE):
        response = client.get(page)
        assert response.status_code == (302 if page == MOVE else 200)
        assert "sessionid" not in response.cookies
    assert not Session.objects.exists()


def test_it_begins_by_a_form_alone() -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.post(INTRODUCTION).status_code == 403
    token = soup(client.get(INTRODUCTION)).select_one("main input[name=csrfmiddlewaretoken]")
    assert token
    assert client.post(INTRODUCTION, {"csrfmiddlewaretoken": token["value"]}).status_code == 303


def test_one_button_of_the_first_page_deals_and_leaves_a_game_that_is_going_on(client: Client) -> None:
    form = soup(client.get("/")).select_one("form[action='/practice/']")
    assert form
    assert form.select("button")
    asked = hidden(client.get("/"), "form[action='/practice/']")
    assert client.post(INTRODUCTION, asked).headers["Location"] == TABLE
    first = stored(client)
    assert len(first.steps) <= 1, "the computer player alone may have moved"
    assert client.post(INTRODUCTION, asked).headers["Location"] == TABLE
    assert stored(client) == first
    keep(client, play_some(first).as_data())
    assert stored(client).position.over
    assert client.post(INTRODUCTION, asked).headers["Location"] == TABLE
    assert not stored(client).position.over


def test_it_is_no_game_of_the_site(client: Client) -> None:
    begin(client)
    assert not Game.objects.exists()


def test_it_shows_the_table_as_every_table(client: Client) -> None:
    practice = begin(client)
    page = soup(client.get(TABLE))
    origins = {str(link["data-territory"]) for link in page.select("svg a[data-territory]")}
    assert origins == {move.origin for move in rules.legal_moves(practice.position)}
    assert practice.clans[play.PERSON] in text_of(client.get(TABLE), "#card")
    assert "It is your move." in text_of(client.get(TABLE))


def test_it_plays_a_move_and_the_answer(client: Client) -> None:
    practice = begin(client)
    move, ply = rules.legal_moves(practice.position)[0], practice.position.ply
    page = client.get(TABLE, {"from": move.origin, "to": move.target})
    response = client.post(MOVE, hidden(page))
    assert (response.status_code, response.headers["Location"]) == (303, f"{TABLE}#turn")
    assert soup(client.get(TABLE)).select("#turn"), "without script the page opens there"
    played = stored(client).steps[ply:]
    assert [step.seat for step in played] == [play.PERSON, play.COMPUTER]
    assert played[0].move == move
    told = text_of(client.get(TABLE))
    assert f"Guest moved {move.origin} to {move.target}" in told
    assert f"Computer moved {played[1].move.origin} to {played[1].move.target}" in told


def test_it_shows_each_visitor_their_own_game() -> None:
    """What is kept for the next reader of a table is not kept for the next beginner."""
    one, other = Client(), Client()
    for client, first in ((one, "rbgyk"), (other, "kygbr")):
        begin(client)
        keep(client, {"huts": first * 12, "first": play.PERSON, "cards": ["red", "blue"], "moves": []})
        send(client, "A1-A2", ply=0)
    for client in (one, other, one):
        answer = stored(client).steps[-1].move
        page = client.get(TABLE)
        assert f"Computer moved {answer.origin} to {answer.target}" in text_of(page, ".history")
        assert f"A3, {terrain('A3')}: {words.count_huts(stored(client).position.stack('A3'))}" in text_of(
            page, "#as-list"
        )


def terrain(territory: str) -> str:
    return rules.STANDARD.board.terrains[rules.STANDARD.board.index[territory]]


def test_it_plays_to_the_end_and_shows_both_cards_and_what_to_do_next(client: Client) -> None:
    practice, rng = begin(client), random.Random(7)
    while not practice.position.over:
        move = rules.random_step(practice.position, rng).move
        assert send(client, str(move), ply=practice.position.ply).status_code == 303
        practice = stored(client)
    page = client.get(TABLE)
    rows = [row.get_text(" ") for row in soup(page).select(".standings tbody tr")]
    assert len(rows) == 2
    for standing in rules.standings(practice.position, practice.clans):
        assert any(f"{standing.clan} {standing.score} {standing.chips} {standing.total}" in row for row in rows)
    assert {"/accounts/signup/", "/rules/"} <= set(links(page))
    assert soup(page).select_one(f"form[action='{INTRODUCTION}'] button")
    assert send(client, "A1-A2", ply=practice.position.ply).status_code == 409


def test_it_asks_a_player_to_open_a_table_at_the_end(client: Client) -> None:
    client.force_login(make_player("alice"))
    keep(client, play_some(play.begin_practice()).as_data())
    page = client.get(TABLE)
    assert "/tables/new/" in links(page)
    assert "/accounts/signup/" not in links(page)
    assert "alice" in text_of(page, ".standings")


@pytest.mark.parametrize("move", ["A1-L5", "A1-A1", "nonsense", "A1-Z9"])
def test_it_says_why_a_move_is_refused(client: Client, move: str) -> None:
    practice = begin(client)
    response = send(client, move, ply=practice.position.ply)
    assert response.status_code == 422
    assert text_of(response, "[role=alert]")
    assert stored(client) == practice


def test_it_says_so_when_something_is_missing(client: Client) -> None:
    practice = begin(client)
    response = client.post(MOVE, {"move": "A1-A2"})
    assert (response.status_code, stored(client)) == (422, practice)
    assert "nothing was played" in text_of(response, "[role=alert]")


def test_it_refuses_a_page_that_is_out_of_date_and_keeps_its_draft(client: Client) -> None:
    practice = begin(client)
    first = practice.position.ply
    send(client, str(rules.legal_moves(practice.position)[0]), ply=first)
    after = stored(client)
    late = str(rules.legal_moves(after.position)[0])
    response = send(client, late, ply=first)
    assert (response.status_code, stored(client)) == (409, after)
    assert f"Your draft is kept: {late} ." in text_of(response, "[role=alert]")


def test_it_plays_a_form_that_is_sent_twice_once(client: Client) -> None:
    practice = begin(client)
    move, ply = str(rules.legal_moves(practice.position)[0]), practice.position.ply
    send(client, move, ply=ply)
    once = stored(client)
    assert send(client, move, ply=ply).status_code == 303
    assert stored(client) == once


@pytest.mark.parametrize("data", ["garbled", {"huts": "x"}, {"moves": [None]}, None, 7])
def test_it_begins_again_with_a_message_when_what_was_stored_is_damaged(client: Client, data: Any) -> None:
    keep(client, data)
    looked = client.get(TABLE)
    assert looked.status_code == 200
    assert "There is no practice game in this browser" in text_of(looked)
    assert client.session[KEY] == data
    response = client.post(MOVE, {"ply": 0, "move": "A1-A2"}, follow=True)
    assert "Here is a new one." in text_of(response)
    assert stored(client).position.ply <= 1


def test_it_tells_no_newcomer_that_a_game_is_lost(client: Client) -> None:
    for url in (TABLE, f"{TABLE}ply/0/"):
        looked = text_of(client.get(url))
        assert "There is no practice game in this browser at the moment. Deal the cards, and one begins." in looked


def test_it_begins_again_when_nothing_is_kept_any_more(client: Client) -> None:
    response = client.post(MOVE, {"ply": 4, "move": "A1-A2"}, follow=True)
    assert response.redirect_chain == [(TABLE, 303)]
    assert "Here is a new one." in text_of(response)


def test_it_takes_no_session_that_somebody_else_has_chosen(client: Client) -> None:
    chosen = "a" * 32
    client.cookies["sessionid"] = chosen
    begin(client)
    assert client.cookies["sessionid"].value != chosen
    assert not Session.objects.filter(pk=chosen).exists()


def test_it_changes_the_session_when_somebody_signs_in_and_keeps_the_game(client: Client) -> None:
    practice = begin(client)
    before = client.cookies["sessionid"].value
    make_player("alice")
    client.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    assert client.cookies["sessionid"].value != before
    assert stored(client) == practice
    assert "alice" in text_of(client.get(TABLE), ".seats")


def test_it_puts_nothing_of_the_game_into_a_cookie(client: Client) -> None:
    response = client.post(INTRODUCTION)
    assert set(response.cookies) == {"sessionid"}
    assert len(response.cookies["sessionid"].value) == 32
    assert response.cookies["sessionid"]["httponly"]


# --- Hints ---------------------------------------------------------------------------------------


def test_it_hints_at_a_village_in_which_my_clan_scores() -> None:
    position = rules.Position.parse("seats=2 huts=A1:r,A2:b")
    assert hint(position, "red").startswith("Look around A")
    assert "red scores" in hint(position, "red")
    assert "Black gets nothing there" in hint(position, "black")


def test_it_hints_at_something_at_every_turn() -> None:
    practice, hints = play.begin_practice(), set()
    while not practice.position.over:
        hints.add(hint(practice.position, practice.clans[play.PERSON]))
        practice = play_some(practice, moves=1, seed=practice.position.ply)
    assert all(hints)
    assert len(hints) > 5


def test_its_end_leads_to_a_replay_of_every_move(client: Client) -> None:
    practice = play_some(begin(client))
    keep(client, practice.as_data())
    last = len(practice.steps)
    assert f"{TABLE}ply/0/" in links(client.get(TABLE), ".prompt")
    assert "Before the first move." in text_of(client.get(f"{TABLE}ply/0/"), "h2#ply")
    for ply, step in enumerate(practice.steps, 1):
        shown = client.get(f"{TABLE}ply/{ply}/")
        assert f"moved {step.move.origin} to {step.move.target}" in text_of(shown, "h2#ply")
        assert f"Move {ply} of {last}" in text_of(shown, ".plies")
        scores = [int(cell.get_text()) for cell in soup(shown).select(".track td.num")]
        assert scores == list(step.position.scores)
    steps = links(client.get(f"{TABLE}ply/4/"), ".plies")
    assert [step.partition("#")[0] for step in steps] == [f"{TABLE}ply/{ply}/" for ply in (0, 3, 5, last)]
    assert words.say_result(practice_pov(practice, name="Guest", at=AT)) in text_of(
        client.get(f"{TABLE}ply/{last}/"), ".verdict"
    )
    assert client.get(f"{TABLE}ply/{last + 1}/").status_code == 404


def test_its_replay_shows_both_cards_only_once_it_is_over(client: Client) -> None:
    practice = play_some(begin(client))
    keep(client, practice.as_data())
    clans = [seat.clan for seat in practice_pov(practice, name="Guest", at=AT, ply=3).seats]
    assert clans == list(practice.clans)
    assert all(clans)
    running = play_some(begin(client), moves=5)
    keep(client, running.as_data())
    assert client.get(f"{TABLE}ply/3/").status_code == 200
    seats = practice_pov(running, name="Guest", at=AT, ply=3).seats
    assert [seat.clan for seat in seats] == [running.clans[play.PERSON], ""]


def test_its_replay_has_nothing_that_only_tables_have(client: Client) -> None:
    keep(client, play_some(begin(client)).as_data())
    page = soup(client.get(f"{TABLE}ply/3/"))
    assert not page.select("meta[property^=og], a[href*=try], time")


def test_there_is_no_replay_without_a_game(client: Client) -> None:
    assert INTRODUCTION in str(soup(client.get(f"{TABLE}ply/0/")).select_one("main"))
