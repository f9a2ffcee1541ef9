"""The small board beside the name of a table: in every list, and as a picture with an address of its own."""

from __future__ import annotations

import itertools
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import play, rules
from games.drawing import draw_small
from games.models import Game, Player
from games.rules import CLANS
from tests.cast import AT, make_game, make_table, play_out, play_random
from tests.elements import Element
from tests.look.test_paper_and_ink import themes
from tests.pages.helpers import soup, table_url, to_move

pytestmark = pytest.mark.django_db

LISTS = ("/", "/?list=waiting", "/?list=tables", "/?list=open", "/archive/", "/archive/?mine=1", "/watch/")


def picture_of(client: Client, path: str, name: str) -> Element:
    """The small board beside the name of a table."""
    [row] = [row for row in soup(client.get(path)).select(".table-row") if name in row.get_text()]
    [picture] = row.select("img")
    return picture


def svg_of(client: Client, game: Game, edition: int, ply: int, query: str = "") -> bytes:
    response = client.get(table_url(game, f"small/{edition}-{ply}.svg{query}"))
    assert response.status_code == 200
    return response.content


def test_it_stands_in_every_list_and_loads_when_it_comes_into_sight(
    client: Client, alice: Player, bob: Player, carol: Player
) -> None:
    for mover in (alice, bob):
        running = play_random(make_game(alice, bob), 5)
        while to_move(running) != mover:
            play_random(running, 1)
    play_out(make_game(alice, bob))
    make_table(carol)
    client.force_login(alice)
    for path in LISTS:
        rows = soup(client.get(path)).select(".table-row")
        assert rows, path
        for row in rows:
            [picture] = row.select("img")
            assert picture["loading"] == "lazy"
            assert (picture["width"], picture["height"]) == ("132", "107")
            assert str(picture["alt"]).startswith(("The board after ", "The map, before"))
            address = str(picture["src"])
            is_there = finders.find(address.removeprefix("/static/")) if "/static/" in address else client.get(address)
            assert is_there


def test_it_shows_the_last_position_and_who_made_it_so(client: Client, alice: Player, bob: Player) -> None:
    game = play_random(make_game(alice, bob), 5)
    picture = picture_of(client, "/watch/", game.name)
    assert picture["alt"] == "The board after 5 moves"
    assert picture["src"] == table_url(game, "small/0-5.svg")
    last = game.steps()[-1]
    assert client.get(str(picture["src"])).content.decode() == draw_small(last.position, last=last)
    play_random(game, 1)
    assert picture_of(client, "/watch/", game.name)["src"] == table_url(game, "small/0-6.svg")


def test_it_shows_the_map_before_the_huts_are_dealt(client: Client, alice: Player) -> None:
    picture = picture_of(client, "/", make_table(alice).name)
    assert picture["alt"] == "The map, before the huts are dealt"
    file = finders.find(str(picture["src"]).removeprefix("/static/"))
    assert isinstance(file, str)
    drawn = Path(file).read_text(encoding="utf-8")
    assert "forest" in drawn
    assert "<circle" not in drawn


def test_it_may_be_kept_for_ever_and_runs_nothing(client: Client, game: Game) -> None:
    response = client.get(table_url(game, "small/0-0.svg"))
    assert response["Content-Type"] == "image/svg+xml"
    assert {"public", "immutable", "max-age=31536000"} == set(response["Cache-Control"].split(", "))
    assert "Cookie" not in response.get("Vary", "")
    assert not response.cookies
    [style] = re.findall(rb"<style>(.*?)</style>", response.content)
    digest = b64encode(sha256(style).digest()).decode()
    assert response["Content-Security-Policy"] == (
        f"default-src 'none'; style-src 'sha256-{digest}'; frame-ancestors 'none'; sandbox"
    )
    assert not re.search(rb"<script|href|url\(|<text|<title", response.content)


def test_it_has_names_where_it_is_seen_large(client: Client, game: Game) -> None:
    plain, named = svg_of(client, game, 0, 0), svg_of(client, game, 0, 0, "?names")
    assert re.findall(rb"<text[^>]*>([A-Z]\d)</text>", named) == [name.encode() for name in game.ruleset.board.names]
    assert b"<text" not in plain
    assert len(named) - len(plain) < 2_500


