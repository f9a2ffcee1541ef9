"""The picture of a game that is over, and what previews of links are told."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client

from games.drawing import png
from games.models import Game, Player
from tests.cast import make_game, make_table, play_random
from tests.pages.helpers import Page, soup, table_url
from tools.preview import draw_preview

HOLD = """
import fcntl, sys
slots = [open(f"{folder}/drawing-{{number}}", "w") for number in range({count})]
[fcntl.flock(slot, fcntl.LOCK_EX) for slot in slots]
print("held", flush=True)
sys.stdin.read()
"""
"""Another process that draws."""


def size_of(png: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def preview(page: Page) -> dict[str, str]:
    tags = soup(page).select("head meta[property^='og:'], head meta[name^='twitter:']")
    return {str(tag.get("property") or tag["name"]): str(tag["content"]) for tag in tags}


def test_it_is_a_picture_that_may_be_kept_for_ever(client: Client, over: Game) -> None:
    response = client.get(table_url(over, "ply/9.png"))
    assert (response.status_code, response["Content-Type"]) == (200, "image/png")
    assert size_of(response.content) == (png.WIDTH, png.HEIGHT)
    assert {"public", "immutable", "max-age=31536000"} <= set(response["Cache-Control"].split(", "))
    assert "Cookie" not in response.get("Vary", "")
    again = client.get(table_url(over, "ply/9.png"), headers={"If-None-Match": response["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", response["ETag"])


def test_it_is_drawn_once_and_the_same_for_all(client: Client, over: Game, alice: Player) -> None:
    client.get(table_url(over, "ply/5.png"))
    kept = {file: file.stat().st_mtime_ns for file in settings.PICTURES_DIR.rglob("*.png")}
    first = client.get(table_url(over, "ply/5.png")).content
    client.force_login(alice)
    assert client.get(table_url(over, "ply/5.png")).content == first
    assert {file: file.stat().st_mtime_ns for file in settings.PICTURES_DIR.rglob("*.png")} == kept
    assert client.get(table_url(over, "ply/6.png"))["ETag"] != client.get(table_url(over, "ply/5.png"))["ETag"]


def test_it_draws_few_at_a_time_and_shows_what_is_drawn_meanwhile(client: Client, over: Game) -> None:
    drawn = client.get(table_url(over, "ply/4.png")).content
    command = [sys.executable, "-c", HOLD.format(folder=settings.PICTURES_DIR, count=png.AT_ONCE)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout
        assert other.stdout.readline()
        busy = client.get(table_url(over, "ply/8.png"))
        assert (busy.status_code, busy["Retry-After"], busy["Cache-Control"]) == (503, "2", "no-store")
        assert client.get(table_url(over, "ply/4.png")).content == drawn
        other.communicate()
    assert client.get(table_url(over, "ply/8.png")).status_code == 200


def test_it_shows_a_game_that_runs_as_it_stands_and_none_by_link_only(
    client: Client, alice: Player, bob: Player, game: Game
) -> None:
    client.force_login(alice)
    play_random(game, 5)
    hidden = play_random(make_game(alice, bob, is_public=False), 5)
    for there_is_none in (table_url(game, "ply/4.png"), table_url(hidden, "ply/5.png")):
        assert client.get(there_is_none).status_code == 404
    assert client.get(table_url(make_table(alice), "ply/0.png")).status_code == 404
    shown = client.get(table_url(game, "ply/5.png"))
    assert (shown.status_code, size_of(shown.content)) == (200, (png.WIDTH, png.HEIGHT))


def test_a_picture_of_a_game_that_runs_is_not_kept_for_ever(client: Client, game: Game) -> None:
    play_random(game, 5)
    assert client.get(table_url(game, "ply/5.png"))["Cache-Control"] == "public, max-age=60"


def test_it_shows_no_ply_that_was_not_played(client: Client, over: Game) -> None:
    assert client.get(table_url(over, f"ply/{over.ply + 1}.png")).status_code == 404
    assert client.get("/tables/unknown/ply/1.png").status_code == 404


def test_it_tells_previews_of_a_game_that_is_over_what_it_looks_like(client: Client, over: Game) -> None:
    for page in (table_url(over), table_url(over, f"ply/{over.ply}/")):
        about = preview(client.get(page))
        assert about["og:title"] == over.name
        assert about["og:description"] == "A game of Clans: " + _names(over) + "."
        assert about["og:url"] == settings.SITE_URL + table_url(over)
        assert about["og:image"] == settings.SITE_URL + table_url(over, "result.png")
        assert (about["og:image:width"], about["og:image:height"]) == (str(png.RESULT_WIDTH), str(png.RESULT_HEIGHT))
        assert str(over.ply) in about["og:image:alt"]
        assert about["twitter:card"] == "summary_large_image"
    path = about["og:image"].removeprefix(settings.SITE_URL)
    assert client.get(path).status_code == 200


@pytest.mark.parametrize("ply", [0, 7])
def test_the_preview_of_a_shared_move_tells_nothing_of_what_came_later(client: Client, over: Game, ply: int) -> None:
    about = preview(client.get(table_url(over, f"ply/{ply}/")))
    told = f"Move 7: {_last_move_told(client, over)}" if ply else "Before the first move."
    assert about["og:description"] == f"A game of Clans: {_names(over)}. {told}"
    assert about["og:url"] == settings.SITE_URL + table_url(over, f"ply/{ply}/")
    assert about["og:image"] == settings.SITE_URL + table_url(over, f"ply/{ply}.png")
    assert (about["og:image:width"], about["og:image:height"]) == (str(png.WIDTH), str(png.HEIGHT))
    assert about["og:image:alt"] == f"The board after {ply} moves"
    assert client.get(about["og:image"].removeprefix(settings.SITE_URL)).status_code == 200


def _last_move_told(client: Client, game: Game) -> str:
    [told] = soup(client.get(table_url(game, "ply/7/"))).select("#ply")
    return told.get_text(" ", strip=True)


def _names(game: Game) -> str:
    *most, last = [seat.player.username for seat in game.seats.order_by("number") if seat.player]
    return f"{', '.join(most)} and {last}"


def test_it_tells_previews_of_a_game_that_runs_how_it_stands(client: Client, game: Game) -> None:
    play_random(game, 5)
    for page in (table_url(game), table_url(game, "ply/3/")):
        about = preview(client.get(page))
        assert about["og:image"] == settings.SITE_URL + table_url(game, "ply/5.png")
        assert (about["og:image:width"], about["og:image:height"]) == (str(png.WIDTH), str(png.HEIGHT))
        assert about["og:image:alt"] == "The board after 5 moves"
    assert client.get(about["og:image"].removeprefix(settings.SITE_URL)).status_code == 200


def test_it_shows_some_game_for_tables_that_have_not_begun_or_are_not_public(
    client: Client, alice: Player, bob: Player
) -> None:
    hidden = play_random(make_game(alice, bob, is_public=False), 5)
    pages = [table_url(hidden), table_url(hidden, "ply/3/"), table_url(make_table(alice))]
    shown = {preview(client.get(page))["og:image"] for page in pages}
    assert len(shown) == 1
    url = shown.pop().removeprefix(settings.SITE_URL + settings.STATIC_URL)
    file = finders.find(url)
    assert file
    with Path(file).open("rb") as picture:
        assert size_of(picture.read(24)) == (png.WIDTH, png.HEIGHT)


def test_it_tells_previews_to_visitors_alone(client: Client, over: Game, alice: Player) -> None:
    # Whatever shows a preview of a link is not signed in.
    pages = [table_url(over), table_url(over, "ply/7/"), table_url(make_table(alice))]
    assert all(preview(client.get(page)) for page in pages)
    client.force_login(alice)
    assert not any(preview(client.get(page)) for page in pages)


def test_it_draws_that_game_by_a_tool() -> None:
    assert size_of(draw_preview()) == (png.WIDTH, png.HEIGHT)


def test_it_writes_names_into_tags_as_text(client: Client, alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    Game.objects.filter(pk=game.pk).update(name='"><script>alert(1)</script>')
    assert preview(client.get(table_url(game)))["og:title"] == '"><script>alert(1)</script>'
    assert b"<script>alert" not in client.get(table_url(game)).content
