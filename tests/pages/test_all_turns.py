"""All turns on one page: what it shows, and moves at several tables by one form."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from games import rules
from games.models import Game, Player
from tests.cast import AT, make_game, play_random
from tests.pages.helpers import game_before_a_choice, next_move, play_next, soup, table_url, text_of, to_move

PAGE = "/turns/"


def waiting_for(player: Player, other: Player, *, tables: int) -> list[Game]:
    """Games that wait for `player`, the nearest deadline first, of which the first was opened last."""
    games = []
    for hours in reversed(range(tables)):
        game = make_game(player, other, at=AT)
        if to_move(game) != player:
            play_next(game)
        Game.objects.filter(pk=game.pk).update(name=f"Table {hours}", due_at=AT + timedelta(days=3, hours=hours))
        game.refresh_from_db()
        games.append(game)
    return games[::-1]


@pytest.fixture
def games(alice: Player, bob: Player) -> list[Game]:
    """Three tables that wait for alice."""
    return waiting_for(alice, bob, tables=3)


@pytest.fixture
def impatient(alice: Player) -> Player:
    """alice, who confirms no moves."""
    alice.confirms_moves = False
    alice.save(update_fields=["confirms_moves"])
    return alice


def fill_in(client: Client, moves: dict[Game, Any], *, by: str = "written") -> dict[str, Any]:
    """What the form sends with these moves filled in."""
    page = soup(client.get(PAGE))
    hidden = page.select("main form input[type=hidden]:not([name=table]):not([name=csrfmiddlewaretoken])")
    sent: dict[str, Any] = {str(field["name"]): str(field["value"]) for field in hidden}
    sent["table"] = [str(field["value"]) for field in page.select("input[name=table]")]
    return sent | {f"{game.slug}-{by}": str(move) for game, move in moves.items()}


def played(*games: Game) -> list[str]:
    """The move of each game that was made since it waited for alice, if there is one."""
    return [game.moves.filter(ply=game.ply).values_list("text", flat=True).first() or "" for game in games]


def test_it_shows_the_tables_that_wait_nearest_deadline_first(client: Client, alice: Player, games: list[Game]) -> None:
    client.force_login(alice)
    page = soup(client.get(PAGE))
    assert [legend.get_text(strip=True) for legend in page.select("fieldset > legend")] == [g.name for g in games]
    assert [str(link["href"]) for link in page.select("legend a")] == [table_url(game) for game in games]
    assert [str(img["src"]) for img in page.select("fieldset img")] == [
        table_url(game, f"small/0-{game.ply}.svg?names") for game in games
    ]
    assert len(page.select("fieldset details li")) == 3 * 60
    assert "With bob." in text_of(client.get(PAGE), "fieldset")


def test_it_offers_every_legal_move_and_no_other(client: Client, alice: Player, bob: Player, carol: Player) -> None:
    game, choice = game_before_a_choice(alice, bob, carol)
    client.force_login(to_move(game))
    position = game.position()
    offered = [str(option["value"]) for option in soup(client.get(PAGE)).select("optgroup option")]
    expected = []
    for move in rules.legal_moves(position):
        orders = rules.founding_orders(position, move)
        expected += [str(move._replace(order=order)) for order in orders] or [str(move)]
    assert sorted(offered) == sorted(expected)
    assert len([text for text in offered if text.startswith(f"{choice}=")]) > 1
    texts = [option.get_text() for option in soup(client.get(PAGE)).select("optgroup option")]
    assert any("This founds" in text for text in texts)
    assert any("This founds" not in text for text in texts)


@pytest.mark.parametrize("by", ["written", "picked"])
def test_it_plays_what_is_filled_in_and_nothing_else(
    client: Client, impatient: Player, games: list[Game], by: str
) -> None:
    client.force_login(impatient)
    moves = {game: next_move(game) for game in (games[0], games[2])}
    response = client.post(PAGE, fill_in(client, moves, by=by))
    assert response.status_code == 200
    assert played(*games) == [str(moves[games[0]]), "", str(moves[games[2]])]
    assert text_of(response, "[role=status]").startswith(f"Played: {moves[games[0]]} at Table 0")
    assert [str(link["href"]) for link in soup(response).select("[role=status] a")] == [
        table_url(games[0]),
        table_url(games[2]),
    ]
    assert [legend.get_text(strip=True) for legend in soup(response).select("legend")] == ["Table 1"]


@pytest.mark.parametrize(("seconds", "says"), [(120, "For 2 minutes a move can be taken back"), (0, "")])
def test_it_says_for_how_long_a_move_can_be_taken_back(
    client: Client, impatient: Player, games: list[Game], settings: Settings, seconds: int, says: str
) -> None:
    settings.MAIL_WAIT_SECONDS = seconds
    client.force_login(impatient)
    told = text_of(client.post(PAGE, fill_in(client, {games[0]: next_move(games[0])})), "[role=status]")
    assert (says in told, "taken back" in told) == (True, bool(seconds))


@pytest.mark.parametrize("form", ["{0.origin} {0.target}", "{0.origin} to {0.target}", " {0.origin}-{0.target} "])
def test_it_reads_moves_as_the_page_of_a_table_does(
    client: Client, impatient: Player, games: list[Game], form: str
) -> None:
    client.force_login(impatient)
    move = next_move(games[0])
    client.post(PAGE, fill_in(client, {games[0]: form.format(move).lower()}))
    assert played(games[0]) == [str(move)]


def test_it_plays_a_founding_order(client: Client, alice: Player, bob: Player, carol: Player) -> None:
    game, choice = game_before_a_choice(alice, bob, carol)
    mover = to_move(game)
    Player.objects.filter(pk=mover.pk).update(confirms_moves=False)
    client.force_login(mover)
    without = client.post(PAGE, fill_in(client, {game: choice}))
    assert without.status_code == 422
    assert played(game) == [""]
    assert text_of(without, ".errorlist")
    chosen = choice._replace(order=rules.founding_orders(game.position(), choice)[1])
    client.post(PAGE, fill_in(client, {game: chosen}, by="picked"))
    assert played(game) == [str(chosen)]


def test_it_plays_the_others_where_one_is_illegal(client: Client, impatient: Player, games: list[Game]) -> None:
    client.force_login(impatient)
    moves: dict[Game, Any] = {game: next_move(game) for game in games} | {games[1]: "A1-L5"}
    response = client.post(PAGE, fill_in(client, moves))
    assert response.status_code == 422
    assert played(*games) == [str(moves[games[0]]), "", str(moves[games[2]])]
    assert text_of(response, "[role=status]").count(" at Table ") == 2
    [error] = soup(response).select(".errorlist")
    field = soup(response).select_one(f"[id='{games[1].slug}-written']")
    assert field
    assert (field["value"], field["aria-describedby"]) == ("A1-L5", error["id"])
    assert text_of(response, "[role=alert]") == f"Not played: Table 1 : {error.get_text()}"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("C4", "is no move"),
        ("resign", "is no move"),
        ("x" * 41, "At most 40 letters"),
        ("A1-A1", "A1"),
    ],
)
def test_it_says_what_is_wrong_with_a_move(
    client: Client, impatient: Player, games: list[Game], written: str, said: str
) -> None:
    client.force_login(impatient)
    response = client.post(PAGE, fill_in(client, {games[0]: written}))
    assert response.status_code == 422
    assert said in text_of(response, ".errorlist")
    assert played(*games) == ["", "", ""]


def test_it_guesses_nothing_where_two_moves_are_named(client: Client, impatient: Player, games: list[Game]) -> None:
    client.force_login(impatient)
    one, other = rules.legal_moves(games[0].position())[:2]
    sent = fill_in(client, {games[0]: one}) | {f"{games[0].slug}-picked": str(other)}
    response = client.post(PAGE, sent)
    assert response.status_code == 422
    assert "one move and chosen another" in text_of(response, ".errorlist")
    assert played(games[0]) == [""]
    selected = soup(response).select_one("option[selected]")
    assert selected
    assert selected["value"] == str(other)
    client.post(PAGE, sent | {f"{games[0].slug}-picked": str(one)})
    assert played(games[0]) == [str(one)]


def test_it_says_so_where_nothing_is_filled_in(client: Client, alice: Player, games: list[Game]) -> None:
    client.force_login(alice)
    response = client.post(PAGE, fill_in(client, {games[0]: "  "}))
    assert response.status_code == 422
    assert text_of(response, "[role=alert]") == "No move was filled in, so nothing was played."


# --- Twice, late, by others -----------------------------------------------------------------------


def test_it_plays_once_what_is_sent_twice(client: Client, impatient: Player, games: list[Game]) -> None:
    client.force_login(impatient)
    moves = {game: next_move(game) for game in games}
    sent = fill_in(client, moves)
    first, second = client.post(PAGE, sent), client.post(PAGE, sent)
    assert first.status_code == second.status_code == 200
    assert text_of(first, "[role=status]") == text_of(second, "[role=status]")
    assert [game.moves.count() - game.ply for game in games] == [1, 1, 1]


def test_it_plays_once_what_the_page_of_the_table_has_sent(
    client: Client, impatient: Player, games: list[Game]
) -> None:
    client.force_login(impatient)
    game, move = games[0], next_move(games[0])
    sent = fill_in(client, {game: str(move).lower()})
    client.post(table_url(game, "move/"), {"ply": game.ply, "move": str(move)})
    assert client.post(PAGE, sent).status_code == 200
    assert game.moves.count() == game.ply + 1


def test_it_refuses_what_another_tab_was_faster_with(client: Client, impatient: Player, games: list[Game]) -> None:
    client.force_login(impatient)
    game = games[0]
    one, other = rules.legal_moves(game.position())[:2]
    elsewhere = next_move(games[1])
    first, second = fill_in(client, {game: one}), fill_in(client, {game: other, games[1]: elsewhere})
    client.post(PAGE, first)
    response = client.post(PAGE, second)
    assert response.status_code == 422
    assert played(game, games[1]) == [str(one), str(elsewhere)]
    assert "Table 0 : The game has moved on" in text_of(response, "[role=alert]")
    assert [str(link["href"]) for link in soup(response).select("[role=alert] a")] == [table_url(game)]


def test_it_refuses_what_was_made_for_a_position_that_was_taken_back(
    client: Client, impatient: Player, games: list[Game], settings: Settings
) -> None:
    settings.MAIL_WAIT_SECONDS = 120
    client.force_login(impatient)
    game = games[0]
    with time_machine.travel(AT, tick=False):
        sent = fill_in(client, {game: next_move(game)})
        assert client.post(PAGE, sent).status_code == 200
        client.post(table_url(game, "take-back/"), {"ply": game.ply + 1})
        assert played(game) == [""]
        response = client.post(PAGE, sent)
        assert "The game has moved on" in text_of(response, ".errorlist")
        assert played(game) == [""]
        assert client.post(PAGE, fill_in(client, {game: next_move(game)})).status_code == 200


def test_it_plays_for_nobody_else(client: Client, bob: Player, mallory: Player, impatient: Player) -> None:
    [game] = waiting_for(impatient, bob, tables=1)
    client.force_login(impatient)
    sent = fill_in(client, {game: next_move(game)})
    for player, said in ((mallory, "You have no seat at this table."), (bob, "It is not your turn")):
        Player.objects.filter(pk=player.pk).update(confirms_moves=False)
        client.force_login(player)
        response = client.post(PAGE, sent)
        assert response.status_code == 422
        assert said in text_of(response, "[role=alert]")
    assert played(game) == [""]


def test_it_passes_over_tables_that_there_are_not(client: Client, impatient: Player, games: list[Game]) -> None:
    client.force_login(impatient)
    move = next_move(games[0])
    unknown = {"table": ["unknown", games[0].slug], "unknown-written": "A1-A2"}
    assert client.post(PAGE, fill_in(client, {games[0]: move}) | unknown).status_code == 200
    assert played(games[0]) == [str(move)]


def test_it_refuses_a_form_without_its_ply(client: Client, impatient: Player, games: list[Game]) -> None:
    client.force_login(impatient)
    sent = fill_in(client, {games[0]: next_move(games[0])})
    response = client.post(PAGE, sent | {f"{games[0].slug}-ply": ""})
    assert response.status_code == 422
    assert played(games[0]) == [""]


# --- Confirming -----------------------------------------------------------------------------------


def confirm(client: Client, response: Any, button: str) -> Any:
    """Press one of the two buttons under what the moves would do."""
    form = soup(response).select_one("main form")
    assert form
    sent: dict[str, Any] = {str(field["name"]): str(field["value"]) for field in form.select("input[type=hidden]")}
    sent["table"] = [str(field["value"]) for field in form.select("input[name=table]")]
    return client.post(PAGE, sent | {button: "yes"})


def test_it_asks_first_where_the_player_confirms_moves(client: Client, alice: Player, games: list[Game]) -> None:
    client.force_login(alice)
    moves = {game: next_move(game) for game in games[:2]}
    asked = client.post(PAGE, fill_in(client, moves))
    assert asked.status_code == 200
    assert played(*games) == ["", "", ""]
    assert text_of(asked, "h1") == "Play these 2 moves?"
    assert [str(move) in text_of(asked) for move in moves.values()] == [True, True]
    assert text_of(asked).count("This founds no village.") == 2
    assert confirm(client, asked, "sure").status_code == 200
    assert played(*games) == [*map(str, moves.values()), ""]


def test_it_says_before_the_question_what_cannot_be_played(client: Client, alice: Player, games: list[Game]) -> None:
    client.force_login(alice)
    move = next_move(games[0])
    asked = client.post(PAGE, fill_in(client, {games[0]: move, games[1]: "A1-L5"}))
    assert text_of(asked, "h1") == "Play this move?"
    assert "Table 1: " in text_of(asked, "[role=alert]")
    response = confirm(client, asked, "sure")
    assert played(*games) == [str(move), "", ""]
    assert "Table 1 : " in text_of(response, "[role=alert]")


def test_it_lets_the_player_change_something(client: Client, alice: Player, games: list[Game]) -> None:
    client.force_login(alice)
    move = next_move(games[0])
    other = next_move(games[1])
    sent = fill_in(client, {games[0]: str(move).lower()}) | {f"{games[1].slug}-picked": str(other)}
    response = confirm(client, client.post(PAGE, sent), "change")
    assert played(*games) == ["", "", ""]
    field = soup(response).select_one(f"[id='{games[0].slug}-written']")
    selected = soup(response).select_one("option[selected]")
    assert field
    assert selected
    assert (field["value"], selected["value"]) == (str(move).lower(), str(other))


def test_it_asks_nothing_where_no_move_can_be_played(client: Client, alice: Player, games: list[Game]) -> None:
    client.force_login(alice)
    sent = fill_in(client, {games[0]: next_move(games[0]), games[1]: "A1-L5"})
    play_random(games[0], 2)
    response = client.post(PAGE, sent)
    assert response.status_code == 422
    assert text_of(response, "h1") == "All your turns"
    assert "The game has moved on" in text_of(response, "[role=alert]")
    assert played(games[1]) == [""]
