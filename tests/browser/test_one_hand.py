"""A table on a phone, held in one hand: what the first screen shows, and what fingers do on the board."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from math import hypot
from typing import Any, NamedTuple

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, ViewportSize, expect
from pytest_django import DjangoDbBlocker

from games import play, rules
from games.models import Game, Player
from tests.browser.first_screen import SIZES, faults
from tests.browser.hotseat import PHONE, SEED, Hotseat, at_the_database, hotseat, huts_at, some_move
from tests.browser.test_hands import Finger
from tests.cast import PASSWORD, QUICK_HASH, make_game, make_player

pytestmark = [pytest.mark.timeout(300), pytest.mark.xdist_group("one hand")]


class Scene(NamedTuple):
    """Tables of alice, each with the address of what is to be seen there; `move` asks for an order at one of them."""

    addresses: dict[str, str]
    move: rules.Move
    slugs: dict[str, str]


@pytest.fixture(scope="module")
def two(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker
) -> Iterator[Hotseat]:
    with hotseat(browser, tmp_path_factory.mktemp("hand"), django_db_blocker, device=PHONE) as two:
        yield two


@pytest.fixture(scope="module")
def scene(two: Hotseat) -> Scene:
    return at_the_database(two.site, two.unblock, set_tables)


@pytest.fixture
def page(two: Hotseat, scene: Scene) -> Page:
    """alice's page, upright."""
    hand = two.seats[[seat.name for seat in at_the_database(two.site, two.unblock, seats_of)].index("alice")].page
    hand.set_viewport_size(ViewportSize(width=390, height=664))
    return hand


def seats_of() -> list[Any]:
    return list(Game.objects.earliest("pk").seats.order_by("number"))


def set_tables() -> Scene:
    """Tables that wait for alice, after a different number of moves, one of them with villages to found at once."""
    players = [Player.objects.get(username="alice"), Player.objects.get(username="bob"), make_player("carol")]
    games = {
        "nobody moved": game_at(players[:2], 0),
        "one moved": game_at(players[:2], 5),
        "two moved": game_at(players, 5),
        "six moved": game_at(players[:2], 8),
    }
    asks, move = game_that_asks(players[:2])
    games["an order"] = asks
    steps = {"an origin": games["one moved"], "a target": games["one moved"], "six moved": games["six moved"]}
    addresses = {state: game.get_absolute_url() for state, game in (games | steps).items()}
    moves = {state: rules.legal_moves(game.position())[40] for state, game in steps.items()}
    addresses["an origin"] += f"?from={moves['an origin'].origin}"
    for state in ("a target", "six moved"):
        addresses[state] += f"?from={moves[state].origin}&to={moves[state].target}"
    addresses["an order"] += f"?from={move.origin}&to={move.target}"
    return Scene(addresses, move, {state: game.slug for state, game in games.items()})


def game_at(players: list[Player], plies: int) -> Game:
    """A game in which so many moves were played, and alice is to move."""
    game = make_game(*players, at=timezone.now())
    number = game.seats.get(player=players[0]).number or 0
    opening = rules.random_opening(random.Random(SEED), seats=len(players))
    first = (number - plies) % len(players)
    mover = game.seats.get(number=first).player
    Game.objects.filter(pk=game.pk).update(huts=opening.huts, first=first, to_move=first, awaited=mover)
    rng = random.Random(SEED)
    for _ply in range(plies):
        game.refresh_from_db()
        move, seat = some_move(game.position(), rng), game.seats.get(number=game.to_move)
        play.play_move(game, seat=seat, move=move, ply=game.ply, key=f"hand-{game.ply}", at=timezone.now())
    game.refresh_from_db()
    return game


def game_that_asks(players: list[Player]) -> tuple[Game, rules.Move]:
    """A game in which alice can found several villages by one move, and that move."""
    for plies in range(10, 30):
        game = game_at(players, plies)
        move = some_move(game.position(), random.Random(SEED))
        if move.order:
            return game, move
        game.delete()
    raise AssertionError("no order is asked for")


# --- The first screen ------------------------------------------------------------------------------


