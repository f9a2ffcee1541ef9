"""A game that is over, in Chromium: its result, and its replay with other eyes."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from pytest_django import DjangoDbBlocker

from games import rules
from games.models import Game
from tests.browser.hotseat import at_the_database
from tests.cast import make_game, make_player, play_out, play_random
from tests.servers import Site, site


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site(tmp_path_factory.mktemp("finished"), processes=("web",)) as served:
        yield served


@pytest.fixture(scope="module")
def over(served: Site, django_db_blocker: DjangoDbBlocker) -> Game:
    """A game that is over, at the site."""
    return at_the_database(
        served, django_db_blocker, lambda: play_random(make_game(make_player("alice"), make_player("bob")))
    )


@pytest.fixture(scope="module")
def against(served: Site, django_db_blocker: DjangoDbBlocker) -> Game:
    """A game against computer players that is over, at the site."""
    return at_the_database(served, django_db_blocker, lambda: play_out(make_game(make_player("carol"), bots=2)))


# --- The result ------------------------------------------------------------------------------------


CROWDED = """() => [...document.querySelectorAll(".standings tbody tr")].flatMap((row) => {
  const [seal, name] = [row.querySelector("svg"), row.querySelector("th")].map((part) => part.getBoundingClientRect());
  const words = document.createRange();
  words.selectNodeContents(row.querySelector("th"));
  const isBroken = words.getBoundingClientRect().height > 1.5 * words.getClientRects()[0].height;
  return isBroken || seal.right > name.left ? [row.innerText] : [];
})"""


@pytest.mark.parametrize("width", [360, 960, 1024, 1280, 1440])
def test_the_result_has_a_line_for_each_player(browser: Browser, served: Site, against: Game, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 768})
    page.goto(served.url + against.get_absolute_url())
    page.evaluate("document.fonts.ready")
    expect(page.locator(".standings tbody tr")).to_have_count(3)
    assert page.evaluate(CROWDED) == []
    page.close()


def test_a_phone_shows_the_result_and_where_to_go_on(browser: Browser, served: Site, against: Game) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.goto(served.url + against.get_absolute_url())
    expect(page.get_by_role("link", name="Replay the game")).to_be_in_viewport(ratio=1)
    page.close()


ROWS = """() => [...document.querySelectorAll(".epochs .chips")].map(
  (chips) => new Set([...chips.querySelectorAll(".chip")].map((chip) => chip.offsetTop)).size
)"""


def test_a_phone_keeps_what_is_said_after_a_village_in_one_line(browser: Browser, served: Site, over: Game) -> None:
    """Several clans may be ahead: the table scrolls, and breaks no line before a comma."""
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.goto(f"{served.url}{over.get_absolute_url()}")
    page.locator("#points summary").click()
    rows = page.locator("#points tbody tr")
    assert any(" and " in text for text in rows.all_text_contents())
    assert len(set(rows.evaluate_all("rows => rows.map((row) => Math.round(row.clientHeight))"))) == 1
    page.close()


@pytest.mark.parametrize("width", [320, 360, 960, 1024, 1280])
def test_the_chips_of_an_epoch_stand_in_one_row(browser: Browser, served: Site, over: Game, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 768})
    page.goto(served.url + over.get_absolute_url())
    page.evaluate("document.fonts.ready")
    assert page.evaluate(ROWS) == [1, 1, 1, 1, 1]
    assert page.evaluate(
        "() => { const at = document.querySelector('.epochs'); return at.scrollWidth <= at.parentElement.clientWidth }"
    )
    page.close()


# --- Share -----------------------------------------------------------------------------------------


def test_it_is_read_out_that_a_link_is_copied(browser: Browser, served: Site, over: Game) -> None:
    with browser.new_context(permissions=["clipboard-read", "clipboard-write"]) as context:
        page = context.new_page()
        page.goto(f"{served.url}{over.get_absolute_url()}ply/3/")
        page.get_by_role("button", name="Copy").first.click()
        expect(page.locator("body > [role=status]")).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == f"{served.url}{over.get_absolute_url()}ply/3/"


def test_the_board_covers_nothing_below_it(browser: Browser, served: Site, over: Game) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(f"{served.url}{over.get_absolute_url()}ply/3/")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    box = "(part) => document.querySelector(`.sheet > .${part}`).getBoundingClientRect().toJSON()"
    assert page.evaluate(box, "board")["bottom"] < page.evaluate(box, "below")["top"]
    page.close()


# --- Viewpoints ------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["", "ply/9/"])
def test_paper_shows_what_happened_and_nothing_to_press(browser: Browser, served: Site, over: Game, part: str) -> None:
    page = browser.new_page(viewport={"width": 720, "height": 900})
    page.goto(served.url + over.get_absolute_url() + part)
    pressed = page.locator("main :is(button, input, select, textarea, summary, .button):visible")
    assert pressed.count() > 5
    page.emulate_media(media="print")
    assert pressed.all_text_contents() == []
    for kept in (".clans-board", ".history", ".epochs"):
        expect(page.locator(kept).first).to_be_visible()
    page.close()


def test_paper_shows_what_was_tried_out(browser: Browser, served: Site, over: Game) -> None:
    move = rules.legal_moves(rules.set_up(over.opening()))[0]
    page = browser.new_page(viewport={"width": 720, "height": 900})
    page.goto(f"{served.url}{over.get_absolute_url()}ply/0/try/?line={move}")
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="The line")).to_be_visible()
    page.close()


def test_keys_choose_one_and_step_on_with_it(browser: Browser, served: Site, over: Game) -> None:
    address = served.url + over.get_absolute_url()
    page = browser.new_page()
    page.goto(f"{address}ply/3/")
    history = page.evaluate("history.length")
    page.locator("#seen-1").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}ply/3/public/")
    expect(page.locator("#seen-1")).to_be_focused()
    expect(page.locator("#seen-1")).to_have_attribute("aria-current", "true")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}ply/3/seat/1/")
    expect(page.locator("#known")).to_be_visible()
    for key, ply in (("ArrowRight", 4), ("ArrowLeft", 3), ("End", over.ply), ("Home", 0)):
        page.keyboard.press(key)
        page.wait_for_url(f"{address}ply/{ply}/seat/1/")
    assert page.evaluate("history.length") == history
    page.close()


def test_without_script_it_is_plain_links(browser: Browser, served: Site, over: Game) -> None:
    address = served.url + over.get_absolute_url()
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{address}ply/3/")
        page.get_by_role("link", name="The public").click()
        page.wait_for_url(f"{address}ply/3/public/")
        page.locator("a[rel=next]").click()
        page.wait_for_url(f"{address}ply/4/public/#ply-next")
        expect(page.get_by_role("link", name="The public")).to_have_attribute("aria-current", "true")


@pytest.mark.parametrize("size", [(360, 740), (1280, 900)], ids=["phone", "wide"])
def test_without_script_one_key_steps_on_and_on(
    browser: Browser, served: Site, over: Game, size: tuple[int, int]
) -> None:
    address, (width, height) = served.url + over.get_absolute_url(), size
    with browser.new_context(java_script_enabled=False, viewport={"width": width, "height": height}) as context:
        page = context.new_page()
        page.goto(f"{address}ply/{over.ply - 4}/")
        page.locator("#ply-next").focus()
        for ply in range(over.ply - 3, over.ply + 1):
            page.keyboard.press("Enter")
            page.wait_for_url(re.compile(f"/ply/{ply}/#"))
            expect(page.locator("#ply-next" if ply < over.ply else "#ply-back")).to_be_focused()
            expect(page.locator(".clans-board")).to_be_in_viewport(ratio=1)
            assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("has_script", [True, False])
def test_it_offers_to_choose_only_where_a_script_answers(
    browser: Browser, served: Site, over: Game, has_script: bool
) -> None:
    with browser.new_context(java_script_enabled=has_script, viewport={"width": 360, "height": 740}) as context:
        page = context.new_page()
        for place in ("", "ply/3/"):
            page.goto(served.url + over.get_absolute_url() + place)
            expect(page.get_by_text("Choose a territory to read what stands on it.")).to_be_visible(visible=has_script)


@pytest.mark.parametrize("size", [(360, 640), (1440, 900)])
def test_a_finger_hits_each(browser: Browser, served: Site, over: Game, size: tuple[int, int]) -> None:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.goto(f"{served.url}{over.get_absolute_url()}ply/3/public/")
    boxes = [link.bounding_box() for link in page.locator("nav[aria-labelledby=viewpoints] a").all()]
    assert len(boxes) == 4
    assert all(box and box["height"] >= 44 for box in boxes)
    page.close()


# --- The replay ------------------------------------------------------------------------------------


READ_OUT = """() => {
  window.readOut = [];
  new MutationObserver((changes) => {
    const changed = changes.map(({ target }) => (target.closest ? target : target.parentElement));
    const live = new Set(changed.map((part) => part?.closest("[role=status]")));
    for (const part of live) if (part && part.ariaLive !== "off") window.readOut.push(part.textContent);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def test_a_step_reads_out_the_move_alone_once_the_keyboard_has_passed_the_board(
    browser: Browser, served: Site, over: Game
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(f"{served.url}{over.get_absolute_url()}ply/3/")
    page.locator("[data-territory][tabindex='0']").focus()
    expect(page.locator("#told")).to_have_text(re.compile("^A1, "))
    page.keyboard.press("Tab")
    page.evaluate(READ_OUT)
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/ply/4/")
    expect(page.locator("#told")).to_have_text(re.compile("^A1, "))
    assert page.evaluate("readOut") == [page.locator("#ply").text_content()]
    page.locator("[data-territory=A2]").click()
    expect(page.locator("#told")).to_have_text(re.compile("^A2, "))
    assert page.evaluate("readOut.at(-1)") == page.locator("#told").text_content()
    page.close()


def test_the_last_step_is_read_out_once(browser: Browser, served: Site, over: Game) -> None:
    """Its link on is gone, so the sentence itself has the focus, which a screen reader reads."""
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(f"{served.url}{over.get_absolute_url()}ply/{over.ply - 2}/")
    page.locator("#ply-next").press("Enter")
    page.wait_for_url(f"**/ply/{over.ply - 1}/")
    expect(page.locator("body > [role=status]")).to_have_text(page.locator("#ply").inner_text())
    page.locator("#ply-next").press("Enter")
    page.wait_for_url(f"**/ply/{over.ply}/")
    expect(page.locator("#ply")).to_be_focused()
    expect(page.locator("body > [role=status]")).to_have_text("")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(f"**/ply/{over.ply - 1}/")
    expect(page.locator("body > [role=status]")).to_have_text(page.locator("#ply").inner_text())
    page.close()


LINES = """() => Object.values(Object.groupBy(
  document.querySelectorAll("nav[aria-labelledby=viewpoints] a"), (one) => Math.round(one.getBoundingClientRect().top)
)).map(line => line.length)"""


def test_no_viewpoint_stands_alone_on_the_last_line(browser: Browser, served: Site, over: Game) -> None:
    page, lines = browser.new_page(), []
    for width in (320, 1024):
        page.set_viewport_size({"width": width, "height": 700})
        page.goto(f"{served.url}{over.get_absolute_url()}ply/5/")
        page.evaluate("document.fonts.ready")
        lines.append(page.evaluate(LINES))
    assert all(sum(counts) == 4 and counts[-1] > 1 for counts in lines), lines
    assert any(len(counts) > 1 for counts in lines), lines
    page.close()
