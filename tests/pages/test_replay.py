"""A game ply by ply, and its record."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from games import rules
from games.models import Game, Player
from tests.cast import make_table, play_out, play_random
from tests.pages.helpers import links, soup, table_url, text_of
from tests.rules.checked import read_checked


def test_it_shows_the_move_of_a_ply_in_words(client: Client, game: Game) -> None:
    play_random(game, 9)
    step = game.steps()[4]
    response = client.get(table_url(game, "ply/5/"))
    assert f"moved {step.move.origin} to {step.move.target}" in text_of(response, "h2#ply")
    assert "Move 5 of 9" in text_of(response, ".plies")


def test_it_explains_what_a_village_scored(client: Client, game: Game) -> None:
    play_out(game)
    step = next(step for step in game.steps() if step.villages)
    response = client.get(table_url(game, f"ply/{step.ply + 1}/"))
    assert f"{step.villages[0].territory} is village 1, in epoch I" in text_of(response, ".prompt")
    scores = [int(cell.get_text()) for cell in soup(response).select(".track td.num")]
    assert scores == list(step.position.scores)


@pytest.mark.parametrize(
    ("ply", "reached"),
    [
        (0, ["1/#ply-next", "9/#ply-back"]),
        (1, ["0/#ply-next", "0/#ply-next", "2/#ply-next", "9/#ply-back"]),
        (4, ["0/#ply-next", "3/#ply-back", "5/#ply-next", "9/#ply-back"]),
        (8, ["0/#ply-next", "7/#ply-back", "9/#ply-back", "9/#ply-back"]),
        (9, ["0/#ply-next", "8/#ply-back"]),
    ],
)
def test_it_leads_to_first_previous_next_and_last(client: Client, game: Game, ply: int, reached: list[str]) -> None:
    play_random(game, 9)
    response = client.get(table_url(game, f"ply/{ply}/"))
    assert links(response, ".plies") == [table_url(game, f"ply/{step}") for step in reached]
    # Without script each step opens at a link that goes on: one that is there.
    assert all(soup(client.get(step)).select(f"a#{step.partition('#')[2]}") for step in links(response, ".plies"))


def test_it_has_no_browser_fetch_the_next_ply_by_itself(client: Client, game: Game) -> None:
    """Firefox would, by a link in the head, and the policy of the page refuses it. replay.js fetches plies ahead."""
    play_random(game, 9)
    page = soup(client.get(table_url(game, "ply/4/")))
    assert [(link.name, link["href"]) for link in page.select("[rel=next]")] == [
        ("a", table_url(game, "ply/5/#ply-next"))
    ]


def test_it_shows_the_opening(client: Client, game: Game) -> None:
    response = client.get(table_url(game, "ply/0/"))
    assert response.status_code == 200
    assert "Before the first move." in text_of(response, ".prompt")


@pytest.mark.parametrize("ply", ["10", "61", "999999999999999999999999"])
def test_it_has_no_page_beyond_the_last_ply(client: Client, game: Game, ply: str) -> None:
    play_random(game, 9)
    assert client.get(table_url(game, f"ply/{ply}/")).status_code == 404


def test_it_has_no_page_before_the_start(client: Client, alice: Player) -> None:
    assert client.get(table_url(make_table(alice), "ply/0/")).status_code == 404


def test_it_shows_no_cards_while_the_game_runs(client: Client, game: Game, alice: Player) -> None:
    play_random(game, 9)
    client.force_login(alice)
    assert soup(client.get(table_url(game, "ply/5/"))).select(".clan-card, .standings") == []


def test_it_gives_the_record_of_a_finished_game(client: Client, game: Game) -> None:
    play_out(game)
    response = client.get(table_url(game, "record.json"))
    assert response["Content-Disposition"] == f'attachment; filename="clans-{game.slug}.json"'
    record = read_checked(json.loads(response.content))
    assert record.players == tuple(game.seats.order_by("number").values_list("name", flat=True))


def test_it_gives_the_moves_of_a_finished_game_as_a_text(client: Client, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(name="A long\ngame")
    play_out(game)
    response = client.get(table_url(game, "notation.txt"))
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response["Content-Disposition"] == f'attachment; filename="clans-{game.slug}.txt"'
    head, moves = response.content.decode().split("\n\n")
    board = rules.STANDARD.board
    steps = rules.fold(game.opening(), [rules.Move.parse(line, board) for line in moves.splitlines()])
    assert steps == game.steps()
    told = dict(line.split(": ", 1) for line in head.splitlines())
    assert told["Table"] == f"A long game (http://localhost:8000{table_url(game)})"
    for seat in game.seats.all():
        assert told[f"Player {(seat.number or 0) + 1}"] == f"{seat.name} ({seat.clan})"
    assert told["Huts"] == game.huts
    assert "wins with" in told["Result"] or "share the win" in told["Result"]
    assert {"First to move", "Map", "Rules"} <= told.keys()


def test_it_keeps_the_moves_of_a_running_game_from_being_a_text(client: Client, game: Game, alice: Player) -> None:
    play_random(game, 9)
    client.force_login(alice)
    assert client.get(table_url(game, "notation.txt")).status_code == 404


def test_it_shares_the_address_of_the_ply(client: Client, game: Game) -> None:
    play_out(game)
    page = soup(client.get(table_url(game, "ply/5/")))
    share = page.select_one("section[aria-labelledby=share]")
    assert share is not None
    fields = share.select("input")
    assert fields[0]["value"] == f"http://localhost:8000{table_url(game, 'ply/5/')}"
    assert share.select_one(f"[data-copy='#{fields[0]['id']}']") is not None
    names = [button.get_text() for button in share.select("button[data-copy]")]
    assert names == [f"Copy ({label.get_text()})" for label in share.select("label")]
    assert len({*names}) == 2
    assert table_url(game, "notation.txt") in links(
        client.get(table_url(game, "ply/5/")), "section[aria-labelledby=share]"
    )


def test_it_keeps_the_record_of_a_running_game(client: Client, game: Game, alice: Player) -> None:
    play_random(game, 9)
    client.force_login(alice)
    assert client.get(table_url(game, "record.json")).status_code == 404


@pytest.mark.parametrize("path", ["ply/5/", "record.json"])
def test_it_only_answers_reading(client: Client, game: Game, alice: Player, path: str) -> None:
    play_out(game)
    client.force_login(alice)
    assert client.post(table_url(game, path)).status_code == 405
    assert client.head(table_url(game, path)).status_code == 200


def test_it_leads_to_the_next_village_and_the_next_move_of_each_seat(client: Client, game: Game) -> None:
    play_out(game)
    steps = game.steps()
    founding = [step.ply + 1 for step in steps if step.villages]
    for ply in (0, founding[0], len(steps) - 1):
        ahead = [next((number for number in founding if number > ply), None)]
        seats = range(game.size)
        ahead += [next((step.ply + 1 for step in steps[ply:] if step.seat == seat), None) for seat in seats]
        response = client.get(table_url(game, f"ply/{ply}/"))
        jumps = links(response, "nav[aria-labelledby=jumps]")
        assert [jump.partition("#")[0] for jump in jumps] == [
            table_url(game, f"ply/{number}/") for number in ahead if number
        ]
    assert links(client.get(table_url(game, f"ply/{len(steps)}/")), "nav[aria-labelledby=jumps]") == []


def test_a_jump_opens_at_the_same_jump_while_there_is_one(client: Client, game: Game) -> None:
    """Without script the same key jumps on and on, and steps on where no such ply is left."""
    play_out(game)
    steps = game.steps()
    villages = [step.ply + 1 for step in steps if step.villages]
    of_first = [step.ply + 1 for step in steps if step.seat == 0]
    for key, reached in {"next-village": villages, "next-of-1": of_first}.items():
        plies, at = [], "ply/0/"
        while jump := soup(client.get(table_url(game, at))).select_one(f"a#{key}"):
            at, place = str(jump["href"]).removeprefix(table_url(game)).split("#")
            plies.append(int(at.split("/")[1]))
            assert soup(client.get(table_url(game, at))).select(f"a#{place}")
            assert place == (key if plies != reached else "ply-back" if plies[-1] == len(steps) else "ply-next")
        assert plies == reached


def test_it_goes_on_with_the_same_eyes(client: Client, game: Game) -> None:
    play_out(game)
    onward = links(client.get(table_url(game, "ply/3/seat/1/")), "nav[aria-labelledby=jumps]")
    assert onward
    assert all("/seat/1/#" in link for link in onward)


def test_it_shows_no_controls_that_need_a_script(client: Client, game: Game) -> None:
    play_random(game, 9)
    page = soup(client.get(table_url(game, "ply/5/")))
    assert [part.has_attr("hidden") for part in page.select(".autoplay")] == [True]
    slider = page.select_one(".autoplay [type=range]")
    assert slider
    assert (slider["max"], slider["value"]) == ("9", "5")


def test_it_holds_still_for_who_wants_no_motion(client: Client, game: Game, alice: Player) -> None:
    play_random(game, 9)
    client.force_login(alice)
    url = table_url(game, "ply/5/")
    assert not soup(client.get(url)).select("#table[data-still]")
    alice.sees_motion = False
    alice.save()
    assert soup(client.get(url)).select("#table[data-still]")