def open_state(two: Hotseat, page: Page, scene: Scene, state: str) -> None:
    page.goto(two.site.url + scene.addresses[state])
    page.evaluate("document.fonts.ready")
    expect(page.locator(".prompt-step > p, .prompt-step .action-bar > *").first).to_be_visible()
    if state == "six moved":
        page.evaluate("document.querySelector('#move [name=ply]').value -= 6")
        page.get_by_role("button", name="Move ").tap()
        expect(page.locator(".missed li")).to_have_count(6)
        expect(page.get_by_role("alert")).to_be_visible()


STATES = ("nobody moved", "one moved", "two moved", "six moved", "an origin", "a target", "an order")


def look_at(two: Hotseat, page: Page, scene: Scene, *, size: str, states: tuple[str, ...]) -> None:
    width, height = SIZES[size]
    page.set_viewport_size(ViewportSize(width=width, height=height))
    for state in states:
        open_state(two, page, scene, state)
        assert (state, faults(page)) == (state, [])
        assert page.evaluate("[scrollY, document.scrollingElement.scrollWidth]") == [0, width]


@pytest.mark.parametrize("size", SIZES)
def test_it_shows_line_board_and_bar_at_once(two: Hotseat, page: Page, scene: Scene, size: str) -> None:
    look_at(two, page, scene, size=size, states=("two moved", "six moved", "an order"))


@pytest.mark.parametrize("size", SIZES)
def test_it_shows_them_in_every_state(two: Hotseat, page: Page, scene: Scene, size: str) -> None:
    look_at(two, page, scene, size=size, states=STATES)


def test_it_shows_them_without_script(two: Hotseat, page: Page, scene: Scene, browser: Browser) -> None:
    with plain(browser, page) as bare:
        bare.goto(two.site.url + scene.addresses["one moved"])
        assert faults(bare) == []
        move = rules.legal_moves(at_the_database(two.site, two.unblock, lambda: position_of(scene, "one moved")))[40]
        bare.touchscreen.tap(*huts_at(bare, move.origin))
        bare.wait_for_url(re.compile(f"from={move.origin}"))
        bare.touchscreen.tap(*huts_at(bare, move.target))
        bare.wait_for_url(re.compile(f"to={move.target}"))
        expect(bare.locator(".clans-board")).to_be_in_viewport(ratio=0.99)
        expect(bare.get_by_role("button", name=f"Move {move}")).to_be_in_viewport(ratio=1)
        bare.goto(two.site.url + scene.addresses["an order"])
        assert faults(bare) == []
        bare.get_by_role("button", name="Move ").tap()
        expect(bare.get_by_role("alert")).to_be_in_viewport()
        expect(bare.get_by_role("radio").first).to_be_visible()


def position_of(scene: Scene, state: str) -> rules.Position:
    return Game.objects.get(slug=scene.slugs[state]).position()


@contextmanager
def plain(browser: Browser, page: Page, **options: Any) -> Iterator[Page]:
    """A phone without script at which alice has signed in."""
    device = PHONE | {"viewport": {"width": 390, "height": 664}, "java_script_enabled": False}
    with browser.new_context(**device, storage_state=page.context.storage_state()) as context:
        context.set_default_timeout(15_000)
        yield context.new_page()


# --- Fingers ---------------------------------------------------------------------------------------


def swipe(finger: Finger, x: float, y: float) -> None:
    finger.touch("touchStart", (x, y))
    for step in range(1, 8):
        finger.touch("touchMove", (x, y - 15 * step))
    finger.touch("touchEnd")


def test_it_scrolls_by_a_swipe_that_begins_anywhere_on_the_board(two: Hotseat, page: Page, scene: Scene) -> None:
    open_state(two, page, scene, "nobody moved")
    box = page.locator("svg.clans-board").bounding_box()
    assert box
    finger, points = Finger(page), [(x, y) for y in (0.4, 0.65, 0.9) for x in (0.12, 0.37, 0.62, 0.87)]
    huts = [name for name in rules.STANDARD.board.names if rules.STANDARD.board.names.index(name) % 5 == 0]
    for x, y in [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in points] + [
        huts_at(page, name) for name in huts
    ]:
        page.evaluate("scrollTo(0, 0)")
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


