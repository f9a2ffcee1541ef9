"""Fingers on the board of a phone: they scroll, zoom, lift huts and hit what they mean."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import hypot

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from games import rules
from tests.browser.first_screen import faults
from tests.browser.hotseat import huts_at
from tests.browser.one_hand import Tables
from tests.browser.test_hands import Finger


@contextmanager
def clock_stopped(page: Page) -> Iterator[None]:
    """Let no time pass for the page meanwhile: a finger that rests for HOLD (drag.js) takes huts, and a busy machine
    may need longer than that from one touch to the next."""
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 3600"))
    try:
        yield
    finally:
        page.clock.resume()


def swipe(finger: Finger, x: float, y: float) -> None:
    finger.touch("touchStart", (x, y))
    for step in range(1, 8):
        finger.touch("touchMove", (x, y - 15 * step))
    finger.touch("touchEnd")


def test_it_scrolls_by_a_swipe_that_begins_anywhere_on_the_board(tables: Tables, page: Page) -> None:
    tables.open("nobody moved")
    box = page.locator("svg.clans-board").bounding_box()
    assert box
    finger, points = Finger(page), [(x, y) for y in (0.4, 0.65, 0.9) for x in (0.12, 0.37, 0.62, 0.87)]
    huts = [name for name in rules.STANDARD.board.names if rules.STANDARD.board.names.index(name) % 5 == 0]
    for x, y in [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in points] + [
        huts_at(page, name) for name in huts
    ]:
        page.evaluate("scrollTo(0, 0)")
        with clock_stopped(page):
            swipe(finger, x, y + 1)
        page.wait_for_function("scrollY > 60")
    expect(page.locator(".lifted, .mark-chosen")).to_have_count(0)


def scale_of(page: Page) -> list[float]:
    """How large the board is drawn in its frame, and how large the browser shows the page."""
    scales: list[float] = page.evaluate(
        """() => {
          const [board, frame] = [".clans-board", ".board-frame"].map((name) => document.querySelector(name));
          return [board.getBoundingClientRect().width / frame.getBoundingClientRect().width, visualViewport.scale];
        }"""
    )
    return scales


def spread(page: Page, x: float, y: float) -> Finger:
    """Put two fingers down beside a point of the board and spread them."""
    finger = Finger(page)
    finger.touch("touchStart", (x - 20, y))
    finger.touch("touchStart", (x - 20, y), (x + 20, y))
    for step in range(1, 9):
        finger.touch("touchMove", (x - 20 - 5 * step, y), (x + 20 + 5 * step, y))
    finger.touch("touchEnd")
    return finger


def show_whole_board(page: Page) -> None:
    """By the button, which goes when the board lies in its frame again."""
    button = page.get_by_role("button", name="Whole board")
    button.tap()
    expect(button).to_be_hidden()
    assert scale_of(page) == [1, 1]


def test_it_zooms_the_board_alone_by_two_fingers(tables: Tables, page: Page) -> None:
    tables.open("nobody moved")
    x, y = huts_at(page, "F3")
    with clock_stopped(page):
        finger = spread(page, x, y)
    board, shown = scale_of(page)
    assert (round(board, 1), shown) == (3.0, 1)
    there = page.evaluate("clans.board.boxOf('F3')")
    assert hypot(there["x"] - x, there["y"] - y) < 2
    assert faults(page) == []
    with clock_stopped(page):
        finger.slide((x, y), (x - 30, y - 40))
        finger.touch("touchEnd")
    there = page.evaluate("clans.board.boxOf('F3')")
    assert hypot(there["x"] - x + 30, there["y"] - y + 40) < 2
    assert page.evaluate("scrollY") == 0
    page.touchscreen.tap(there["x"], there["y"])
    expect(page.locator("#step")).to_contain_text("F3, ")
    show_whole_board(page)


@pytest.mark.parametrize("path", ["ply/0/", "ply/0/try/"])
def test_it_zooms_the_board_of_a_replay_and_of_a_try_out(tables: Tables, page: Page, path: str) -> None:
    tables.open("nobody moved")
    page.goto(page.url + path)
    x, y = huts_at(page, "F3")
    with clock_stopped(page):
        finger = spread(page, x, y)
    board, shown = scale_of(page)
    assert (round(board, 1), shown) == (3.0, 1)
    with clock_stopped(page):
        finger.slide((x, y), (x - 30, y - 40))
        finger.touch("touchEnd")
    there = page.evaluate("clans.board.boxOf('F3')")
    assert hypot(there["x"] - x + 30, there["y"] - y + 40) < 2
    assert page.evaluate("scrollY") == 0
    page.touchscreen.tap(there["x"], there["y"])
    expect(page.locator("#told, .prompt-step").filter(visible=True).first).to_contain_text("F3, ")
    assert round(scale_of(page)[0], 1) == 3.0
    show_whole_board(page)
    swipe(finger, x, y + 1)
    page.wait_for_function("scrollY > 60")


def test_it_takes_huts_by_a_short_hold_or_once_they_are_chosen(tables: Tables, page: Page) -> None:
    tables.open("nobody moved")
    move = rules.legal_moves(tables.position("nobody moved"))[40]
    finger, start, end = Finger(page), huts_at(page, move.origin), huts_at(page, move.target)
    finger.touch("touchStart", start)
    expect(page.locator(".lifted")).to_have_count(1)
    finger.touch("touchMove", end)
    finger.touch("touchMove", end)
    expect(page.locator(".board-label")).to_contain_text(f"{move.origin}–{move.target}: ")
    finger.touch("touchEnd")
    expect(page.get_by_role("button", name=f"Move {move}")).to_be_in_viewport(ratio=1)
    page.get_by_role("link", name="Cancel", exact=True).tap()
    expect(page.locator("#step")).to_contain_text("Which huts")
    finger.touch("touchStart", start)
    expect(page.locator(".lifted")).to_have_count(1)
    finger.touch("touchEnd")
    expect(page.locator("#step")).to_contain_text(f"{move.origin}, ")
    finger.slide(start, end)
    finger.touch("touchEnd")
    expect(page.get_by_role("button", name=f"Move {move}")).to_be_visible()
    assert page.evaluate("scrollY") == 0


def choose(page: Page, origin: str) -> dict[str, tuple[float, float]]:
    """Tap an origin; where on the screen it and its targets are then."""
    page.touchscreen.tap(*huts_at(page, origin))
    expect(page.locator("#step")).to_contain_text(f"{origin}, ")
    places: dict[str, tuple[float, float]] = page.evaluate(
        """() => Object.fromEntries([clans.draft.origin, ...clans.draft.targets].map((name) => {
          const { x, y } = clans.board.boxOf(name);
          return [name, [x, y]];
        }))"""
    )
    return places


def apart(places: dict[str, tuple[float, float]]) -> float:
    """How far the nearest two are from each other."""
    points = list(places.values())
    return min(hypot(x - u, y - v) for at, (x, y) in enumerate(points) for u, v in points[at + 1 :])


def test_it_has_room_for_a_finger_where_territories_are_smallest(tables: Tables, page: Page) -> None:
    page.set_viewport_size(ViewportSize(width=360, height=640))
    page.emulate_media(reduced_motion="reduce")
    tables.open("nobody moved")
    places = choose(page, "K3")
    assert apart(places) >= 43.9
    assert faults(page) == []
    x, y = places["K4"]
    page.touchscreen.tap(x - 15, y + 15)
    expect(page.get_by_role("button", name="Move K3-K4")).to_be_in_viewport(ratio=1)


def test_a_tap_draws_no_box_around_a_territory(tables: Tables, page: Page) -> None:
    tables.open("nobody moved")
    choose(page, "A1")
    outlines = page.evaluate(
        """() => [...document.querySelectorAll(".clans-board a")].map((land) => getComputedStyle(land).outlineStyle)"""
    )
    assert page.evaluate("document.activeElement.dataset.territory") == "A1"
    assert set(outlines) == {"none"}


def test_it_scrolls_by_a_swipe_when_it_has_come_closer_by_itself(tables: Tables, page: Page) -> None:
    page.set_viewport_size(ViewportSize(width=360, height=640))
    tables.open("nobody moved")
    choose(page, "K3")
    expect(page.locator(".is-zoomed")).to_have_count(1)
    with clock_stopped(page):
        swipe(Finger(page), 40, 320)
    page.wait_for_function("scrollY > 60")


def test_the_list_is_as_it_is_meant_when_it_is_opened(tables: Tables, page: Page) -> None:
    tables.open("nobody moved")
    choose(page, "K3")
    page.get_by_text("The board as a list").tap()
    expect(page.locator("#as-list a[href$='?from=K3&to=K4']")).to_contain_text("To K4")


def test_it_has_room_for_a_finger_everywhere(tables: Tables, page: Page) -> None:
    page.set_viewport_size(ViewportSize(width=360, height=640))
    page.emulate_media(reduced_motion="reduce")
    tables.open("nobody moved")
    for origin in page.evaluate("clans.draft.origins"):
        places = choose(page, origin)
        box = page.locator(".board-frame").bounding_box()
        assert box
        assert (origin, apart(places) >= 43.9) == (origin, True)
        for x, y in places.values():
            assert box["x"] <= x <= box["x"] + box["width"]
            assert box["y"] <= y <= box["y"] + box["height"]
        page.get_by_role("link", name="Cancel", exact=True).tap()
        expect(page.locator("#step")).to_contain_text("Which huts")
