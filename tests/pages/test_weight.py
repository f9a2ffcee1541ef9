"""What the page of a table weighs at its heaviest, as a browser gets it: static files with hashes in their names."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client

from games import play, rules
from games.models import Game, Player
from tests.cast import AT, make_game, put_in_season, seat_to_move
from tests.pages.helpers import table_url, to_move

RECORDED = Path(__file__).parents[1] / "rules/recorded"
HTML, COMPRESSED = 60_000, 14_000
STATIC = re.compile(rb'(/static/[\w./-]+?)(\.\w+(?=["#]))')
EVERY = 6
"""Plies from one look at a game to the next."""


def longest_games() -> list[rules.Record]:
    """The longest of the recorded games of each number of seats."""
    lines = [line for file in sorted(RECORDED.glob("*.jsonl")) for line in file.read_text("utf-8").splitlines()]
    games = sorted((rules.read_record(json.loads(line)) for line in lines), key=lambda record: len(record.moves))
    return list({len(record.players): record for record in games}.values())


@pytest.mark.parametrize("record", longest_games(), ids=lambda record: f"{len(record.players)} seats")
def test_it_stays_light_through_a_whole_game(
    client: Client, alice: Player, bob: Player, carol: Player, mallory: Player, record: rules.Record
) -> None:
    players = [alice, bob, carol, mallory][: len(record.players)]
    game = make_game(*players, five_clans=record.opening.five_clans)
    put_in_season(game)
    first = record.opening.first
    Game.objects.filter(pk=game.pk).update(
        huts=record.opening.huts, first=first, to_move=first, awaited=game.seats.get(number=first).player
    )
    served = (STATIC.sub(with_hash, page) for page in pages(client, game, record))
    heaviest = max((len(page), len(gzip.compress(page, 9))) for page in served)
    assert heaviest[0] <= HTML, "the page has grown: make something else in it shorter (docs/contributing.md)"
    assert heaviest[1] <= COMPRESSED


def with_hash(address: re.Match[bytes]) -> bytes:
    """A static file under a name such as it has in production: `board.0f3a51c2b9d4.css`."""
    return address[1] + b"." + hashlib.sha256(address[0]).hexdigest()[:12].encode() + address[2]


def pages(client: Client, game: Game, record: rules.Record) -> Iterator[bytes]:
    """What the player to move gets before some of the moves: the table, and their draft; at last the result."""
    for ply, move in enumerate(record.moves):
        if ply % EVERY == 0:
            client.force_login(to_move(game))
            for draft in ({}, {"from": move.origin}, {"from": move.origin, "to": move.target}):
                yield client.get(table_url(game), draft).content
        play.play_move(game, seat=seat_to_move(game), move=move, ply=ply, key=f"weight-{ply}", at=AT)
    yield client.get(table_url(game)).content
