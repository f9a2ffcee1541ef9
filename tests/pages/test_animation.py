"""A finished game as an animation: who gets it, who draws it and when, and what is in it."""

from __future__ import annotations

import io
import itertools
import subprocess
import sys
from pathlib import Path

import pytest
from celery import current_app
from django.conf import settings
from django.core.management import call_command
from django.test import Client, RequestFactory, TestCase
from PIL import Image, ImageChops, ImageSequence
from pytest_django import Settings

from games import animation, play, tasks
from games.limits import ANIMATIONS
from games.models import Game, Player
from games.pages.counting import refused
from tests.cast import AT, make_game, make_table, play_random
from tests.pages.helpers import soup, table_url, text_of

HOLD = """
import fcntl, sys
slot = open(f"{sys.argv[1]}/animating-0", "w")
fcntl.flock(slot, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""
"""Another process that draws an animation."""


@pytest.fixture(autouse=True)
def _pictures(settings: Settings, tmp_path: Path) -> None:
    settings.PICTURES_DIR = tmp_path / "pictures"


def end_soon(*players: Player, is_public: bool = True) -> Game:
    """A game that is abandoned after three moves: it is drawn soon."""
    game = play_random(make_game(*players, is_public=is_public), 3)
    for player in players:
        play.agree_to_abandon(game, player=player, agrees=True, at=AT)
    return Game.objects.get(pk=game.pk)


@pytest.fixture
def short(alice: Player, bob: Player) -> Game:
    return end_soon(alice, bob)


def address(game: Game) -> str:
    return table_url(game, "game.gif")


def drawn() -> list[Path]:
    return sorted(settings.PICTURES_DIR.rglob("animation-*.gif"))


def test_who_asks_first_has_it_drawn_and_gets_it_then(client: Client, short: Game) -> None:
    first = client.get(address(short))
    assert (first.status_code, first["Retry-After"], first["Cache-Control"]) == (202, "20", "no-store")
    assert "It is being drawn." in text_of(first)
    assert drawn() == []
    assert animation.draw_requested() == 1
    response = client.get(address(short))
    assert (response.status_code, response["Content-Type"]) == (200, "image/gif")
    assert response["Cache-Control"] == "public, max-age=86400"
    assert response["Content-Disposition"] == f'attachment; filename="clans-{short.slug}.gif"'
    assert "Cookie" not in response.get("Vary", "")
    again = client.get(address(short), headers={"If-None-Match": response["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_it_has_a_frame_for_each_ply_and_stays_at_the_last(client: Client, over: Game) -> None:
    client.get(address(over))
    animation.draw_requested()
    picture = Image.open(io.BytesIO(client.get(address(over)).content))
    assert picture.info["loop"] == 0
    frames = [(frame.info["duration"], frame.convert("RGB")) for frame in ImageSequence.Iterator(picture)]
    shown, boards = zip(*frames, strict=True)
    assert len(boards) == over.ply + 1
    assert shown == (*[700] * over.ply, 4000)
    assert picture.size == (576, 467)
    for before, after in itertools.pairwise(boards):
        assert ImageChops.difference(before, after).getbbox()
    size = len(client.get(address(over)).content)
    assert size < 5000 * (over.ply + 1)


def test_the_worker_is_asked_once(client: Client, short: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, **_options: sent.append(name))
    for _time in range(3):
        with TestCase.captureOnCommitCallbacks(execute=True):
            assert client.get(address(short)).status_code == 202
    assert sent == [tasks.draw_animations.name]
    tasks.draw_animations()
    assert client.get(address(short)).status_code == 200
    assert len(drawn()) == 1


def test_a_sweep_draws_it_where_there_is_no_worker(client: Client, short: Game) -> None:
    client.get(address(short))
    call_command("sweep")
    assert client.get(address(short)).status_code == 200


def test_each_is_drawn_once_and_one_at_a_time(client: Client, short: Game) -> None:
    client.get(address(short))
    command = [sys.executable, "-c", HOLD, str(settings.PICTURES_DIR)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout
        assert other.stdout.readline()
        assert animation.draw_requested() == 0
        assert animation.is_requested(short)
        other.communicate()
    assert animation.draw_requested() == 1
    [file] = drawn()
    at = file.stat().st_mtime_ns
    # Somebody asks while it is being drawn.
    animation.request_animation(short)
    assert animation.draw_requested() == 1
    assert [found.stat().st_mtime_ns for found in drawn()] == [at]


def test_what_cannot_be_drawn_holds_up_nobody(client: Client, short: Game, caplog: pytest.LogCaptureFixture) -> None:
    waiting = settings.PICTURES_DIR / "wanted"
    waiting.mkdir(parents=True)
    for name in ("noise", "999999"):
        (waiting / name).touch()
    client.get(address(short))
    assert animation.draw_requested() == 3
    assert client.get(address(short)).status_code == 200
    assert "cannot be drawn" in caplog.text
    assert animation.draw_requested() == 0


def test_so_many_may_wait(client: Client, short: Game) -> None:
    waiting = settings.PICTURES_DIR / "wanted"
    waiting.mkdir(parents=True)
    for number in range(animation.MOST_REQUESTS):
        (waiting / str(10**6 + number)).touch()
    busy = client.get(address(short))
    assert (busy.status_code, busy["Retry-After"], busy["Cache-Control"]) == (503, "20", "no-store")
    assert "Many other games" in text_of(busy)
    assert not animation.is_requested(short)
    assert animation.draw_requested() == animation.MOST_REQUESTS
    assert client.get(address(short)).status_code == 202


def test_one_network_has_so_many_drawn_an_hour(client: Client, short: Game) -> None:
    [rate] = ANIMATIONS.rates
    for _time in range(rate.amount):
        assert refused(ANIMATIONS, RequestFactory().get("/")) is None
    assert client.get(address(short)).status_code == 429
    assert client.get(address(short), REMOTE_ADDR="192.0.2.1").status_code == 202
    # Who waits for what is coming anyhow is not counted, nor who fetches it.
    assert client.get(address(short)).status_code == 202
    animation.draw_requested()
    assert client.get(address(short)).status_code == 200


def test_there_is_none_of_a_game_that_is_not_over(client: Client, alice: Player, game: Game) -> None:
    play_random(game, 5)
    client.force_login(alice)
    for table in (game, make_table(alice)):
        assert client.get(address(table)).status_code == 404
        assert not animation.is_requested(table)
    assert client.get("/tables/unknown/game.gif").status_code == 404
    animation.request_animation(game)
    assert animation.draw_requested() == 1
    assert drawn() == []


def test_that_of_a_table_by_link_is_for_its_players(
    client: Client, alice: Player, bob: Player, mallory: Player
) -> None:
    hidden = end_soon(alice, bob, is_public=False)
    for player in (None, mallory):
        if player:
            client.force_login(player)
        assert client.get(address(hidden)).status_code == 404
    client.force_login(bob)
    assert client.get(address(hidden)).status_code == 202
    animation.draw_requested()
    assert client.get(address(hidden))["Cache-Control"] == "private, max-age=86400"


def test_the_replay_leads_there(client: Client, over: Game) -> None:
    [link] = soup(client.get(table_url(over, "ply/5/"))).select(f'a[href="{address(over)}"]')
    assert link["rel"] == "nofollow"


def test_it_shows_no_initial_of_who_has_closed_the_account(client: Client, over: Game, alice: Player) -> None:
    client.get(address(over))
    animation.draw_requested()
    before = client.get(address(over))["ETag"]
    play.close_account(alice, at=AT)
    assert client.get(address(over)).status_code == 202
    animation.draw_requested()
    assert client.get(address(over))["ETag"] != before
