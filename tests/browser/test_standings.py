"""The standings of a season on a phone, on a wide screen and in large letters, as Chromium lays them out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from pytest_django import DjangoDbBlocker

from games import play
from games.models import Season
from tests.browser.hotseat import at_the_database
from tests.browser.looking import LINES, open_at
from tests.cast import AT, make_player
from tests.servers import Site

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with browser.new_context() as context:
        yield context.new_page()


CLUB = ("Bertram", "Christopher42", "Wilhelmine_Langbein", "Theodora")


def _season_of_four() -> Season:
    people = [make_player(name) for name in CLUB]
    season = play.open_season(people[0], name="Club", size=2, rounds=2, key="1", at=AT)
    for player in people[1:]:
        play.join_season(season, player=player, at=AT)
    play.begin_season(season, by=people[0], at=AT)
    return season


@pytest.fixture(scope="module")
def season(web: Site, django_db_blocker: DjangoDbBlocker) -> Season:
    return at_the_database(web, django_db_blocker, _season_of_four)


def test_names_in_the_standings_of_a_season_are_whole_on_a_phone(page: Page, web: Site, season: Season) -> None:
    """Four columns of numbers take the width, so only what is longer than most names goes on in a second line."""
    open_at(page, f"{web.url}{season.get_absolute_url()}", 360)
    names = page.locator('[aria-labelledby="standings"] tbody th .who')
    assert set(names.all_inner_texts()) == set(CLUB)
    lines = names.evaluate_all(f"(all) => all.map({LINES})")
    assert dict(zip(names.all_inner_texts(), lines, strict=True)) == dict.fromkeys(CLUB, 1) | {"Wilhelmine_Langbein": 2}
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_numbers_of_a_list_stand_not_far_from_names_on_a_wide_screen(page: Page, web: Site, season: Season) -> None:
    """As far as a line of text is long; they were at the other edge of the window."""
    for address in (f"{web.url}{season.get_absolute_url()}", f"{web.url}/players/"):
        open_at(page, address, 1280)
        widths = page.locator("main .ledger").evaluate_all("(all) => all.map((one) => one.offsetWidth)")
        assert widths
        assert max(widths) < 720


def test_words_in_the_standings_of_a_season_are_whole_in_letters_twice_as_large(
    page: Page, web: Site, season: Season
) -> None:
    """Their heads stood letter below letter; the list scrolls sideways by itself."""
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    open_at(page, f"{web.url}{season.get_absolute_url()}", 360)
    words = page.locator('[aria-labelledby="standings"] :is(thead th:not(:first-child), tbody th .who)')
    assert words.evaluate_all(f"(all) => all.map({LINES})") == [1] * (5 + len(CLUB))
    assert page.evaluate("document.documentElement.scrollWidth") == 360


HIDDEN = "(one) => one.scrollWidth - one.clientWidth"


def _begin_for_two() -> Season:
    alice, bob = make_player("wilhelmina.hohenlohe"), make_player("W" * 30)
    season = play.open_season(alice, name="Small", size=2, rounds=2, key="2", at=AT)
    play.join_season(season, player=bob, at=AT)
    play.begin_season(season, by=alice, at=AT)
    return season


def test_the_standings_of_a_season_fit_a_phone(
    page: Page, web: Site, season: Season, django_db_blocker: DjangoDbBlocker
) -> None:
    """Also with names as long as there are: Chromium hid the last columns beyond the edge."""
    long = at_the_database(web, django_db_blocker, _begin_for_two)
    for each in (season, long):
        open_at(page, f"{web.url}{each.get_absolute_url()}", 360)
        assert page.locator(".ledger-scroll").evaluate(HIDDEN) == 0