def test_it_zooms_the_board_alone_by_two_fingers(two: Hotseat, page: Page, scene: Scene) -> None:
    open_state(two, page, scene, "nobody moved")
    finger, (x, y) = Finger(page), huts_at(page, "F3")
    finger.touch("touchStart", (x - 20, y))
    finger.touch("touchStart", (x - 20, y), (x + 20, y))
    for step in range(1, 9):
        finger.touch("touchMove", (x - 20 - 5 * step, y), (x + 20 + 5 * step, y))
    finger.touch("touchEnd")
    board, shown = scale_of(page)
    assert (round(board, 1), shown) == (3.0, 1)
    there = page.evaluate("clans.board.boxOf('F3')")
    assert hypot(there["x"] - x, there["y"] - y) < 2
    assert faults(page) == []
    finger.slide((x, y), (x - 30, y - 40))
    finger.touch("touchEnd")
    there = page.evaluate("clans.board.boxOf('F3')")
    assert hypot(there["x"] - x + 30, there["y"] - y + 40) < 2
    assert page.evaluate("scrollY") == 0
    page.touchscreen.tap(there["x"], there["y"])
    expect(page.locator("#step")).to_contain_text("F3, ")
    page.get_by_role("button", name="Whole board").tap()
    assert scale_of(page) == [1, 1]
    expect(page.get_by_role("button", name="Whole board")).to_be_hidden()


def test_it_takes_huts_by_a_short_hold_or_once_they_are_chosen(two: Hotseat, page: Page, scene: Scene) -> None:
    open_state(two, page, scene, "nobody moved")
    move = rules.legal_moves(at_the_database(two.site, two.unblock, lambda: position_of(scene, "nobody moved")))[40]
    finger, start, end = Finger(page), huts_at(page, move.origin), huts_at(page, move.target)
    finger.touch("touchStart", start)
    expect(page.locator(".lifted")).to_have_count(1)
    finger.touch("touchMove", end)
    finger.touch("touchMove", end)
    expect(page.locator(".board-label")).to_contain_text(f"{move.origin}–{move.target}: ")
    finger.touch("touchEnd")
    expect(page.get_by_role("button", name=f"Move {move}")).to_be_in_viewport(ratio=1)
    page.get_by_role("link", name="Let go", exact=True).tap()
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


def test_it_has_room_for_a_finger_where_territories_are_smallest(two: Hotseat, page: Page, scene: Scene) -> None:
    page.set_viewport_size(ViewportSize(width=360, height=640))
    page.emulate_media(reduced_motion="reduce")
    open_state(two, page, scene, "nobody moved")
    places = choose(page, "K3")
    assert apart(places) >= 43.9
    assert faults(page) == []
    x, y = places["K4"]
    page.touchscreen.tap(x - 15, y + 15)
    expect(page.get_by_role("button", name="Move K3-K4")).to_be_in_viewport(ratio=1)


def test_it_scrolls_by_a_swipe_when_it_has_come_closer_by_itself(two: Hotseat, page: Page, scene: Scene) -> None:
    page.set_viewport_size(ViewportSize(width=360, height=640))
    open_state(two, page, scene, "nobody moved")
    choose(page, "K3")
    expect(page.locator(".is-zoomed")).to_have_count(1)
    swipe(Finger(page), 40, 320)
    page.wait_for_function("scrollY > 60")


def test_the_list_is_as_it_is_meant_when_it_is_opened(two: Hotseat, page: Page, scene: Scene) -> None:
    open_state(two, page, scene, "nobody moved")
    choose(page, "K3")
    page.get_by_text("The board as a list").tap()
    expect(page.locator("#as-list a[href$='?from=K3&to=K4']")).to_contain_text("To K4")


def test_it_has_room_for_a_finger_everywhere(two: Hotseat, page: Page, scene: Scene) -> None:
    page.set_viewport_size(ViewportSize(width=360, height=640))
    page.emulate_media(reduced_motion="reduce")
    open_state(two, page, scene, "nobody moved")
    for origin in page.evaluate("clans.draft.origins"):
        places = choose(page, origin)
        box = page.locator(".board-frame").bounding_box()
        assert box
        assert (origin, apart(places) >= 43.9) == (origin, True)
        for x, y in places.values():
            assert box["x"] <= x <= box["x"] + box["width"]
            assert box["y"] <= y <= box["y"] + box["height"]
        page.get_by_role("link", name="Let go", exact=True).tap()
        expect(page.locator("#step")).to_contain_text("Which huts")


# --- Several villages at once ----------------------------------------------------------------------


