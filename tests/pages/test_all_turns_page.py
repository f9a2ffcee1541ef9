"""All turns on one page: what it tells before anything is played."""

from __future__ import annotations

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.mail import links
from games.models import Game, Player
from tests.faults.worlds import turn_cards
from tests.pages.helpers import next_move, play_next, soup, text_of
from tests.pages.test_all_turns import PAGE, fill_in, games, impatient, played, waiting_for

__all__ = ["games", "impatient"]


def test_it_shows_and_plays_20_tables_and_says_how_many_more_wait(
    client: Client, impatient: Player, bob: Player
) -> None:
    games = waiting_for(impatient, bob, tables=22)
    client.force_login(impatient)
    response = client.get(PAGE)
    assert [legend.get_text(strip=True) for legend in soup(response).select("legend")] == [g.name for g in games[:20]]
    assert "2 more tables wait for you" in text_of(response)
    moves = {game: next_move(game) for game in games}
    more = {f"{games[20].slug}-ply": games[20].ply, "table": [game.slug for game in games[:21]]}
    refused = client.post(PAGE, fill_in(client, moves) | more)
    assert "more than 20 tables" in text_of(refused, "[role=alert]")
    assert set(played(*games)) == {""}
    assert client.post(PAGE, fill_in(client, moves)).status_code == 200
    assert played(*games) == [*(str(moves[game]) for game in games[:20]), "", ""]


def test_it_costs_as_many_queries_for_19_tables_as_for_one(client: Client, alice: Player, bob: Player) -> None:
    client.force_login(alice)

    def queries() -> int:
        client.get(PAGE)
        with CaptureQueriesContext(connection) as asked:
            client.get(PAGE)
        return len(asked)

    waiting_for(alice, bob, tables=1)
    one = queries()
    waiting_for(alice, bob, tables=18)
    assert queries() == one == 4


def test_it_tells_what_has_happened_since_the_last_move(client: Client, alice: Player, bob: Player) -> None:
    [game] = waiting_for(alice, bob, tables=1)
    play_next(game)
    move = play_next(game)
    client.force_login(alice)
    assert f"bob moved {move.origin} to {move.target}." in text_of(client.get(PAGE))


def test_it_says_that_nothing_waits(client: Client, mallory: Player) -> None:
    client.force_login(mallory)
    response = client.get(PAGE)
    assert "No table waits for your move." in text_of(response)
    assert not soup(response).select("main form")


def test_it_shows_the_same_however_the_cards_of_others_lie(client: Client, alice: Player, games: list[Game]) -> None:
    client.force_login(alice)

    def see() -> list[str]:
        asked = client.post(PAGE, fill_in(client, {games[0]: next_move(games[0])}))
        pages = [soup(response) for response in (client.get(PAGE), asked)]
        for changing in [part for page in pages for part in page.select("[name=csrfmiddlewaretoken], script")]:
            changing.remove()
        return [str(page) for page in pages]

    before = see()
    turn_cards(alice, turn=1)
    assert see() == before


def test_it_shows_the_card_of_the_player_at_each_table(client: Client, alice: Player, games: list[Game]) -> None:
    client.force_login(alice)
    response = client.get(PAGE)
    cards = [game.seats.get(player=alice).clan for game in games]
    assert [found.get_text(strip=True) for found in soup(response).select("details[open] > p:has(.hut)")] == cards
    assert "no-store" in response["Cache-Control"]
    client.cookies["card"] = "covered"
    covered = soup(client.get(PAGE)).select("details:not([open]) > p:has(.hut)")
    assert [found.get_text(strip=True) for found in covered] == cards


def test_it_is_linked_where_several_tables_wait(client: Client, alice: Player, bob: Player) -> None:
    client.force_login(alice)
    waiting_for(alice, bob, tables=1)
    assert not soup(client.get("/")).select(f"a[href='{PAGE}']")
    waiting_for(alice, bob, tables=1)
    assert soup(client.get("/")).select(f"a[href='{PAGE}']")
    assert links.url("all_turns").endswith(PAGE)
