"""The result of a game as one picture to keep: who gets it, what is on it, and that nobody gets it before the end."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from html import escape
from io import BytesIO

import pytest
from django.conf import settings
from django.test import Client
from PIL import Image, ImageChops

from games import play, pov
from games.drawing import png
from games.drawing.png.result import BOARD_HEIGHT, BOARD_WIDTH, EDGE
from games.models import Game, Player
from games.pages.replay.picture import _draw_result
from tests.cast import AT, make_game, make_table, play_out, play_random
from tests.pages.helpers import links, table_url
from tests.pages.test_picture import HOLD, preview, size_of


def result_of(game: Game) -> png.Drawing:
    return _draw_result(pov.look(Game.objects.get(pk=game.pk), viewer=None))


def drawn(game: Game) -> str:
    return "".join(layer.svg for layer in result_of(game).layers)


def painted(game: Game) -> Image.Image:
    return Image.open(BytesIO(png.draw_png(result_of(game))))


def results(game: Game) -> list[str]:
    """The files of its result."""
    return [file.name for file in settings.PICTURES_DIR.rglob(f"result-{game.slug}-*.png")]


def test_it_is_a_picture_as_large_as_previews_are(client: Client, over: Game) -> None:
    response = client.get(table_url(over, "result.png"))
    assert (response.status_code, response["Content-Type"]) == (200, "image/png")
    assert size_of(response.content) == (1200, 630)
    assert response["Cache-Control"] == "public, max-age=86400"
    assert response["Content-Disposition"] == f'inline; filename="clans-{over.slug}.png"'
    assert "Cookie" not in response.get("Vary", "")
    again = client.get(table_url(over, "result.png"), headers={"If-None-Match": response["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_it_shows_board_cards_totals_and_how_the_points_grew(over: Game) -> None:
    svg = drawn(over)
    best_first = over.seats.order_by("rank", "number")
    places = [svg.index(f">{seat.name}</text>") for seat in best_first]
    assert places == sorted(places)
    for seat in best_first:
        row = svg[svg.index(f"#seal-{seat.number}", svg.index('class="title"')) :]
        row = row[: row.index("</g>")]
        assert f"#hut-{seat.clan}" in row
        assert row.endswith(f">{seat.total}</text>")
    assert over.name in svg
    for clan, score in zip(("red", "blue", "green", "yellow", "black"), over.position().scores, strict=True):
        curve = svg[svg.index(f'roof-{clan}" stroke') :]
        assert f">{score}</text>" in curve[: curve.index("</text>") + 7]
    assert f"{over.ply} moves" in svg
    assert "C4</text>" in svg


def test_the_ground_of_the_board_stands_in_its_place(over: Game) -> None:
    whole = result_of(over)
    ground = Image.open(BytesIO(png.draw_png(whole._replace(layers=whole.layers[:1]))))
    box = ImageChops.difference(ground, Image.new("RGB", ground.size, ground.getpixel((0, 0)))).getbbox()
    assert box
    left, top, right, bottom = box
    assert EDGE <= left < right <= EDGE + BOARD_WIDTH
    assert EDGE <= top < bottom <= EDGE + BOARD_HEIGHT
    assert right - left > BOARD_WIDTH * 0.9


def test_it_draws_a_name_that_it_cannot_write_as_the_number_of_the_seat(over: Game) -> None:
    seat = over.seats.get(number=1)
    over.seats.filter(pk=seat.pk).update(name="Иван")
    Game.objects.filter(pk=over.pk).update(name="日本 & friends")
    svg = drawn(over)
    assert ">Seat 2</text>" in svg
    assert "Иван" not in svg
    assert ">A game of Clans</text>" in svg
    over.seats.filter(pk=seat.pk).update(name="Zoë <Łuk>")
    assert ">Zoë &lt;Łuk&gt;</text>" in drawn(over)


def test_a_long_name_covers_nothing(over: Game) -> None:
    others = over.seats.exclude(rank=1)
    figures = (png.RESULT_WIDTH - 180, 0, png.RESULT_WIDTH, png.RESULT_HEIGHT)
    with_short_names = painted(over).crop(figures)
    others.filter(pk=others[0].pk).update(name="WM" * 15)
    assert painted(over).crop(figures).tobytes() == with_short_names.tobytes()

    rim = (png.RESULT_WIDTH - 26, 0, png.RESULT_WIDTH, png.RESULT_HEIGHT)
    Game.objects.filter(pk=over.pk).update(name="W" * 60)
    over.seats.filter(rank=1).update(name="WM" * 15)
    assert len(painted(over).crop(rim).getcolors() or ()) == 1
    assert "WMWM" in drawn(over)


def test_its_face_has_each_letter_that_it_writes() -> None:
    letters = [chr(code) for code in range(0x21, 0x2100) if png.can_write(chr(code))]
    assert len(letters) > 300
    assert [letter for letter in letters if written(letter) == written("")] == []


def written(text: str) -> bytes:
    line = f'<text x="5" y="30" font-size="30">{escape(text)}</text>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">{line}</svg>'
    return png.draw_png(png.Drawing(40, 40, (png.Layer(svg, 40),)))


def test_it_is_drawn_once_and_few_at_a_time(client: Client, over: Game, alice: Player, bob: Player) -> None:
    first = client.get(table_url(over, "result.png")).content
    assert len(results(over)) == 1
    other = play_out(make_game(alice, bob))
    command = [sys.executable, "-c", HOLD.format(folder=settings.PICTURES_DIR, count=png.AT_ONCE)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as drawing:
        assert drawing.stdout
        assert drawing.stdout.readline()
        busy = client.get(table_url(other, "result.png"))
        assert (busy.status_code, busy["Retry-After"], busy["Cache-Control"]) == (503, "2", "no-store")
        assert client.get(table_url(over, "result.png")).content == first
        drawing.communicate()
    assert client.get(table_url(other, "result.png")).status_code == 200


def test_there_is_none_of_a_game_that_is_not_over(client: Client, alice: Player, game: Game) -> None:
    play_random(game, 5)
    client.force_login(alice)
    for table in (game, make_table(alice)):
        assert client.get(table_url(table, "result.png")).status_code == 404
        assert table_url(table, "result.png") not in links(client.get(table_url(table)))
    assert client.get("/tables/unknown/result.png").status_code == 404
    with pytest.raises(ValueError, match="not over"):
        drawn(game)


def test_that_of_a_table_by_link_is_for_its_players(
    client: Client, alice: Player, bob: Player, mallory: Player
) -> None:
    hidden = play_out(make_game(alice, bob, is_public=False))
    address = table_url(hidden, "result.png")
    for player in (None, mallory):
        if player:
            client.force_login(player)
        assert client.get(address).status_code == 404
        assert address not in links(client.get(table_url(hidden)))
    client.force_login(bob)
    assert address in links(client.get(table_url(hidden)))
    response = client.get(address)
    assert (response.status_code, response["Cache-Control"]) == (200, "private, max-age=86400")


def test_previews_of_a_finished_game_show_it(client: Client, over: Game) -> None:
    for page in (table_url(over), table_url(over, f"ply/{over.ply}/")):
        about = preview(client.get(page))
        assert about["og:image"] == settings.SITE_URL + table_url(over, "result.png")
        assert (about["og:image:width"], about["og:image:height"]) == ("1200", "630")
        assert f"after move {over.ply}, and the result:" in about["og:image:alt"]
    assert table_url(over, "result.png") in links(client.get(table_url(over)))


def test_it_names_nobody_who_has_closed_the_account(client: Client, over: Game, alice: Player) -> None:
    client.get(table_url(over, "result.png"))
    [before] = results(over)
    play.close_account(alice, at=AT + timedelta(days=30))
    assert results(over) == []
    assert "alice" not in drawn(over)
    client.get(table_url(over, "result.png"))
    assert results(over) != [before]


def test_an_abandoned_game_has_one_without_totals(client: Client, alice: Player, bob: Player) -> None:
    game = play_random(make_game(alice, bob), 9)
    for player in (alice, bob):
        play.agree_to_abandon(game, player=player, agrees=True, at=AT)
    assert client.get(table_url(game, "result.png")).status_code == 200
    assert "Nobody wins." in drawn(game)
