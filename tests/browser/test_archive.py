"""The archive in Chromium: a search by thumb and by keyboard, with script and without, and what its statistics show."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django import DjangoDbBlocker

from games import play
from games.models import Game
from tests.browser.hotseat import at_the_database
from tests.browser.looking import NARROW, WIDE
from tests.cast import make_game, make_player, play_random
from tests.servers import Site

SCRIPT = pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])


@pytest.fixture(scope="module")
def games(web: Site, django_db_blocker: DjangoDbBlocker) -> list[Game]:
    """The finished games of the site, counted: alice and bob twice, alice and carol once, and three people.
    All are played by the house rule, which is a tag in their rows."""
    return at_the_database(web, django_db_blocker, _play_games)


def _play_games() -> list[Game]:
    alice, bob, carol = map(make_player, ("alice", "bob", "carol"))
    seated = ((alice, bob), (bob, alice), (carol, alice), (alice, bob, carol))
    over = [play_random(make_game(*players, five_clans="nothing"), seed=seed) for seed, players in enumerate(seated)]
    play.count_archive(at=timezone.now())
    return over


def listed(page: Page) -> Locator:
    return page.locator("main li.table-row")


def by_thumb(browser: Browser, *, script: bool) -> Page:
    context = browser.new_context(
        viewport={"width": NARROW, "height": 640}, has_touch=True, is_mobile=True, java_script_enabled=script
    )
    return context.new_page()


def tab_to(page: Page, there: Locator) -> None:
    """Press Tab until that has the focus."""
    for _press in range(80):
        if there.evaluate("(element) => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no Tab leads to {there}")


# --- Rows ------------------------------------------------------------------------------------------


def test_a_tag_that_begins_a_line_begins_where_the_line_begins(page: Page, web: Site, games: list[Game]) -> None:
    page.goto(f"{web.url}/archive/")
    tags, lefts = listed(page).locator(".tag"), set()
    for width in range(320, 460, 4):
        page.set_viewport_size({"width": width, "height": 800})
        lefts.update(tags.evaluate_all("(tags) => tags.map((tag) => tag.offsetLeft - tag.parentElement.offsetLeft)"))
    assert 0 in lefts
    assert [left for left in lefts if 0 < left < 40] == []


# --- Search ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [NARROW, 1024, 1280])
def test_it_asks_for_from_and_to_beside_each_other_and_shows_whole_dates(
    page: Page, web: Site, games: list[Game], width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{web.url}/archive/?moves_from=1&margin_from=1")
    page.get_by_text("Change this search", exact=True).click()

    def box(place: Locator) -> dict[str, float]:
        sides: dict[str, float] = place.evaluate("(element) => element.getBoundingClientRect().toJSON()")
        return sides

    for name in ("Ended", "Moves", "Margin", "Best total"):
        least, most = (box(page.get_by_label(f"{name} {end}", exact=True)) for end in ("from", "to"))
        assert (least["y"], least["x"] < most["x"]) == (most["y"], True), name
        assert least["width"] >= 155, name
    one_line = box(page.get_by_text("Winner’s clan", exact=True))["height"]
    for name in ("Computer players", "Best total from"):
        assert box(page.get_by_text(name, exact=True))["height"] == one_line, name


@SCRIPT
def test_a_thumb_finds_games_and_leaves_a_criterion_out(
    browser: Browser, web: Site, games: list[Game], script: bool
) -> None:
    page = by_thumb(browser, script=script)
    page.goto(f"{web.url}/archive/")
    expect(listed(page)).to_have_count(4)
    page.get_by_text("Find games", exact=True).tap()
    page.get_by_label("Played by").tap()
    expect(page.get_by_label("Played by")).to_be_focused()
    page.keyboard.type("alice, bob")
    seats = page.get_by_label("Seats")
    expect(seats.locator("option")).to_have_text(["any", "2 (3)", "3 (1)", "4 (0)"])
    seats.select_option("2")
    page.get_by_role("button", name="Find").tap()
    page.wait_for_url(f"{web.url}/archive/?player=alice%2C+bob&size=2#results")
    expect(listed(page)).to_have_count(2)
    expect(page.locator("main")).to_contain_text("2 games")
    page.get_by_role("link", name="Seats: 2").tap()
    page.wait_for_url(f"{web.url}/archive/?player=alice%2C+bob#results")
    expect(listed(page)).to_have_count(3)
    listed(page).first.locator(".table-name").tap()
    page.wait_for_url(f"{web.url}{games[-1].get_absolute_url()}")
    expect(page.locator("h1")).to_have_text(games[-1].name)
    page.context.close()


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_what_was_looked_for_stands_in_sight_above_what_was_found(
    browser: Browser, web: Site, games: list[Game], width: int
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 400})
    page.goto(f"{web.url}/archive/?player=alice#results")
    expect(page.get_by_role("heading", name="4 games")).to_be_focused()
    for part in (page.get_by_role("link", name="Played by: alice"), page.get_by_role("heading", name="4 games")):
        expect(part).to_be_in_viewport(ratio=1)
    expect(page.get_by_text("Change this search")).to_be_in_viewport()
    page.close()


@SCRIPT
def test_keys_alone_find_the_longest_game(browser: Browser, web: Site, games: list[Game], script: bool) -> None:
    longest = max((game for game in games if game.size == 2), key=lambda game: (game.ply, game.pk))
    page = browser.new_page(viewport={"width": WIDE, "height": 900}, java_script_enabled=script)
    page.goto(f"{web.url}/archive/")
    tab_to(page, page.locator("summary").filter(has_text="Find games"))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_label("Played by"))
    page.keyboard.type("alice")
    tab_to(page, page.get_by_label("Seats"))
    page.keyboard.press("2")
    tab_to(page, page.get_by_label("Order"))
    # One letter: the list forgets those before it after a while.
    page.keyboard.press("m")
    tab_to(page, page.get_by_role("button", name="Find"))
    page.keyboard.press("Enter")
    page.wait_for_url(f"{web.url}/archive/?player=alice&size=2&order=longest#results")
    expect(listed(page)).to_have_count(3)
    expect(page.get_by_role("heading", name="3 games")).to_be_focused()
    shared = page.url
    page.keyboard.press("Tab")
    expect(listed(page).first.locator(".table-name")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(f"{web.url}{longest.get_absolute_url()}")
    page.close()
    other = browser.new_page(java_script_enabled=script)
    other.goto(shared)
    expect(listed(other)).to_have_count(3)
    expect(listed(other).first.locator(".table-name")).to_have_attribute("href", longest.get_absolute_url())
    other.close()


def test_a_search_that_cannot_be_says_why_and_keeps_what_was_written(
    browser: Browser, web: Site, games: list[Game]
) -> None:
    page = by_thumb(browser, script=True)
    page.goto(f"{web.url}/archive/")
    page.get_by_text("Find games", exact=True).tap()
    page.get_by_label("Played by").fill("alise")
    page.get_by_role("button", name="Find").tap()
    page.wait_for_url("**/archive/?player=alise#results")
    expect(page.get_by_role("alert")).to_contain_text("Nobody here is called alise.")
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_label("Played by")).to_have_value("alise")
    page.get_by_label("Played by").fill("alice")
    page.locator("summary").filter(has_text="How it ended").tap()
    page.get_by_label("Margin from").fill("900")
    page.get_by_role("button", name="Find").tap()
    expect(page.get_by_text("No finished game fits all of that.")).to_be_focused()
    page.context.close()


# --- Statistics ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("touch", "script"), [(True, False), (False, True)], ids=["touch, no script", "keys, script"])
def test_statistics_show_numbers_behind_a_chart_and_can_be_saved(
    browser: Browser, web: Site, games: list[Game], touch: bool, script: bool
) -> None:
    page = by_thumb(browser, script=script) if touch else browser.new_page(java_script_enabled=script)

    def press(there: Locator) -> None:
        if touch:
            there.tap()
        else:
            tab_to(page, there)
            page.keyboard.press("Enter")

    page.goto(f"{web.url}/archive/statistics/")
    section = page.locator("section").filter(has=page.locator("h2", has_text="Seats")).first
    expect(section.locator("svg")).to_be_visible()
    expect(section.locator("table")).to_be_hidden()
    press(section.locator("summary"))
    expect(section.locator("table")).to_be_visible()
    with page.expect_download() as started:
        press(page.get_by_role("link", name="As a file (CSV)"))
    assert started.value.suggested_filename == "clans-statistics.csv"
    press(page.get_by_role("link", name="Only games among people"))
    page.wait_for_url("**/archive/statistics/?players=people")
    expect(section.locator("svg")).to_be_visible()
    page.close()
