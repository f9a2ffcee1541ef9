"""The first screen of a phone where somebody reads, replays or tries out: the whole board, and what leads on."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from games import rules
from tests.browser.first_screen import SIZES, faults
from tests.browser.hotseat import PHONE, Hotseat, at_the_database, huts_at
from tests.browser.test_hands import Finger
from tests.browser.test_reading import played


class Place(NamedTuple):
    """A page, and what of it has to be in sight with the board."""

    path: str
    parts: tuple[str, ...]
    village: str = ""


IS_WHOLE = "() => getComputedStyle(document.querySelector('.play > .side > *')).contentVisibility === 'visible'"
REPLAY = (".prompt-head > .label", ".plies > *", "#ply")
TRIAL = (".trial-head", "#turn", ".prompt-step > p:first-child")


@pytest.fixture(scope="module")
def wishes() -> dict[str, Any]:
    return {"device": PHONE}


@pytest.fixture(scope="module")
def places(two: Hotseat) -> dict[str, Place]:
    return at_the_database(two.site, two.unblock, set_tables)


@pytest.fixture
def page(two: Hotseat) -> Page:
    """The page of somebody who has signed in, and sits at these tables."""
    return two.seats[0].page


def set_tables() -> dict[str, Place]:
    finished, running = played(plies=60), played(plies=18)
    steps, end, table = finished.steps(), finished.get_absolute_url(), running.get_absolute_url()
    founding = max(range(len(steps)), key=lambda ply: len(steps[ply].villages)) + 1
    move = next(iter(rules.legal_moves(running.position())))
    trial = f"{table}ply/{running.ply}/try/"
    return {
        "finished": Place(end, ("h2.verdict",)),
        "the opening": Place(f"{end}ply/0/", REPLAY),
        "villages": Place(f"{end}ply/{founding}/", REPLAY, steps[founding - 1].villages[0].territory),
        "the end": Place(f"{end}ply/{len(steps)}/", REPLAY),
        "while it runs": Place(f"{table}ply/9/", REPLAY),
        "a try": Place(trial, TRIAL),
        "a try with huts": Place(f"{trial}?from={move.origin}", (*TRIAL, ".action-bar > *")),
        "a try with a move": Place(f"{trial}?line={move}", (*TRIAL, ".action-bar > *")),
    }


def look_at(page: Page, url: str, parts: tuple[str, ...], *, size: str) -> list[str]:
    """What is wrong with the first screen of the page."""
    width, height = SIZES[size]
    page.set_viewport_size(ViewportSize(width=width, height=height))
    page.goto(url)
    page.evaluate("document.fonts.ready")
    for part in parts:
        expect(page.locator(part).first).to_be_visible()
    assert page.evaluate("[scrollY, document.scrollingElement.scrollWidth]") == [0, width]
    return faults(page, parts)


@pytest.mark.parametrize("size", SIZES)
def test_a_replay_shows_the_board_and_its_buttons_at_once(
    two: Hotseat, places: dict[str, Place], page: Page, size: str
) -> None:
    place = places["villages"]
    assert look_at(page, two.site.url + place.path, place.parts, size=size) == []
    for button in page.locator(".plies > a").all():
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44


@pytest.mark.parametrize("size", SIZES)
def test_every_page_with_a_board_shows_it_at_once(
    two: Hotseat, places: dict[str, Place], page: Page, browser: Browser, size: str
) -> None:
    with browser.new_context(**PHONE) as context:
        visitor = context.new_page()
        for reader in (page, visitor):
            for name, (path, parts, _village) in places.items():
                assert (name, look_at(reader, two.site.url + path, parts, size=size)) == (name, [])
        visitor.goto(f"{two.site.url}/practice/")
        visitor.get_by_role("button", name="Deal the cards").click()
        visitor.wait_for_url("**/tables/practice/")
        table = visitor.url
        assert look_at(visitor, table, ("#turn", ".prompt-step > p"), size=size) == []
        assert look_at(visitor, f"{table}ply/0/", REPLAY, size=size) == []


@pytest.mark.parametrize("size", SIZES)
def test_a_replay_tells_of_a_village_where_it_is_read(
    two: Hotseat, places: dict[str, Place], page: Page, size: str
) -> None:
    place = places["villages"]
    look_at(page, two.site.url + place.path, place.parts, size=size)
    page.touchscreen.tap(*huts_at(page, place.village))
    expect(page.locator("#told")).to_contain_text(f"{place.village}, ")
    expect(page.locator("#told")).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0


def test_a_replay_says_right_below_a_move_when_it_was(two: Hotseat, page: Page, places: dict[str, Place]) -> None:
    for name in ("the opening", "villages"):
        look_at(page, two.site.url + places[name].path, REPLAY, size="upright")
        said = page.locator(".prompt-replay > :has(+ .told)").bounding_box()
        when = page.locator(".prompt-replay .prompt-until").first.bounding_box()
        assert said
        assert when
        assert 0 < when["y"] - said["y"] - said["height"] < 24


def test_one_thumb_steps_through_a_replay_without_moving(two: Hotseat, places: dict[str, Place], page: Page) -> None:
    """What is said of a move has one line or six: the buttons stay where they are."""
    look_at(page, two.site.url + places["the opening"].path, REPLAY, size="upright")
    box = page.locator("#ply-next").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for ply in range(1, 30):
        page.touchscreen.tap(x, y)
        expect(page.locator(".plies-here")).to_have_text(re.compile(f"^Move {ply} of "))
        assert (ply, page.evaluate("scrollY"), faults(page, REPLAY[:2])) == (ply, 0, [])


def test_a_swipe_over_a_replay_scrolls(two: Hotseat, places: dict[str, Place], page: Page) -> None:
    look_at(page, two.site.url + places["villages"].path, REPLAY, size="upright")
    finger = Finger(page)
    finger.slide((200, 300), (200, 180))
    finger.touch("touchEnd")
    page.wait_for_function("scrollY > 60")


def test_what_lies_far_below_waits_until_the_page_has_loaded(
    two: Hotseat, places: dict[str, Place], browser: Browser
) -> None:
    with browser.new_context(**PHONE) as context:
        visitor = context.new_page()
        visitor.add_init_script(f"addEventListener('DOMContentLoaded', () => (window.early = ({IS_WHOLE})()))")
        visitor.goto(two.site.url + places["finished"].path)
        assert visitor.evaluate("window.early") is False
        visitor.wait_for_function(IS_WHOLE)


def test_whoever_loads_a_page_again_stays_where_they_were(
    two: Hotseat, places: dict[str, Place], browser: Browser
) -> None:
    with browser.new_context(**PHONE) as context:
        visitor = context.new_page()
        visitor.goto(f"{two.site.url}{places['finished'].path}#more")
        visitor.wait_for_function(IS_WHOLE)
        visitor.evaluate("scrollTo(0, 200)")
        visitor.wait_for_function("scrollY === 200")
        visitor.reload()
        visitor.wait_for_function(IS_WHOLE)
        visitor.wait_for_function("scrollY === 200")
        visitor.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        assert visitor.evaluate("scrollY") == 200


@pytest.mark.parametrize("part", ["seats", "history", "more"])
def test_a_link_leads_to_what_waits_far_below(two: Hotseat, places: dict[str, Place], page: Page, part: str) -> None:
    page.set_viewport_size(ViewportSize(width=SIZES["upright"][0], height=SIZES["upright"][1]))
    page.goto("about:blank")
    page.goto(f"{two.site.url}{places['finished'].path}#{part}")
    expect(page.locator(f"#{part}")).to_be_in_viewport()
