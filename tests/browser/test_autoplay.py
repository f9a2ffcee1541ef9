"""A replay in Chromium that plays by itself, and is led by mouse, keys, slider and finger; without script, by links."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django import DjangoDbBlocker

from games.models import Game
from tests.browser.hotseat import PHONE, WIDE, at_the_database
from tests.browser.test_finished_game import over, served
from tests.browser.test_hands import Finger
from tests.servers import Site

__all__ = ["over", "served"]


SHOWN = """
() => {
  const attributes = (part) => [...part.attributes].map(({ name, value }) => `${name}=${value}`).sort();
  const isServed = (part) => !part.closest(".marks");
  const write = (part) => [part.nodeName, ...attributes(part), part.textContent];
  return [
    document.getElementById("table").innerText,
    ...[...document.querySelectorAll("#board .names ~ *, #board .names ~ * *")].filter(isServed).map(write),
    ...[...document.querySelectorAll("#board [data-territory]")].map((land) => land.getAttribute("aria-label")),
  ];
}
"""
WATCH_MOTION = """
const { animate } = Element.prototype;
window.moved = 0;
Element.prototype.animate = function (...how) {
  window.moved += 1;
  return animate.apply(this, how);
};
"""
# Each ply that is shown, from the first one on, and whether it is played on from there.
LOG = """
window.log = [];
document.addEventListener("table:shown", () => {
  const ply = Number(document.getElementById("table").dataset.ply);
  log.push([ply, document.getElementById("autoplay").ariaPressed === "true"]);
});
"""
HIDE = """
() => {
  Object.defineProperty(document, "hidden", { get: () => true });
  document.dispatchEvent(new Event("visibilitychange"));
}
"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with browser.new_context(**WIDE) as context:
        page = context.new_page()
        page.add_init_script(WATCH_MOTION)
        page.add_init_script(LOG)
        yield page


@pytest.fixture
def address(served: Site, over: Game) -> str:
    return f"{served.url}{over.get_absolute_url()}ply/"


def open_ply(page: Page, address: str, ply: int) -> None:
    page.goto(f"{address}{ply}/")
    page.get_by_label("Speed").select_option("Fast")
    page.locator("#speed").blur()


def is_playing(page: Page, *, wished: bool = True) -> None:
    expect(page.locator("#autoplay")).to_have_attribute("aria-pressed", str(wished).lower())


def shown(page: Page, wished: int) -> list[list[int]]:
    """The log of what the page has shown, once there are so many entries. A page that plays by itself does not wait to
    be looked at."""
    page.wait_for_function("wished => log.length >= wished", arg=wished)
    found: list[list[int]] = page.evaluate("log")
    return found


def test_a_click_plays_on_and_a_step_by_hand_stops(page: Page, address: str) -> None:
    open_ply(page, address, 3)
    history = page.evaluate("history.length")
    page.evaluate("window.kept = [document.getElementById('autoplay'), document.querySelector('.clans-board')]")
    page.get_by_role("button", name="Autoplay").click()
    assert shown(page, 3)[:3] == [[4, True], [5, True], [6, True]]
    expect(page.locator("#autoplay")).to_be_focused()
    assert page.evaluate("kept.every((part) => part.isConnected)")
    page.locator("#ply-back").click()
    page.wait_for_function("() => log.at(-1)[0] < log.at(-2)[0]")
    *played, back = shown(page, 3)
    assert played == [[ply, True] for ply in range(4, 4 + len(played))]
    assert back == [played[-1][0] - 1, False]
    expect(page).to_have_url(f"{address}{back[0]}/")
    assert page.evaluate("history.length") == history


def test_it_shows_what_the_page_of_each_ply_shows(page: Page, address: str, over: Game) -> None:
    open_ply(page, address, 0)
    page.keyboard.press(" ")
    page.wait_for_url(f"{address}{over.ply}/", timeout=200_000)
    is_playing(page, wished=False)
    played = page.evaluate(SHOWN)
    page.reload()
    assert played == page.evaluate(SHOWN)


def test_it_begins_again_after_the_end(page: Page, address: str, over: Game) -> None:
    open_ply(page, address, over.ply - 1)
    page.locator("#autoplay").click()
    page.wait_for_url(f"{address}{over.ply}/")
    is_playing(page, wished=False)
    page.locator("#autoplay").click()
    assert shown(page, 3)[:3] == [[over.ply, True], [0, True], [1, True]]


def test_keys_start_stop_and_lead_it(page: Page, address: str) -> None:
    open_ply(page, address, 3)
    page.keyboard.press(" ")
    assert shown(page, 1)[0] == [4, True]
    is_playing(page)
    page.keyboard.press(" ")
    is_playing(page, wished=False)
    page.keyboard.press(" ")
    is_playing(page)
    page.keyboard.press("Home")
    page.wait_for_url(f"{address}0/")
    is_playing(page, wished=False)
    page.locator("#at-ply").focus()
    for ply in (1, 2):
        page.keyboard.press("ArrowRight")
        page.wait_for_url(f"{address}{ply}/")
        expect(page.locator("#at-ply")).to_be_focused()


