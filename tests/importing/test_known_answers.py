"""A corpus whose answers this test computes from its records alone: who won, who led after which move, which games
passed through a position, what a search finds. Pages and API must say the same.

Nothing of `games.rules` or `games.pov` and no row of the site helps to compute them: records are read as JSON, and
played by `tests/rules/reference.py`, which is written from the text of the rules.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.core.cache import cache
from django.test import Client

from tests.importing.helpers import KEPT, simulated
from tests.pages.helpers import soup
from tests.rules.reference import Reference, begin

pytestmark = pytest.mark.django_db

GIVEN_UP = 7
BOARD = Path(__file__).parents[2] / "games/rules/boards/atlas-1.json"

Json = dict[str, Any]


class Known(NamedTuple):
    """A record, and the positions of its game: at each ply what all may know, and the points of the clans."""

    record: Json
    positions: list[str]
    scores: list[dict[str, int]]

    @property
    def names(self) -> set[str]:
        """Who had the seats in the end."""
        return {name.lower() for name in self.seats}

    @property
    def seats(self) -> list[str]:
        seats = [player["name"] for player in self.record["players"]]
        for taken in self.record.get("takeovers", ()):
            seats[taken["seat"]] = taken["name"]
        return seats

    @property
    def winners(self) -> set[str]:
        return {self.seats[seat].lower() for seat in self.record["result"]["winners"]}

    @property
    def best(self) -> int:
        """The total of the winners; -1 where nobody won."""
        return max(self.record["result"]["totals"]) if self.winners else -1


@pytest.fixture
def corpus(imported: Callable[[bytes], str]) -> dict[str, Known]:
    """Games by their titles: kept ones, random ones, one of each again, which others played, and the last one given
    up after 7 moves."""
    records = [json.loads(line) for line in (KEPT.read_bytes() + simulated(6)).splitlines()]
    for again in (records[0], records[12]):
        players = [player | {"name": f"Guest {seat}"} for seat, player in enumerate(again["players"])]
        records.append({key: value for key, value in again.items() if key != "deal"} | {"players": players})
    records.append(given_up(records[-1]))
    records = [record | {"name": f"Game {number}"} for number, record in enumerate(records)]
    said = imported("".join(f"{json.dumps(record)}\n" for record in records).encode())
    assert said == f"Imported: {len(records)}, here already: 0, refused: 0."
    return {record["name"]: replayed(record) for record in records}


def given_up(record: Json) -> Json:
    begun = record | {"moves": record["moves"][:GIVEN_UP]}
    assert not any(move["villages"] for move in begun["moves"])
    nothing = [0] * len(record["players"])
    result = {"end": "abandoned", "chips": nothing, "totals": nothing, "winners": []}
    return begun | {"result": result | {"scores": dict.fromkeys(record["result"]["scores"], 0)}}


def replayed(record: Json) -> Known:
    board = json.loads(BOARD.read_bytes())
    game = begin(board, record)
    positions, scores = [told(record, game)], [dict(game.scores)]
    for move in record["moves"]:
        game.play(move["from"], move["to"], tuple(move["villages"]))
        positions.append(told(record, game))
        scores.append(dict(game.scores))
    return Known(record, positions, scores)


def told(record: Json, game: Reference) -> str:
    """All that all may know of a position, with the seats counted from the one to move."""
    huts = {name: sorted(huts) for name, huts in sorted(game.huts.items()) if huts}
    chips = game.chips[game.seat :] + game.chips[: game.seat]
    return json.dumps([record["board"], record["rules"], huts, sorted(game.villages), game.scores, chips])


def found(client: Client, query: str) -> set[str]:
    """The games that page and API find, on all of their pages."""
    names, path = set[str](), f"/archive/?{query}"
    while path:
        page = soup(client.get(path))
        names |= {link.get_text() for link in page.select(".table-name")}
        after = page.select_one("a[rel=next]")
        path = f"/archive/{after['href']}" if after else ""
    assert {game["name"] for game in by_api(client, query)} == names
    return names


def by_api(client: Client, query: str) -> Iterator[Json]:
    cursor = ""
    while True:
        answer = asked(client, f"games?{query}{cursor}")
        yield from answer["games"]
        if not answer["after"]:
            return
        cursor = f"&cursor={answer['after']}"


def asked(client: Client, path: str) -> Json:
    cache.clear()  # there the calls are counted
    response = client.get(f"/api/v1/{path}")
    assert response.status_code == 200, path
    answer: Json = response.json()
    return answer


def slugs(client: Client) -> dict[str, str]:
    """The addresses of the games by their titles."""
    return {game["name"]: game["id"] for game in by_api(client, "")}


SEARCHES: dict[str, Callable[[Known], bool]] = {
    "player=alice": lambda game: "alice" in game.names,
    "player=Bob, alice": lambda game: {"alice", "bob"} <= game.names,
    "player=computer 1": lambda game: "computer 1" in game.names,
    "player=player 2,player 1": lambda game: {"player 1", "player 2"} <= game.names,
    "player=guest 1": lambda game: "guest 1" in game.names,
    "winner=alice": lambda game: "alice" in game.winners,
    "winner=Player 1": lambda game: "player 1" in game.winners,
    "player=carol&winner=bob": lambda game: "carol" in game.names and "bob" in game.winners,
    "total_from=30": lambda game: game.best >= 30,
    "total_to=29&size=2": lambda game: 0 <= game.best <= 29 and len(game.seats) == 2,
    "moves_from=45": lambda game: len(game.record["moves"]) >= 45,
    "end=abandoned": lambda game: game.record["result"]["end"] == "abandoned",
}


def test_searches_find_the_games_that_the_records_tell_of(client: Client, corpus: dict[str, Known]) -> None:
    assert found(client, "") == {*corpus}
    for query, fits in SEARCHES.items():
        expected = {name for name, game in corpus.items() if fits(game)}
        assert expected
        assert found(client, query) == expected, query


def test_all_games_that_passed_through_a_position_are_found(client: Client, corpus: dict[str, Known]) -> None:
    at = slugs(client)
    for name, game in corpus.items():
        for ply in {0, GIVEN_UP, GIVEN_UP + 1, len(game.positions) // 2, len(game.positions) - 1}:
            if ply < len(game.positions):
                expected = {other for other, one in corpus.items() if game.positions[ply] in one.positions}
                assert found(client, f"position={at[name]}-{ply}") == expected, f"{name} at {ply}"


def test_it_says_who_won_and_who_led_after_each_move(client: Client, corpus: dict[str, Known]) -> None:
    at = slugs(client)
    for name, game in corpus.items():
        answer = asked(client, f"games/{at[name]}")
        assert {seat["name"].lower() for seat in answer["seats"] if seat["rank"] == 1} == game.winners
        assert [seat["total"] for seat in answer["seats"]] == game.record["result"]["totals"]
        verdict = soup(client.get(f"/tables/{at[name]}/")).select_one(".verdict")
        assert verdict
        assert all(winner in verdict.get_text().lower() for winner in game.winners)
        for ply in range(0, len(game.scores), 6):
            scores = asked(client, f"games/{at[name]}/plies/{ply}")["scores"]
            assert leaders(scores) == leaders(game.scores[ply]), f"{name} at {ply}"
            assert scores == game.scores[ply]


def leaders(scores: dict[str, int]) -> set[str]:
    return {clan for clan, points in scores.items() if points == max(scores.values())}