def test_its_names_do_not_run_into_each_other(client: Client, game: Game) -> None:
    """In DejaVu Sans, the widest font that browsers take: two signs are 1.54 times as wide as high, with a rim of 6."""
    drawn = svg_of(client, game, 0, 0, "?names").decode()
    narrowed = float(re.findall(r'transform="scale\(([\d.]+) 1\)"', drawn)[0])
    [size] = map(int, re.findall(r'font-size="(\d+)"', drawn))
    wide = (1.54 * size + 6) * narrowed
    places = [
        (int(x) * narrowed, int(y), name) for x, y, name in re.findall(r'<text x="(\d+)" y="(\d+)">(..)</text>', drawn)
    ]
    assert len(places) == 60
    assert [
        (one, other)
        for (x, y, one), (to_x, to_y, other) in itertools.combinations(places, 2)
        if abs(y - to_y) < size * 2 / 3 and abs(x - to_x) < wide
    ] == []


def test_it_reads_the_moves_once(client: Client, game: Game, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    play_random(game, 9)
    client.get(table_url(game, "small/0-9.svg"))
    for ply in (9, 3):
        with django_assert_num_queries(1):
            client.get(table_url(game, f"small/0-{ply}.svg"))


def test_it_shows_what_was_played_and_nothing_else(client: Client, alice: Player, game: Game) -> None:
    play_random(game, 4)
    positions = [rules.set_up(game.opening()), *(step.position for step in game.steps())]
    shown = [svg_of(client, game, 0, ply) for ply in range(5)]
    assert len(set(shown)) == len(positions) == 5
    for unknown in ("small/0-5.svg", "small/1-4.svg", "small/1-0.svg", "small/0-99999.svg"):
        assert client.get(table_url(game, unknown)).status_code == 404
    assert client.get(table_url(make_table(alice), "small/0-0.svg")).status_code == 404
    assert client.get("/tables/unknown/small/0-0.svg").status_code == 404


def test_it_has_another_address_once_a_move_was_taken_back(client: Client, game: Game) -> None:
    game = play_random(game, 4)
    before = svg_of(client, game, 0, 4)
    mover = game.seats.get(number=game.steps()[-1].seat).player
    assert mover
    assert game.turn_since
    play.take_back(game, player=mover, ply=4, edition=0, at=game.turn_since)
    assert client.get(table_url(game, "small/0-4.svg")).status_code == 404
    assert client.get(table_url(game, "small/0-3.svg")).status_code == 404
    play_random(game, 1, seed=7)
    assert svg_of(client, game, 1, 4) != before


def test_it_hides_a_table_by_link_from_strangers(client: Client, alice: Player, bob: Player, mallory: Player) -> None:
    game = play_random(make_game(alice, bob, is_public=False), 5)
    address = table_url(game, "small/0-5.svg")
    assert client.get(address).status_code == 404
    client.force_login(mallory)
    assert client.get(address).status_code == 404
    client.force_login(alice)
    response = client.get(address)
    assert response.status_code == 200
    assert {"private", "immutable", "max-age=31536000"} == set(response["Cache-Control"].split(", "))
    play.resign(game, player=alice, at=AT)
    assert client.get(address).status_code == 200


def test_it_draws_the_fifth_clan_white_for_whom_it_is_white(client: Client, alice: Player, game: Game) -> None:
    client.force_login(to_move(game))
    client.post("/preferences/", {"white_clan": "on", "time_zone": "UTC"})
    address = str(picture_of(client, "/", game.name)["src"])
    assert address.endswith("small/0-0.svg?white")
    white, black = client.get(address), client.get(address.removesuffix("?white"))
    assert b".black{fill:#f4f1e8}" in white.content
    assert b".black{fill:#33312f}" in black.content


def test_it_has_the_colors_of_the_site_by_day_and_by_night(client: Client, game: Game) -> None:
    [style] = re.findall(r"<style>(.*?)</style>", svg_of(client, game, 0, 0).decode())
    day, night = style.split("@media(prefers-color-scheme:dark)")
    for drawn, theme in ((day, "day"), (night, "night")):
        tokens = themes()[theme]
        for terrain in ("forest", "mountain", "steppe", "grassland"):
            assert f".{terrain}{{fill:{tokens[f'terrain-{terrain}']}}}" in drawn
        assert f".empty,.ring{{fill:{tokens['paper']}}}" in drawn
        assert f"stroke:{tokens['ink']}" in drawn
    for clan in CLANS:
        assert f".{clan}{{fill:{themes()['day'][f'clan-{clan}']}}}" in day


def test_it_is_light(game: Game) -> None:
    game = play_out(game)
    for step in game.steps():
        assert len(draw_small(step.position, last=step)) < 17_000
