"""What is handed on of a game that is over, in Chromium: a ply in a frame of another site, and the file to keep as it
opens from the disk."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from games.models import Game
from tests.browser.looking import NARROW, TAGS, WIDE
from tests.browser.test_finished_game import over, served
from tests.look.test_paper_and_ink import themes
from tests.servers import Site

__all__ = ["over", "served"]

AXE = """
async (tags) => {
  const found = await axe.run({ exclude: ["svg"] }, { runOnly: tags });
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(" | ")}`);
}
"""
SCHEMES: Final[dict[str, Literal["light", "dark"]]] = {"day": "light", "night": "dark"}
CLANS = ("clan-red", "clan-blue", "clan-green", "clan-yellow", "clan-black")


# --- A frame of another site -----------------------------------------------------------------------


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """Another site: its address, and the folder with its pages."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/", tmp_path
        server.shutdown()
        thread.join()


def test_another_site_shows_a_ply_in_a_frame_and_no_other_page(
    browser: Browser, served: Site, over: Game, elsewhere: tuple[str, Path]
) -> None:
    (url, folder), address = elsewhere, served.url + over.get_absolute_url()
    page = browser.new_page(viewport={"width": WIDE, "height": 1000})
    page.goto(f"{address}ply/5/")
    code = page.locator("#embed").input_value()
    (folder / "index.html").write_text(f"<!doctype html><title>A blog</title>{code}", "utf-8")
    (folder / "other.html").write_text(code.replace("embed/", ""), "utf-8")
    page.goto(url)
    frame = page.frame_locator("iframe")
    expect(frame.locator("h1")).to_have_text(over.name)
    with page.expect_event("framenavigated", lambda frame: frame.url == f"{address}ply/6/embed/#ply-next"):
        frame.get_by_role("link", name="Next").click()
    assert page.url == url
    with page.expect_popup() as opened:
        frame.get_by_role("link", name="The whole game").click()
    expect(opened.value).to_have_url(f"{address}ply/6/")
    with page.expect_console_message(lambda said: "frame-ancestors" in said.text):
        page.goto(f"{url}other.html")
    page.close()


FITS = """async () => {
  await document.fonts.ready;
  const board = document.querySelector(".clans-board").getBoundingClientRect();
  const link = document.querySelector("footer a").getBoundingClientRect();
  const least = Math.min(0.4 * innerHeight, 0.55 * innerWidth);
  return {
    overflow: document.documentElement.scrollHeight - innerHeight,
    board: board.height - least,
    blank: innerHeight - link.bottom,
  };
}"""


@pytest.mark.parametrize(("width", "size"), [(1000, (640, 800)), (360, (344, 640))])
def test_a_frame_has_room_for_the_board_and_what_is_said(
    browser: Browser, served: Site, over: Game, elsewhere: tuple[str, Path], width: int, size: tuple[int, int]
) -> None:
    (url, folder), address = elsewhere, served.url + over.get_absolute_url()
    page = browser.new_page(viewport={"width": width, "height": 700})
    for ply in (5, over.ply - 1, over.ply):
        page.goto(f"{address}ply/{ply}/")
        code = page.locator("#embed").input_value()
        html = f'<!doctype html><meta name="viewport" content="width=device-width"><title>A blog</title>{code}'
        # One for each ply: the server tells the browser of a change only when the second is another one.
        (folder / f"{ply}.html").write_text(html, "utf-8")
        page.goto(f"{url}{ply}.html")
        expect(page.frame_locator("iframe").locator("h1")).to_have_text(over.name)
        box = page.locator("iframe").bounding_box()
        assert box is not None
        assert [box["width"], box["height"]] == [*size]
        # The frame is lazy, so the page does not wait for what it shows.
        page.frames[1].wait_for_load_state()
        inside = page.frames[1].evaluate(FITS)
        # The board gives way, down to its least height.
        assert inside["overflow"] <= 0, inside
        assert inside["board"] > -1
        assert 0 <= inside["blank"] < 40
    page.close()


# --- The keepsake ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def file(browser: Browser, served: Site, over: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The keepsake as a visitor saves it from the page of the result."""
    page = browser.new_page()
    page.goto(served.url + over.get_absolute_url())
    with page.expect_download() as started:
        page.get_by_role("link", name="Keepsake").click()
    assert started.value.suggested_filename == f"clans-{over.slug}.html"
    saved = tmp_path_factory.mktemp("saved") / started.value.suggested_filename
    started.value.save_as(saved)
    page.close()
    return saved


def colors(page: Page, selector: str) -> Counter[str]:
    """How many pixels of what is there have each color."""
    picture = Image.open(io.BytesIO(page.locator(selector).first.screenshot())).convert("RGB")
    pixels = picture.tobytes()
    return Counter(f"#{pixels[start : start + 3].hex()}" for start in range(0, len(pixels), 3))


def test_a_keepsake_is_drawn_by_day_by_night_and_for_the_printer(browser: Browser, file: Path) -> None:
    # As a phone draws it: many pixels, so that the few of a small hut that are on no edge can be counted.
    size: Any = {"viewport": {"width": WIDE, "height": 900}, "device_scale_factor": 3}
    with browser.new_context(java_script_enabled=False, **size) as context:
        page, asked, told = context.new_page(), [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: told.append(message.text))
        page.goto(file.as_uri())
        boards = {}
        for theme, scheme in SCHEMES.items():
            page.emulate_media(color_scheme=scheme)
            boards[theme] = colors(page, "#move-0 > svg")
            assert all(boards[theme][themes()[theme][clan]] > 50 for clan in CLANS)
            assert colors(page, "h1").most_common(1)[0][0] == themes()[theme]["paper"]
            assert boards[theme].most_common(1)[0][1] < sum(boards[theme].values()) / 2
        assert len(boards["day"].keys() & boards["night"].keys()) < len(boards["day"]) / 2
        page.emulate_media(color_scheme="dark", media="print")
        assert colors(page, "h1").most_common(1)[0][0] == "#ffffff"
        assert not page.locator("header nav").is_visible()
        printed = colors(page, "#move-0 > svg")
        assert all(printed[themes()["day"][clan]] > 100 for clan in CLANS)
    assert asked == [file.as_uri()]
    assert told == []


BEYOND = """() => [...document.querySelectorAll("section *")].flatMap((part) => {
  const isBeyond = part.getBoundingClientRect().right > part.closest("section").getBoundingClientRect().right + 1;
  return isBeyond && !part.closest("svg, .beside > div *") ? [part.outerHTML.slice(0, 80)] : [];
})"""
"""What reaches beyond the section that it stands in, but for what can be scrolled."""


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_a_keepsake_fits_and_can_be_read(browser: Browser, file: Path, width: int) -> None:
    for scheme in SCHEMES.values():
        with browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 800}) as context:
            page = context.new_page()
            page.goto(file.as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") == width
            assert page.evaluate(BEYOND) == []
            page.evaluate(AXE_SCRIPT)
            assert page.evaluate(AXE, TAGS) == []