def test_it_asks_for_an_order_in_the_bar(two: Hotseat, page: Page, scene: Scene) -> None:
    open_state(two, page, scene, "an order")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.method) if request.method == "POST" else None)
    chosen, move = page.locator("[data-chosen]"), scene.move
    names = ", ".join(sorted(move.order))
    expect(chosen).to_have_text(f"In which order? Tap {names}.")
    page.get_by_role("button", name="Move ").tap()
    expect(chosen).to_have_text(f"Not yet. In which order? Tap {names}.")
    assert "POST" not in asked
    for name in move.order[:-1]:
        page.touchscreen.tap(*huts_at(page, name))
    expect(chosen).to_contain_text(re.compile(rf"^{move.order[0]} \(.* then {move.order[1]} \(.*: .*\+\d"))
    assert faults(page) == []
    expect(page.get_by_role("radio", checked=True)).to_have_attribute("value", ",".join(move.order))


# --- After the move, and from a mail ---------------------------------------------------------------


def test_it_says_what_was_played_and_leads_on(two: Hotseat, page: Page, scene: Scene) -> None:
    open_state(two, page, scene, "two moved")
    game = at_the_database(two.site, two.unblock, lambda: position_of(scene, "two moved"))
    move = rules.legal_moves(game)[0]
    page.touchscreen.tap(*huts_at(page, move.origin))
    expect(page.locator("#step")).to_contain_text("Where to?")
    box = page.evaluate("name => clans.board.boxOf(name)", move.target)
    page.touchscreen.tap(box["x"], box["y"])
    page.get_by_role("button", name=f"Move {move}").tap()
    bar = page.locator(".bar-waits")
    expect(bar).to_contain_text(f"Played {move}.")
    expect(bar).to_be_in_viewport(ratio=1)
    assert faults(page) == []
    assert page.evaluate("scrollY") == 0
    before = page.url
    bar.get_by_role("link", name=re.compile(r"^Next table \(\d\)")).tap()
    expect(page.locator(".turn-line")).to_contain_text("Your move, until ")
    assert page.url != before


def test_it_leads_back_to_the_draft_who_must_sign_in_first(
    two: Hotseat, page: Page, scene: Scene, browser: Browser
) -> None:
    address = scene.addresses["a target"]
    # A page that asks for news meanwhile, while the password is stored in another way, would be signed out.
    page.goto("about:blank")
    with browser.new_context(**PHONE) as context:
        context.set_default_timeout(15_000)
        page = context.new_page()
        page.goto(two.site.url + address)
        expect(page.locator("main")).not_to_contain_text("alice?")
        page.get_by_role("link", name="Sign in to move").tap()
        expect(page.get_by_role("button", name="Use a passkey")).to_be_visible()
        expect(page.get_by_role("link", name="Mail me a code")).to_be_visible()
        page.get_by_label("E-mail address or user name").fill("alice")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).tap()
        page.wait_for_url(two.site.url + address)
        expect(page.get_by_role("button", name="Move ")).to_be_in_viewport(ratio=1)
    # The site has stored the password by its own hasher, which signs alice out of the page of the other tests.
    at_the_database(two.site, two.unblock, lambda: Player.objects.filter(username="alice").update(password=QUICK_HASH))


def test_day_and_night_are_chosen_at_its_foot(two: Hotseat, scene: Scene, page: Page) -> None:
    """For the header, which has no room, and by the very buttons; a wide page has them in its header alone."""
    page.goto(two.site.url + scene.addresses["one moved"])
    chosen = page.get_by_role("button", name="Night", exact=True)
    box = chosen.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 44
    chosen.tap()
    expect(page.locator("html")).to_have_attribute("data-theme", "night")
    assert page.url == two.site.url + scene.addresses["one moved"]
    expect(page.get_by_role("button", name="Night", exact=True)).to_have_attribute("aria-current", "true")
    page.get_by_role("button", name="As the system says").tap()
    expect(page.locator("html[data-theme]")).to_have_count(0)
    page.set_viewport_size(ViewportSize(width=1440, height=900))
    expect(page.get_by_role("group", name="Day or night")).to_have_count(0)
    page.locator(".site-theme > summary").click()
    expect(page.get_by_role("button", name="Night", exact=True)).to_have_count(1)
