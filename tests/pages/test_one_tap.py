"""Moves of a player who wishes to confirm none."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from games import rules
from games.models import Game, Player
from tests.pages.helpers import game_before_a_choice, next_move, soup, table_url, to_move


def confirm_nothing(player: Player) -> Player:
    player.confirms_moves = False
    player.save(update_fields=["confirms_moves"])
    return player


def buttons(client: Client, game: Game, origin: str, where: str) -> list[str]:
    """The moves that the buttons of a part of the page play, origin chosen."""
    page = soup(client.get(table_url(game), {"from": origin}))
    return [str(button["value"]) for button in page.select(f"{where} button[form=strike][name=move]")]


@pytest.mark.parametrize("where", [".targets", "svg.clans-board"])
def test_it_plays_by_the_choice_of_the_target(client: Client, game: Game, where: str) -> None:
    client.force_login(confirm_nothing(to_move(game)))
    move = next_move(game)
    page = soup(client.get(table_url(game), {"from": move.origin}))
    form = page.select_one("form#strike")
    assert form
    assert str(move) in buttons(client, game, move.origin, where)
    ply = form.select_one("[name=ply]")
    assert ply
    assert client.post(str(form["action"]), {"ply": str(ply["value"]), "move": str(move)}).status_code == 303
    assert [row.text for row in game.moves.all()] == [str(move)]


def test_it_plays_nothing_while_pages_are_only_read(client: Client, game: Game) -> None:
    client.force_login(confirm_nothing(to_move(game)))
    move = next_move(game)
    for chosen in ({"from": move.origin}, {"from": move.origin, "to": move.target}, {"move": str(move)}):
        assert client.get(table_url(game), chosen).status_code == 200
    assert game.moves.count() == 0


@pytest.mark.parametrize("where", [".targets", "svg.clans-board"])
def test_it_asks_for_the_founding_order_first(
    client: Client, alice: Player, bob: Player, carol: Player, where: str
) -> None:
    game, move = game_before_a_choice(alice, bob, carol)
    client.force_login(confirm_nothing(to_move(game)))
    assert str(move) not in buttons(client, game, move.origin, where)
    page = soup(client.get(table_url(game), {"from": move.origin}))
    assert page.select(f".targets a[href='?from={move.origin}&to={move.target}#ask']")
    said = [(one.get_text(), one.select("small")) for one in page.select(".targets button, .targets a")]
    assert {text.removesuffix(outcome[0].get_text()).rstrip()[-1] for text, outcome in said if outcome} == {"."}


@pytest.mark.parametrize("where", [".targets", "svg.clans-board"])
def test_it_offers_no_such_button_to_others(client: Client, game: Game, where: str) -> None:
    client.force_login(to_move(game))
    assert buttons(client, game, next_move(game).origin, where) == []


def test_it_marks_the_villages_of_which_the_order_is_asked(
    client: Client, alice: Player, bob: Player, carol: Player
) -> None:
    game, move = game_before_a_choice(alice, bob, carol)
    order = rules.founding_orders(game.position(), move)[0]
    client.force_login(to_move(game))

    def signs(**chosen: str) -> list[str]:
        page = soup(client.get(table_url(game), {"from": move.origin, "to": move.target, **chosen}))
        return [sign.get_text() for sign in page.select("svg .mark-asked")]

    assert signs() == ["?"] * len(signs())
    assert signs(order=",".join(order)) == (["1st", "2nd", "3rd"][: len(order)] if len(order) > 1 else [""])


def test_it_holds_every_legal_move_and_what_it_founds(
    client: Client, alice: Player, bob: Player, carol: Player
) -> None:
    game, choice = game_before_a_choice(alice, bob, carol)
    client.force_login(to_move(game))
    block = soup(client.get(table_url(game))).select_one("script#moves")
    assert block
    given = json.loads(block.get_text())
    position = game.position()
    offered = [f"{origin}-{target}" for origin, targets in given["targets"].items() for target in targets.split()]
    assert offered == [str(move) for move in rules.legal_moves(position)]
    for move in rules.legal_moves(position):
        orders = rules.founding_orders(position, move)
        step = rules.play(position, move._replace(order=orders[0]) if orders else move)
        assert (str(move) in given["founding"]) == bool(step.villages)
        assert [order[0] for order in given["founding"].get(str(move), {}).get("orders", [])] == [
            ",".join(order) for order in orders
        ]
    assert str(choice) in given["founding"]


def test_it_holds_no_moves_for_those_who_are_not_to_move(client: Client, game: Game, mallory: Player) -> None:
    client.force_login(mallory)
    assert soup(client.get(table_url(game))).select("script#moves") == []
    client.force_login(to_move(game))
    assert len(soup(client.get(table_url(game))).select("script#moves")) == 1
