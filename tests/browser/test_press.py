"""Moving without signing in, in a browser that has nothing but the link of a mail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect
from pytest_django import DjangoDbBlocker

from games.models import Game, TurnToken, make_turn_token
from tests.browser.hotseat import WIDE, Hotseat, at_the_database, hotseat
from tests.browser.test_from_mails import UPRIGHT, plain_move, play_by_taps
from tests.cast import play_random
from tests.servers import Site, site

pytestmark = pytest.mark.timeout(300)

Open = Callable[..., tuple[Page, list[Request]]]


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site that waits long before it calls the next one."""
    folder = tmp_path_factory.mktemp("patient")
    with site(folder, processes=("web",), environment={"MAIL_WAIT_SECONDS": "600"}) as served:
        yield served


@pytest.fixture
def two(browser: Browser, patient: Site, django_db_blocker: DjangoDbBlocker) -> Iterator[Hotseat]:
    """A game of two people who wish to move without signing in."""
    with hotseat(browser, patient, django_db_blocker, presses=True) as two:
        for seat in two.seats:
            seat.page.context.close()
        yield two


@pytest.fixture
def secret(two: Hotseat) -> str:
    """What the mail of whoever is to move has in its link."""

    def make() -> str:
        game = Game.objects.get()
        seat = game.seats.select_related("game", "player").get(number=game.to_move)
        assert seat.player is not None
        return make_turn_token(seat.player, {1: seat}, use=TurnToken.Use.PRESS, at=game.created_at)

    return at_the_database(two.site, two.unblock, make)


@pytest.fixture
def open_link(browser: Browser, two: Hotseat, secret: str) -> Iterator[Open]:
    """Opens the link of the mail in a browser of its own, and gathers all that it asks for."""
    contexts: list[BrowserContext] = []

    def opened(**device: Any) -> tuple[Page, list[Request]]:
        contexts.append(context := browser.new_context(**device))
        page = context.new_page()
        asked: list[Request] = []
        page.on("request", lambda request: asked.append(request))
        page.goto(f"{two.site.url}/turn/{two.game.slug}/#{secret}")
        if device.get("java_script_enabled", True):
            # The script exchanges the secret and goes on to a page whose own scripts listen once it has loaded.
            expect(page.locator("#turn")).to_be_visible()
            page.wait_for_load_state()
        return page, asked

    yield opened
    for context in contexts:
        context.close()


def moves(two: Hotseat) -> list[str]:
    return at_the_database(two.site, two.unblock, lambda: [move.text for move in two.game.moves.order_by("ply")])


def test_a_thumb_plays_a_move_and_takes_it_back(two: Hotseat, open_link: Open, secret: str) -> None:
    page, asked = open_link(**UPRIGHT)
    move = plain_move(two.position)
    assert play_by_taps(page, move) == 3
    assert moves(two) == [str(move)]
    page.get_by_role("button", name=f"Take {move} back").tap()
    expect(page.locator("#turn")).to_have_text("It is your move.")
    assert moves(two) == []
    play_by_taps(page, move)
    assert moves(two) == [str(move)]
    [cookie] = [one for one in page.context.cookies() if one["name"] == "turn"]
    assert (cookie["path"], cookie["httpOnly"], cookie["sameSite"]) == (f"/turn/{two.game.slug}/", True, "Strict")
    assert page.url == f"{two.site.url}/turn/{two.game.slug}/"
    told = [request.url.partition("#")[0] + str(request.all_headers()) for request in asked]
    assert (len(told) > 5, [one for one in told if secret in one]) == (True, [])


# A page that comes back to the net asks at once, and not only after its pause.
ASKS_UNTIL_FINAL = """
() => {
  if (document.querySelector("[data-fate]").textContent.includes("can no longer be taken back")) return true;
  dispatchEvent(new Event("online"));
  return false;
}
"""


def test_it_says_by_itself_when_the_move_can_no_longer_be_taken_back(two: Hotseat, open_link: Open) -> None:
    page, asked = open_link(**WIDE)
    move = plain_move(two.position)
    page.keyboard.type(str(move).lower())
    page.keyboard.press("Enter")
    page.get_by_role("button", name=f"Move {move}").click()
    back = page.get_by_role("button", name=f"Take {move} back")
    expect(back).to_be_visible()

    def look() -> None:
        game = Game.objects.get()
        game.seats.filter(number=game.to_move).update(seen_ply=1, seen_at=timezone.now())

    at_the_database(two.site, two.unblock, look)
    page.wait_for_function(ASKS_UNTIL_FINAL)
    expect(back).to_have_count(0)
    expect(
        page.get_by_role("status").filter(has_text=f"Your move {move} is played and can no longer be taken back.")
    ).to_have_count(1)
    del asked[:]
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_load_state("networkidle")
    assert asked == [], "what the others do is none of its business"


def test_it_says_by_itself_that_its_turn_is_over(two: Hotseat, open_link: Open) -> None:
    page, _asked = open_link(**WIDE)

    def play_elsewhere() -> None:
        play_random(Game.objects.get(), 2)

    at_the_database(two.site, two.unblock, play_elsewhere)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.get_by_role("status").first).to_have_text("That turn is over, and what was played in it stands.")


def test_the_keyboard_plays_a_move(two: Hotseat, open_link: Open) -> None:
    page, _asked = open_link(**WIDE)
    move = plain_move(two.position)
    expect(page.locator("#turn")).to_have_text("It is your move.")
    page.keyboard.type(str(move).lower())
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=f"Move {move}")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#turn")).not_to_have_text("It is your move.")
    assert moves(two) == [str(move)]


def test_programs_that_open_links_and_run_scripts_change_nothing(two: Hotseat, open_link: Open) -> None:
    def rows() -> list[object]:
        return [
            list(Game.objects.values()),
            list(two.game.seats.order_by("pk").values()),
            list(TurnToken.objects.values()),
        ]

    before = at_the_database(two.site, two.unblock, rows)
    for _scanner in range(3):
        page, asked = open_link(**WIDE)
        expect(page.locator("#turn")).to_have_text("It is your move.")
        page.wait_for_load_state("networkidle")
        assert [request.url for request in asked if request.method == "POST"] == [
            f"{two.site.url}/turn/{two.game.slug}/open/"
        ]
    assert at_the_database(two.site, two.unblock, rows) == before


def test_without_script_it_says_why_and_leads_to_signing_in(two: Hotseat, open_link: Open) -> None:
    page, _asked = open_link(**WIDE, java_script_enabled=False)
    # As markup: a browser whose scripts are switched off from outside does not show what stands there for that case.
    assert "<noscript><p>Without script you have to sign in" in page.content()
    page.get_by_role("link", name="Sign in").click()
    expect(page).to_have_url(f"{two.site.url}/accounts/login/?next=%2Ftables%2F{two.game.slug}%2F")