def test_its_keys_are_listed_and_do_nothing_meanwhile(page: Page, address: str) -> None:
    open_ply(page, address, 5)
    listed = page.get_by_role("dialog", name="Keyboard")
    page.keyboard.press("?")
    expect(listed).to_contain_text("In a replay: one move back or on")
    expect(listed).not_to_contain_text("Write a move")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(listed).to_be_hidden()
    expect(page.locator("body")).to_be_focused()  # Until the next frame it is a field of the list.
    is_playing(page, wished=False)
    expect(page).to_have_url(f"{address}5/")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"{address}6/")
    page.locator("#at-ply").focus()
    page.keyboard.press("?")
    expect(listed).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("#autoplay").click()
    is_playing(page)
    page.get_by_role("button", name="Keyboard").click()
    expect(listed).to_be_visible()
    assert page.evaluate("document.getElementById('autoplay').ariaPressed") == "false"


def test_the_slider_leads_to_any_ply(page: Page, address: str, over: Game) -> None:
    open_ply(page, address, 0)
    box = page.locator("#at-ply").bounding_box()
    assert box
    page.mouse.move(box["x"] + 9, box["y"] + box["height"] / 2)
    page.mouse.down()
    for share in (0.2, 0.5, 0.7, 1.1):
        page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)
    page.mouse.up()
    page.wait_for_url(f"{address}{over.ply}/")
    expect(page.locator("#at-ply")).to_have_value(str(over.ply))
    page.locator("#ply-back").click()
    expect(page.locator("#at-ply")).to_have_value(str(over.ply - 1))


def test_pages_are_there_before_a_step_asks_for_them(page: Page, address: str) -> None:
    """Those beside the ply that was opened and beside each that was stepped to, also while the net is away."""
    came: set[str] = set()
    page.on("requestfinished", lambda request: came.add(request.url))
    open_ply(page, address, 3)
    expect_all(page, came, {f"{address}2/", f"{address}4/"})
    for ply in (4, 5):
        page.keyboard.press("ArrowRight")
        expect(page.locator(".plies-here")).to_have_text(re.compile(f"^Move {ply} of"))
        expect_all(page, came, {f"{address}{ply - 1}/", f"{address}{ply + 1}/"})
    page.context.set_offline(True)
    for key, ply in (("ArrowRight", 6), ("ArrowLeft", 5), ("ArrowLeft", 4), ("ArrowLeft", 3)):
        page.keyboard.press(key)
        expect(page.locator(".plies-here")).to_have_text(re.compile(f"^Move {ply} of"))


def expect_all(page: Page, came: set[str], wished: set[str]) -> None:
    """Wait until all of them came."""
    while not wished <= came:
        page.wait_for_event("requestfinished")


def test_it_remembers_the_speed(page: Page, address: str) -> None:
    page.goto(f"{address}3/")
    expect(page.locator("#speed")).to_have_value("1800")
    page.locator("#speed").select_option("Slow")
    page.goto(f"{address}5/")
    expect(page.locator("#speed")).to_have_value("3000")


def test_it_stops_when_nobody_looks_and_when_the_net_is_away(page: Page, address: str) -> None:
    open_ply(page, address, 3)
    page.locator("#autoplay").click()
    shown(page, 1)

    def fail(route: Route) -> None:
        route.abort()

    page.route("**/ply/*/", fail)
    is_playing(page, wished=False)
    [last, _is_played] = shown(page, 1)[-1]
    expect(page).to_have_url(f"{address}{last}/")
    page.unroute("**/ply/*/")
    page.locator("#autoplay").click()
    is_playing(page)
    page.evaluate(HIDE)
    is_playing(page, wished=False)


@pytest.mark.parametrize(("wish", "moves"), [("reduce", False), ("no-preference", True)])
def test_huts_walk_only_where_motion_is_welcome(page: Page, address: str, wish: str, moves: bool) -> None:
    page.emulate_media(reduced_motion="reduce" if wish == "reduce" else "no-preference")
    page.goto(f"{address}3/")
    for ply in (4, 5):
        page.keyboard.press("ArrowRight")
        page.wait_for_url(f"{address}{ply}/")
        expect(page.locator(".plies-here")).to_have_text(re.compile(f"^Move {ply} of"))
    assert (page.evaluate("moved") > 0) is moves


def test_a_finger_swipes_and_taps(browser: Browser, address: str) -> None:
    with browser.new_context(**PHONE) as context:
        page = context.new_page()
        page.add_init_script(LOG)
        page.goto(f"{address}3/")
        finger = Finger(page)
        for start, end, ply in ((260, 100, 4), (100, 260, 3)):
            finger.slide((start, 250), (end, 255))
            for _frame in range(12):
                # A finger that rests before it is lifted: after a fling the next tap only stops that.
                page.evaluate("() => new Promise(requestAnimationFrame)")
                finger.touch("touchMove", (end, 255))
            finger.touch("touchEnd")
            page.wait_for_url(f"{address}{ply}/")
        page.locator("#autoplay").tap()
        assert shown(page, 3)[2:3] == [[4, True]]
        is_playing(page)
        assert page.evaluate("scrollY") == 0


def test_without_script_nothing_of_it_is_there(
    browser: Browser, address: str, served: Site, over: Game, django_db_blocker: DjangoDbBlocker
) -> None:
    steps = at_the_database(served, django_db_blocker, over.steps)
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{address}3/")
        assert [part for part in ("#autoplay", "#at-ply", "#speed") if page.locator(part).is_visible()] == []
        page.get_by_role("link", name="Village", exact=True).click()
        founding = next(step.ply + 1 for step in steps[3:] if step.villages)
        page.wait_for_url(f"{address}{founding}/#next-village")
