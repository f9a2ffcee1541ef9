"""Where the page goes by links, keys and buttons, and what stays when the net is away: moves, focus, history, notes."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, Route, expect

from games import play, rules
from games.models import Game, Note, Player
from tests.browser.hotseat import SEED, Hotseat, Seat, at_the_database, sign_in, some_move

Found = TypeVar("Found")
LINES_IN_NARROW = "word => (word.parentElement.style.width = '1px') && word.getClientRects().length"


@pytest.fixture(scope="module")
def wishes() -> dict[str, Any]:
    return {"confirms_moves": False}


@pytest.fixture(scope="module")
def two(two: Hotseat) -> Hotseat:
    """In the middle of a game."""
    do(two, play_until_a_choice)
    return two


def do(two: Hotseat, does: Callable[[], Found]) -> Found:
    return at_the_database(two.site, two.unblock, does)


SEND_TWICE = """
async (button) => {
  button.click();
  await new Promise((resolve) => setTimeout(resolve, 100));
  button.click();
}
"""


def play_until_a_choice() -> tuple[Game, rules.Move, rules.Move]:
    """The game, played on until a founding order has to be chosen; that move without it, and one that needs none."""
    game, rng = Game.objects.get(), random.Random(SEED)
    while not (move := some_move(game.position(), rng)).order:
        seat = game.seats.get(number=game.to_move)
        play.play_move(game, seat=seat, move=move, ply=game.ply, key=f"going-{game.ply}", at=timezone.now())
        game.refresh_from_db()
    position = game.position()
    plain = [other for other in rules.legal_moves(position) if not rules.founding_orders(position, other)]
    return game, move, plain[0]


def last_move() -> str:
    return Game.objects.get().moves.order_by("ply").last().text  # type: ignore[union-attr]


def no_fetch(route: Route) -> None:
    """The net is away for scripts, and back for forms and links."""
    if route.request.resource_type == "fetch":
        route.abort()
    else:
        route.continue_()


def test_it_keeps_a_move_that_is_sent_without_net(two: Hotseat) -> None:
    game, _, plain = do(two, play_until_a_choice)
    page, address = two.seats[game.to_move or 0].page, two.site.url + game.get_absolute_url()
    page.goto(f"{address}?from={plain.origin}&to={plain.target}")
    send = page.get_by_role("button", name=f"Move {plain}")
    page.context.set_offline(True)
    for _time in range(2):
        send.click()
        expect(page.get_by_role("alert")).to_contain_text("There is no connection.")
        expect(page.locator("#table[aria-busy]")).to_have_count(0)
    page.context.set_offline(False)
    send.click()
    expect(page.locator("#turn")).to_contain_text("’s move.")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.set_viewport_size({"width": 360, "height": 740})
    played = page.locator(".bar-waits kbd")
    expect(played).to_have_text(str(plain))
    assert played.evaluate(LINES_IN_NARROW) == 1, "a move is broken at no hyphen"
    # A line that comes with the answer to a move is not read out beside what was played, but what a tap tells is.
    told = page.locator("#told")
    expect(told).to_have_attribute("aria-live", "off")
    page.locator("[data-territory=A2]").click()
    expect(told).not_to_have_attribute("aria-live", "off")
    expect(told).to_have_text(re.compile("^A2, "))
    assert do(two, lambda: (last_move(), Game.objects.get().ply)) == (str(plain), game.ply + 1)


@pytest.mark.parametrize("is_sent", [False, True], ids=["without net", "refused"])
def test_it_takes_back_a_choice_by_going_back_after_a_move_was_not_played(two: Hotseat, is_sent: bool) -> None:
    game, _, plain = do(two, play_until_a_choice)
    page = two.seats[game.to_move or 0].page
    page.goto(two.site.url + game.get_absolute_url())
    page.locator(f"#board [data-territory={plain.origin}]").focus()
    page.keyboard.press("Enter")
    page.evaluate("document.getElementById('step-plan').content.querySelector('[name=ply]').defaultValue = 3")
    page.context.set_offline(not is_sent)
    page.locator(f"#board [data-territory={plain.target}]").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("has moved on" if is_sent else "There is no connection.")
    page.context.set_offline(False)
    page.go_back()
    expect(page.locator("#step")).to_have_attribute("data-draft", plain.origin)


def test_it_asks_for_the_order_first_and_loses_no_move_without_net(two: Hotseat) -> None:
    game, move, plain = do(two, play_until_a_choice)
    page, address = two.seats[game.to_move or 0].page, two.site.url + game.get_absolute_url()
    page.goto(f"{address}?from={move.origin}")
    page.locator(".targets button, .targets a").filter(has_text=re.compile(rf"^{move.target}\b")).click()
    expect(page.locator("form#move").get_by_role("radio").first).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.route("**/move/", no_fetch)
    page.goto(f"{address}?from={plain.origin}")
    page.locator(f".targets button[value='{plain}']").click()
    expect(page.locator("#turn")).to_contain_text("’s move.")
    assert do(two, last_move) == str(plain)
    page.unroute("**/move/")


def test_it_keeps_an_order_that_was_chosen_in_the_list_over_a_reload(two: Hotseat) -> None:
    game, move, _ = do(two, play_until_a_choice)
    page = two.seats[game.to_move or 0].page
    page.goto(f"{two.site.url}{game.get_absolute_url()}?from={move.origin}&to={move.target}")
    chosen = page.locator("input[name=order]").last
    chosen.check()
    page.wait_for_url(re.compile("&order="))
    page.reload()
    expect(chosen).to_be_checked()


def test_it_goes_on_by_the_same_key_in_replay_and_try_out(two: Hotseat) -> None:
    page, address = two.seats[0].page, two.site.url + two.game.get_absolute_url()
    page.goto(f"{address}ply/0/")
    page.get_by_role("link", name="Next").focus()
    for ply in (1, 2, 3):
        page.keyboard.press("Enter")
        expect(page.locator(".plies-here")).to_have_text(re.compile(rf"^Move {ply} of"))
    page.get_by_role("link", name="Last").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#ply")).to_be_focused()
    page.goto(f"{address}ply/0/")
    page.get_by_role("link", name="Try out what could have followed").click()
    for plies in (1, 2):
        page.locator("svg a[data-territory][href]").first.focus()
        page.keyboard.press("Enter")
        page.locator(".targets a").first.click()
        expect(page.locator("[aria-labelledby=line] li")).to_have_count(plies)
    page.get_by_role("link", name="Take back one move").focus()
    for plies in (1, 0):
        page.keyboard.press("Enter")
        expect(page.locator("[aria-labelledby=line] li")).to_have_count(plies)


def test_it_goes_back_out_of_a_replay_past_a_place_on_the_page(two: Hotseat) -> None:
    seat, address = two.seats[0], two.site.url + two.game.get_absolute_url()
    page = seat.page
    page.goto(address)
    page.goto(f"{address}ply/0/")
    entries = page.evaluate("history.length")
    for ply in (1, 2, 3):
        page.get_by_role("link", name="Next").click()
        expect(page.locator(".plies-here")).to_have_text(re.compile(f"^Move {ply} of"))
    expect(page).to_have_url(f"{address}ply/3/")
    assert page.evaluate("history.length") == entries
    seat.asked.clear()
    page.get_by_role("link", name="To the page").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/ply/3/#main")
    page.go_back()
    page.wait_for_url("**/ply/3/")
    assert seat.asked == []
    page.go_back()
    page.wait_for_url(address)


def test_it_keeps_a_note_that_cannot_be_saved(two: Hotseat) -> None:
    seat, address = two.seats[0], two.site.url + two.game.get_absolute_url()
    page = seat.page
    note, lost = page.get_by_label("Note", exact=True), page.locator("#note-lost")
    save = page.get_by_role("button", name="Save the note")
    page.goto(address)
    page.get_by_text("My notebook").click()
    expect(lost).to_be_hidden()
    page.route("**/notebook/", lambda route: route.abort())
    note.fill("bob is red")
    save.click()
    expect(lost).to_be_visible()
    expect(note).to_have_value("bob is red")
    page.unroute("**/notebook/")
    cookies = page.context.cookies()
    page.context.clear_cookies()
    with page.expect_response("**/notebook/"):
        save.click()
    expect(lost).to_be_visible()
    expect(note).to_have_value("bob is red")
    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    with page.expect_event("load"):
        page.get_by_role("link", name="reload the page").click()
    expect(page).to_have_url(address)
    expect(note).to_be_visible()
    expect(note).to_have_value("bob is red")
    save.click()
    expect(page.locator("#note-said")).to_have_text("Your note is saved.")
    expect(lost).to_be_hidden()
    assert do(two, lambda: Note.objects.get().text) == "bob is red"
    assert page.evaluate("sessionStorage.length") == 0
    note.fill("bob is blue")
    assert page.evaluate("sessionStorage.length") == 1
    leave(two, seat)
    assert page.evaluate("sessionStorage.length") == 0


def leave(two: Hotseat, seat: Seat) -> None:
    """Sign out, and in again for the tests that follow."""
    page = seat.page
    name = page.locator(".site-user > summary").inner_text().strip()
    page.locator(".site-user > summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{two.site.url}/")
    key = do(two, lambda: sign_in(Player.objects.get(username=name)))
    page.context.add_cookies([{"name": "sessionid", "value": key, "url": two.site.url}])


def test_it_sends_a_form_once(two: Hotseat) -> None:
    page = two.seats[1].page
    page.goto(two.site.url + two.game.get_absolute_url())
    page.get_by_text("Abandon or resign").click()
    sent: list[str] = []

    def hold(route: Route) -> None:
        sent.append(route.request.url)

    page.route("**/abandon/", hold)
    with page.expect_request("**/abandon/"):
        page.get_by_role("button", name="Propose to abandon").evaluate(SEND_TWICE)
    page.wait_for_timeout(300)
    assert len(sent) == 1


def test_it_gets_scripts_minified(two: Hotseat) -> None:
    page: Page = two.seats[1].page
    page.goto(two.site.url + two.game.get_absolute_url())
    sources = page.locator("script[src]").evaluate_all("scripts => scripts.map(script => script.src)")
    texts = [page.request.get(source).text() for source in sources]
    assert texts
    assert [text for text in texts if re.search(r"^\s*//|^  ", text, re.MULTILINE)] == []


def test_it_offers_the_zone_of_a_browser_that_has_an_old_name_for_it(two: Hotseat, browser: Browser) -> None:
    signed_in = two.seats[0].page.context.storage_state()
    with browser.new_context(timezone_id="Asia/Calcutta", storage_state=signed_in) as context:
        page = context.new_page()
        page.goto(f"{two.site.url}/preferences/")
        page.get_by_role("button", name="Use it").click()
        chosen = page.locator("select[name=time_zone]").input_value()
        assert chosen in {"Asia/Calcutta", "Asia/Kolkata"}
        with page.expect_navigation():
            page.locator("form:has(select[name=time_zone]) button:not([type=button])").first.click()
        expect(page.locator("select[name=time_zone]")).to_have_value(chosen)
    assert do(two, lambda: Player.objects.filter(time_zone=chosen).count()) == 1
    do(two, lambda: Player.objects.update(time_zone="UTC"))
