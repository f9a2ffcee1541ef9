"""Reading the board: what a territory tells to who only looks, by finger, mouse, keys, and without script."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import product
from math import dist
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from games import play, pov, rules, words
from games.drawing.outlines import outlines_of
from games.models import Game, Player
from tests.browser.hotseat import PHONE, SEED, WIDE, Hotseat, at_the_database, huts_at, sign_in, some_move
from tests.cast import make_game

pytestmark = pytest.mark.timeout(300)

HEAPS = 84
"""Of a game that has villages and, side by side, two groups that are too large to move anywhere else."""
UPRIGHT = PHONE | {"viewport": {"width": 390, "height": 664}}


@dataclass
class Place:
    """A page on which somebody only looks, and what is to be told there of each territory."""

    address: str
    told: dict[str, str]
    position: rules.Position | None = None


@dataclass
class Reader:
    """A page with what it asked for, what went wrong, and where it has been."""

    page: Page
    asked: list[str] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on("console", lambda said: self.trouble.append(said.text) if said.type == "error" else None)
        self.page.on("response", lambda answer: self.trouble.append(answer.url) if answer.status >= 400 else None)


@pytest.fixture(scope="module")
def places(two: Hotseat) -> dict[str, Place]:
    return at_the_database(two.site, two.unblock, set_tables)


def set_tables() -> dict[str, Place]:
    """A game in the middle that waits for bob, and one that is over."""
    running, finished, piled = played(plies=18), played(plies=60), played(plies=34, by=heaping, seed=HEAPS)
    table, end = running.get_absolute_url(), finished.get_absolute_url()
    steps = running.steps()
    line = rules.play(steps[-1].position, next(iter(rules.legal_moves(steps[-1].position))))
    assert not line.villages
    return {
        "waiting": Place(table, tell(running, steps)),
        "visiting": Place(table, tell(running, steps)),
        "finished": Place(end, tell(finished, finished.steps())),
        "replay": Place(f"{end}ply/12/", tell(finished, finished.steps()[:12])),
        "piled": Place(piled.get_absolute_url(), {}, position=piled.position()),
        "try-out": Place(f"{table}ply/{running.ply}/try/?line={line.move}", tell(running, [*steps, line])),
    }


def heaping(position: rules.Position, rng: random.Random) -> rules.Move:
    """A move that makes a large group, of some drawn by lot."""
    moves = [move for move in rules.legal_moves(position) if not rules.founding_orders(position, move)]
    rng.shuffle(moves)
    return max(moves[:6], key=lambda move: min(position.huts(move.origin) + position.huts(move.target), 9))


def played(
    *, plies: int, by: Callable[[rules.Position, random.Random], rules.Move] = some_move, seed: int = SEED
) -> Game:
    """A game of alice and bob after so many moves, or at its end; where it goes on, bob is to move."""
    players = [Player.objects.get(username=name) for name in ("alice", "bob")]
    game = make_game(*players, at=timezone.now())
    number = game.seats.get(player=players[1]).number or 0
    opening = rules.random_opening(random.Random(SEED), seats=2)
    first = (number - plies) % 2
    mover = game.seats.get(number=first).player
    Game.objects.filter(pk=game.pk).update(huts=opening.huts, first=first, to_move=first, awaited=mover)
    rng = random.Random(seed)
    for _ply in range(plies):
        game.refresh_from_db()
        if game.is_over:
            break
        move, seat = by(game.position(), rng), game.seats.get(number=game.to_move)
        play.play_move(game, seat=seat, move=move, ply=game.ply, key=f"reading-{game.ply}", at=timezone.now())
    game.refresh_from_db()
    return game


def tell(game: Game, steps: list[rules.Step]) -> dict[str, str]:
    told = words.tell_board(steps[-1].position, pov.look(game, viewer=None).seats, steps)
    return dict(zip(rules.STANDARD.board.names, told, strict=True))


@pytest.fixture
def open_page(two: Hotseat, browser: Browser) -> Iterator[Any]:
    """Opens a page with a device of a kind, signed in as alice where she waits."""
    with ExitStack() as stack:

        def opens(place: Place, state: str, **device: Any) -> Reader:
            context = browser.new_context(**device)
            stack.callback(context.close)
            who = {"waiting": "alice", "piled": "bob"}.get(state)
            if who:
                key = at_the_database(two.site, two.unblock, lambda: sign_in(Player.objects.get(username=who)))
                context.add_cookies([{"name": "sessionid", "value": key, "url": two.site.url}])
            reader = Reader(context.new_page())
            reader.page.goto(two.site.url + place.address)
            reader.page.evaluate("document.fonts.ready")
            return reader

        yield opens


def some_of_each_kind(place: Place) -> list[str]:
    """A village, a ruin, a group and empty land, as far as there are any."""
    kinds = (": village that", ": ruin of", r": \d+ .*huts?", ": empty")
    found = [next((name for name, text in place.told.items() if re.search(kind, text)), "") for kind in kinds]
    return [name for name in found if name]


STATES = ("waiting", "visiting", "finished", "replay", "try-out")


@pytest.mark.parametrize("state", STATES)
def test_it_tells_by_a_tap_and_leads_nowhere(
    two: Hotseat, places: dict[str, Place], open_page: Any, state: str
) -> None:
    place = places[state]
    reader = open_page(place, state, **UPRIGHT)
    page, told = reader.page, reader.page.locator("#told")
    expect(told).to_have_text(re.compile("^Choose a territory"))
    page.evaluate("document.querySelector('svg.clans-board').scrollIntoView({ block: 'start' })")
    address = page.url
    reader.asked.clear()
    names = some_of_each_kind(place)
    if state == "try-out":  # A tap on what can move chooses it there.
        names = [name for name in names if "huts no longer" in place.told[name].lower()]
    assert len(names) >= 2
    for name in names:
        page.touchscreen.tap(*huts_at(page, name))
        expect(told).to_have_text(place.told[name])
        expect(told).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("status").filter(has_text=place.told[name])).to_have_count(1)
        expect(page.locator(".mark-chosen")).to_have_attribute("href", re.compile(f"#{name}$"))
    page.wait_for_timeout(300)
    assert [
        url for url in reader.asked if not url.endswith("/poll/") and "/seen/" not in url and "/poll/" not in url
    ] == []
    assert (page.url, reader.trouble) == (address, [])


@pytest.mark.parametrize("state", STATES)
def test_it_tells_beside_the_mouse_and_by_keys(places: dict[str, Place], open_page: Any, state: str) -> None:
    place = places[state]
    reader = open_page(place, state, **WIDE)
    page, note = reader.page, reader.page.locator(".board-label")
    page.locator("svg.clans-board").scroll_into_view_if_needed()
    for name in some_of_each_kind(place):
        page.mouse.move(*huts_at(page, name))
        expect(note).to_have_text(place.told[name])
    page.mouse.move(1270, 5)
    expect(note).to_be_hidden()
    page.locator("[data-territory][tabindex='0']").focus()
    first = page.evaluate("clans.board.focused()")
    expect(note).to_have_text(place.told[first])
    page.keyboard.press("ArrowDown")
    second = page.evaluate("clans.board.focused()")
    assert second not in ("", first)
    expect(note).to_have_text(place.told[second])
    expect(page.locator(".mark-chosen")).to_have_attribute("href", re.compile(f"#{second}$"))
    page.keyboard.press("Escape")
    expect(note).to_be_hidden()
    assert reader.trouble == []


@pytest.mark.parametrize("state", STATES)
def test_it_leads_to_the_words_in_the_list_without_script(places: dict[str, Place], open_page: Any, state: str) -> None:
    place = places[state]
    reader = open_page(place, state, **UPRIGHT, java_script_enabled=False)
    page, name = reader.page, next(name for name, text in place.told.items() if ": village that" in text)
    page.locator("svg.clans-board").scroll_into_view_if_needed()
    page.touchscreen.tap(*huts_at(page, name))
    page.wait_for_url(f"**#{name}")
    expect(page.locator(f"li[id='{name}']")).to_contain_text(place.told[name])
    expect(page.locator(f"li[id='{name}']")).to_be_in_viewport(ratio=1)
    assert reader.trouble == []


# --- Wrong targets ---------------------------------------------------------------------------------


def refusal(position: rules.Position, origin: str, target: str) -> rules.IllegalMove | None:
    try:
        rules.play(position, rules.Move(origin, target))
    except rules.FoundingOrderError:
        return None
    except rules.IllegalMove as error:
        return error
    return None


def test_it_says_why_huts_cannot_go_somewhere_in_the_words_of_the_rules(
    places: dict[str, Place], open_page: Any
) -> None:
    position, names = places["piled"].position, rules.STANDARD.board.names
    assert position
    page = open_page(places["piled"], "piled", **WIDE).page
    refused = {(origin, target): refusal(position, origin, target) for origin in names for target in names}
    errors = {pair: error for pair, error in refused.items() if error and error.code != "same-territory"}
    assert {error.code for error in errors.values()} == {
        *("from-village", "into-village", "not-neighbors", "empty-origin", "empty-target"),
        *("too-large", "larger-onto-smaller"),
    }
    said = page.evaluate(
        "pairs => pairs.map(([from, to]) => clans.draft.why(from, to))", [list(pair) for pair in errors]
    )
    assert dict(zip(errors, said, strict=True)) == {pair: str(error) for pair, error in errors.items()}


def test_it_reads_out_what_a_draft_would_do_sentence_by_sentence(places: dict[str, Place], open_page: Any) -> None:
    position = places["piled"].position
    assert position
    page = open_page(places["piled"], "piled", **WIDE).page
    move = next(
        move
        for move in rules.legal_moves(position)
        if not rules.founding_orders(position, move) and rules.play(position, move).villages
    )
    page.locator("#written").fill(str(move))
    page.keyboard.press("Enter")
    told = page.locator("#step .preview p").all_text_contents()
    assert len(told) >= 4
    says = " ".join(" ".join(told).split())
    expect(page.get_by_role("status").filter(has_text=f"{move.origin} to {move.target}")).to_have_text(says)


FAR_FROM_TARGETS = """
() => {
  const { board, draft } = clans;
  const frame = document.querySelector(".board-frame").getBoundingClientRect();
  const meant = [draft.origin, ...draft.targets, ...draft.origins].map(board.boxOf);
  for (const name of board.names) {
    const { x, y } = board.boxOf(name);
    const isSeen = x > frame.left + 9 && x < frame.right - 9 && y > frame.top + 9 && y < frame.bottom - 9;
    if (isSeen && meant.every((box) => Math.hypot(box.x - x, box.y - y) > 24)) return [name, x, y];
  }
}
"""


def test_it_says_in_the_bar_why_what_was_tapped_cannot_be_chosen(places: dict[str, Place], open_page: Any) -> None:
    position, board = places["piled"].position, rules.STANDARD.board
    assert position
    page = open_page(places["piled"], "piled", **UPRIGHT).page
    alert = page.locator("#step").get_by_role("alert")
    places_of = outlines_of(board).territories
    village, move = max(
        product((village.territory for village in position.villages), rules.legal_moves(position)),
        key=lambda pair: dist(places_of[pair[0]].huts, places_of[pair[1].origin].huts),
    )
    page.touchscreen.tap(*huts_at(page, village))
    expect(alert).to_have_text(f"{village} is a village: nothing can move out of it any more.")
    expect(alert).to_be_in_viewport(ratio=1)
    page.touchscreen.tap(*huts_at(page, move.origin))
    expect(alert).to_have_count(0)
    # The board may have come closer: something in sight, away from what the finger would take instead.
    name, x, y = page.evaluate(FAR_FROM_TARGETS)
    page.touchscreen.tap(x, y)
    expect(alert).to_have_text(str(refusal(position, move.origin, name)))
    expect(alert).to_be_in_viewport(ratio=1)
