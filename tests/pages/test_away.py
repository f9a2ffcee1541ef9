"""What the table shows of the time in which its player was away."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import play
from games.models import Game, Move, Player
from tests.cast import AT, make_game
from tests.made_once import scene
from tests.pages.helpers import links, next_move, play_next, seat_of, soup, table_url, text_of, to_move

HEADING = "While you were away"


@pytest.fixture
def four(alice: Player, bob: Player, carol: Player) -> Game:
    """A game of four seats, one of them a computer player's."""
    return scene("four", lambda: make_game(alice, bob, carol, bots=1))


def play_until_turn_of(game: Game, player: Player) -> None:
    """Play on until `player`, who moves once before, is to move again."""
    mine = seat_of(game, player).number
    moved = False
    while not moved or game.to_move != mine:
        moved = moved or game.to_move == mine
        play_next(game)
        game.refresh_from_db()


def missed(response: Any) -> list[str]:
    return [" ".join(item.get_text(" ").split()) for item in soup(response).select(".missed li")]


def arrows(response: Any) -> list[str]:
    """The numbers on the board's arrows, empty for the one of a single last move."""
    return [arrow.get_text().strip() for arrow in soup(response).select("svg.clans-board .last-move")]


def test_it_tells_what_happened_since_my_last_move(client: Client, four: Game, alice: Player) -> None:
    play_until_turn_of(four, alice)
    client.force_login(alice)
    response = client.get(table_url(four))
    moves = list(Move.objects.filter(game=four).order_by("ply"))[-3:]
    told = missed(response)
    assert HEADING in text_of(response)
    assert len(told) == 3
    for sentence, move in zip(told, moves, strict=True):
        name = four.seats.get(number=move.seat).name
        assert sentence.startswith(f"{name} moved {move.text[:2]} to {move.text[3:5]}")
    assert arrows(response) == ["1", "2", "3"]
    [read_out] = [part.get_text() for part in soup(response).select(".missed")]
    assert not re.search(r"\.\w", read_out), "sentences run into each other"


def test_each_step_leads_to_its_ply_and_from_there_back(client: Client, four: Game, alice: Player) -> None:
    play_until_turn_of(four, alice)
    client.force_login(alice)
    steps = [url for url in links(client.get(table_url(four)), ".missed") if "/ply/" in url]
    assert steps == [table_url(four, f"ply/{ply}/") for ply in range(four.ply - 2, four.ply + 1)]
    for step in steps:
        page = client.get(step)
        assert page.status_code == 200
        assert "To the table" in text_of(page)
        assert table_url(four) in links(page, ".prompt")


def test_it_tells_of_the_first_round_to_who_has_not_moved(client: Client, game: Game) -> None:
    for _ply in range(2):
        play_next(game)
    client.force_login(to_move(game))
    assert len(missed(client.get(table_url(game)))) == 2


def test_it_tells_while_i_wait_too(client: Client, four: Game, alice: Player) -> None:
    play_until_turn_of(four, alice)
    for count in (0, 1, 2):
        play_next(four)
        client.force_login(alice)
        assert len(missed(client.get(table_url(four)))) == (count if count > 1 else 0)


