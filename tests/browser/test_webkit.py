"""What WebKit does otherwise than Chromium: a move by mouse and keys, the night, a replay, and long preferences."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from PIL import Image, ImageStat
from pytest_django import DjangoDbBlocker

from games import rules
from games.models import Game
from tests.browser.hotseat import at_the_database, sign_in
from tests.browser.webkit import WebKit, webkit
from tests.cast import make_game, make_player, play_random
from tests.servers import Site

NOTE_TROUBLE = """
window.trouble = [];
for (const kind of ["error", "unhandledrejection", "securitypolicyviolation"]) {
  addEventListener(kind, (event) => trouble.push(`${kind}: ${event.message ?? event.reason ?? event.blockedURI}`));
}
"""
WHERE = """
const [x, y] = clans.spots[arguments[0]];
const drawing = document.querySelector("#board .clans-board");
const { left, top, width } = drawing.getBoundingClientRect();
const units = drawing.viewBox.baseVal;
return [left + ((x - units.x) * width) / units.width, top + ((y - units.y) * width) / units.width];
"""
IS_AT_PLY = "return document.getElementById('table').dataset.ply === arguments[0]"
SEEN = "return document.activeElement.matches('#board :focus-visible') ? document.activeElement.dataset.territory : ''"
SHOWN = """
document.documentElement.dataset.theme = arguments[0];
const images = [...document.querySelectorAll("#board image")];
return images.filter((image) => getComputedStyle(image).display !== "none").map((image) => image.href.baseVal);
"""
WIDTHS = "return [...document.querySelectorAll('.group > :not(legend)')].map((fields) => fields.offsetWidth)"


@pytest.fixture
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebKit]:
    with webkit(tmp_path_factory.mktemp("webkit")) as window:
        window.resize(1280, 1000)
        yield window


def _tables() -> tuple[Game, Game, rules.Move, str]:
    """A game where alice is to move, one that is over, a move, and her session."""
    alice, bob = make_player("alice"), make_player("bob")
    over = play_random(make_game(alice, bob))
    game = make_game(alice, bob)
    mover = game.awaited
    assert mover
    return game, over, rules.legal_moves(game.position())[40], sign_in(mover)


def test_it_is_played_in_webkit(window: WebKit, web: Site, django_db_blocker: DjangoDbBlocker) -> None:
    game, over, move, session = at_the_database(web, django_db_blocker, _tables)
    window.goto(web.url + over.get_absolute_url())
    window.add_cookie("sessionid", session)
    _move(window, web.url + game.get_absolute_url(), move)
    _look_by_day_and_by_night(window)
    _replay(window, f"{web.url}{over.get_absolute_url()}ply/0/")
    window.goto(f"{web.url}/preferences/")
    widths = window.run(WIDTHS)
    assert len(widths) > 3
    assert min(widths) > 400, widths


def _move(window: WebKit, url: str, move: rules.Move) -> None:
    """Choose huts by mouse, look around by keys, choose the target by mouse and confirm by keys."""
    window.goto(url)
    window.run(NOTE_TROUBLE)
    window.click_at(*window.run(WHERE, move.origin))
    window.wait_for("return clans.draft.text === arguments[0]", move.origin)
    window.press("ArrowRight")
    assert window.run(SEEN) not in {"", move.origin}
    window.click_at(*window.run(WHERE, move.target))
    window.wait_for("return clans.draft.text === arguments[0]", f"{move.origin}-{move.target}")
    window.press("Enter")
    window.wait_for(IS_AT_PLY, "1")
    assert window.run("return trouble") == []


def _look_by_day_and_by_night(window: WebKit) -> None:
    """Of the ground and of the lines one image each; by night the board is dark, and by day again it is not."""
    shown, light = zip(
        *((window.run(SHOWN, theme), _light_of_board(window)) for theme in ("day", "night", "day")), strict=True
    )
    assert (len(shown[0]), shown[1]) == (2, [f"{address}#night" for address in shown[0]])
    assert shown[2] == shown[0]
    assert light[1] < 90 < 130 < min(light[0], light[2])


def _light_of_board(window: WebKit) -> float:
    """From 0, black, to 255, white."""
    picture = Image.open(io.BytesIO(window.take_picture("#board .clans-board")))
    return ImageStat.Stat(picture.convert("L")).mean[0]


def _replay(window: WebKit, url: str) -> None:
    """Step by mouse and by keys, and let it play on by itself."""
    window.goto(url)
    window.run(NOTE_TROUBLE)
    window.click(".plies [rel=next]")
    window.wait_for(IS_AT_PLY, "1")
    window.press("ArrowRight")
    window.wait_for(IS_AT_PLY, "2")
    window.click("#autoplay")
    window.wait_for("return document.getElementById('table').dataset.ply > 3")
    window.click("#autoplay")
    assert window.run("return trouble") == []