def test_the_last_move_alone_is_shown_as_ever(client: Client, alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    play_until_turn_of(game, alice)
    client.force_login(alice)
    response = client.get(table_url(game))
    assert HEADING not in text_of(response)
    assert arrows(response) == [""]


def test_visitors_and_strangers_see_the_last_move(client: Client, four: Game, alice: Player, mallory: Player) -> None:
    play_until_turn_of(four, alice)
    client.force_login(alice)
    client.get(table_url(four))
    for viewer in (None, mallory):
        client.logout()
        if viewer:
            client.force_login(viewer)
        response = client.get(table_url(four))
        assert missed(response) == []
        assert arrows(response) == [""]


def test_it_tells_each_of_what_they_missed(client: Client, game: Game) -> None:
    for _ply in range(5):
        play_next(game)
    counts = []
    for move in game.moves.order_by("-ply")[:3]:
        player = game.seats.get(number=move.seat).player
        assert player is not None
        client.force_login(player)
        counts.append(len(missed(client.get(table_url(game)))))
    assert counts == [0, 0, 2]


def test_who_has_resigned_sees_the_last_move(client: Client, four: Game, alice: Player) -> None:
    play_until_turn_of(four, alice)
    play.resign(four, player=alice, at=AT)
    client.force_login(alice)
    assert missed(client.get(table_url(four))) == []


def told_at(response: Any) -> str:
    """The time below what has happened."""
    [moment] = soup(response).select(".missed + .prompt-until time")
    return str(moment["datetime"])


def test_it_tells_when_somebody_resigned_after_the_last_move(
    client: Client, four: Game, alice: Player, bob: Player
) -> None:
    play_until_turn_of(four, alice)
    client.force_login(alice)
    assert told_at(client.get(table_url(four))) == AT.isoformat()
    play.resign(four, player=bob, at=AT + timedelta(hours=5))
    assert told_at(client.get(table_url(four))) == (AT + timedelta(hours=5)).isoformat()


def test_a_complete_draft_takes_the_place_of_the_arrows(client: Client, four: Game, alice: Player) -> None:
    play_until_turn_of(four, alice)
    client.force_login(alice)
    move = next_move(four)
    begun, drafted = {"from": move.origin}, {"from": move.origin, "to": move.target}
    for chosen, numbers in (({}, ["1", "2", "3"]), (begun, ["1", "2", "3"]), (drafted, [""])):
        response = client.get(table_url(four), chosen)
        assert len(missed(response)) == 3
        assert arrows(response) == numbers


def test_it_is_there_at_the_end(client: Client, four: Game, alice: Player, bob: Player, carol: Player) -> None:
    play_until_turn_of(four, alice)
    for player in (alice, bob, carol):
        play.agree_to_abandon(four, player=player, agrees=True, at=AT)
    client.force_login(alice)
    response = client.get(table_url(four))
    assert "Nobody wins." in text_of(response)
    assert len(missed(response)) == 3
    # The line after the list stands in the column of its sentences: no other line may be there.
    assert told_at(response) == AT.isoformat()


def test_a_look_changes_nothing(
    client: Client, four: Game, alice: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    play_until_turn_of(four, alice)
    client.force_login(alice)
    client.get(table_url(four))
    with django_assert_num_queries(4) as asked:
        response = client.get(table_url(four))
    assert len(missed(response)) == 3
    assert not [query for query in asked.captured_queries if not query["sql"].startswith("SELECT")]


def see(client: Client, game: Game, **form: str) -> None:
    """What the page of a reader says who has it in sight."""
    game.refresh_from_db()
    assert client.post(table_url(game, "seen/"), {"ply": str(game.ply), **form}).status_code == 204


def test_it_tells_nothing_of_what_was_watched_or_told_in_an_earlier_visit(
    client: Client, four: Game, alice: Player
) -> None:
    play_until_turn_of(four, alice)
    client.force_login(alice)
    for _look in range(2):
        assert len(missed(client.get(table_url(four)))) == 3
        see(client, four)
    play_next(four)
    four.refresh_from_db()
    shown = str(four.ply)
    play_next(four)
    play_next(four)
    assert len(missed(client.get(table_url(four)))) == 2
    live = client.get(table_url(four), {"watched": shown})
    assert HEADING not in text_of(live)
    assert len(missed(live)) == 2
    see(client, four, watched="on")
    page = client.get(table_url(four))
    assert (missed(page), arrows(page)) == ([], [""])


def test_it_tells_of_those_moves_alone_that_came_after_a_visit(client: Client, four: Game, alice: Player) -> None:
    play_until_turn_of(four, alice)
    play_next(four)
    play_next(four)
    client.force_login(alice)
    see(client, four)
    for _ply in range(2):
        play_next(four)
    for _look in range(2):
        assert len(missed(client.get(table_url(four)))) == 2
        see(client, four)


@pytest.mark.parametrize("watched", ["", "x", "-1", "9" * 30, "²"])
def test_it_takes_no_nonsense_for_moves_that_were_watched(
    client: Client, four: Game, alice: Player, watched: str
) -> None:
    play_until_turn_of(four, alice)
    client.force_login(alice)
    assert len(missed(client.get(table_url(four), {"watched": watched}))) == 3


def test_it_tells_everything_in_the_order_in_which_it_happened(
    client: Client, four: Game, alice: Player, bob: Player, carol: Player
) -> None:
    play_until_turn_of(four, alice)
    play_next(four)
    four.refresh_from_db()
    leaver = bob if four.to_move != seat_of(four, bob).number else carol
    play.resign(four, player=leaver, at=AT)
    four.refresh_from_db()
    while four.to_move != seat_of(four, alice).number:
        play_next(four)
        four.refresh_from_db()
    client.force_login(alice)
    [news] = soup(client.get(table_url(four))).select(".missed")
    told = [" ".join(line.get_text(" ").split()) for line in news.select("p")][1:]
    assert [line.endswith("a computer player moves on.") for line in told] == [True, False, False, False]
    together = text_of(client.get("/turns/"))
    assert together.index("a computer player moves on.") < together.index(told[1])
