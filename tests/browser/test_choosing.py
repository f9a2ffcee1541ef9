"""What happens between choosing a move and playing it: letting go, the draft, the focus, the list of keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django import DjangoDbBlocker

from games import rules
from games.drawing import outlines_of
from tests.browser.hotseat import PHONE, Hotseat, hotseat, huts_at
from tests.browser.test_hands import walk
from tests.servers import Site


@pytest.fixture
def table(browser: Browser, web: Site, django_db_blocker: DjangoDbBlocker) -> Iterator[Hotseat]:
    with hotseat(browser, web, django_db_blocker) as table:
        yield table
        assert [seat.trouble for seat in table.seats] == [[], []]


def some_move(table: Hotseat) -> rules.Move:
    return rules.legal_moves(table.position)[40]


def take(page: Page, move: rules.Move, *, to: str) -> None:
    """Drag the huts of a move to some territory, without putting them down."""
    page.locator("svg.clans-board").scroll_into_view_if_needed()
    page.mouse.move(*huts_at(page, move.origin))
    page.mouse.down()
    page.mouse.move(*huts_at(page, to), steps=3)


def test_it_lets_go_of_huts_that_are_dropped_elsewhere_or_by_escape(table: Hotseat) -> None:
    page, move = table.turn().page, some_move(table)
    far = next(
        name
        for name in reversed(rules.STANDARD.board.names)
        if rules.Move(move.origin, name) not in rules.legal_moves(table.position)
    )
    take(page, move, to=far)
    expect(page.locator(".lifted")).to_have_count(1)
    page.mouse.up()
    expect(page.locator(".lifted, .mark-chosen")).to_have_count(0)
    take(page, move, to=move.target)
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(page.locator(".lifted, .mark-chosen, form#move")).to_have_count(0)
    expect(page.get_by_role("status").last).to_have_text("Canceled.")


def test_it_keeps_the_draft_over_a_reload_and_the_focus_at_every_step(table: Hotseat) -> None:
    page, move = table.turn().page, some_move(table)
    walk_there(page, move.origin)
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").last).to_contain_text("Where to? Targets: ")
    assert page.evaluate("clans.board.focused()") == move.origin
    walk(page, move.target)
    page.keyboard.press("Enter")
    button = page.get_by_role("button", name=f"Move {move}").first
    expect(button).to_be_focused()
    page.wait_for_url(re.compile(f"from={move.origin}&to={move.target}"))
    page.reload()
    expect(button).to_be_visible()
    button.focus()
    page.keyboard.press("Escape")
    assert page.evaluate("clans.board.focused()") == move.origin


def test_the_focus_goes_to_the_targets_for_who_wants_another_one(table: Hotseat) -> None:
    page, move = table.turn().page, some_move(table)
    button, targets = page.get_by_role("button", name=f"Move {move}").first, page.locator(".targets a")
    walk_there(page, move.origin)
    page.keyboard.press("Enter")
    walk(page, move.target)
    page.keyboard.press("Enter")
    expect(button).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Another target")).to_be_focused()
    page.keyboard.press("Enter")
    expect(targets.first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#move .button").first).to_be_focused()
    page.go_back()
    expect(targets.first).to_be_focused()
    expect(page.get_by_role("status").last).to_contain_text("Where to? Targets: ")


def walk_there(page: Page, territory: str) -> None:
    while not page.evaluate("clans.board.focused()"):
        page.keyboard.press("Tab")
    walk(page, territory)


def test_it_lists_the_keys_and_leaves_single_ones_alone_for_who_wishes_so(table: Hotseat) -> None:
    page = table.turn().page
    address = page.url
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard")
    expect(dialog).to_be_visible()
    # At its end it would begin scrolled down on a low screen, and be read out from there.
    expect(dialog.get_by_role("heading")).to_be_focused()
    page.get_by_role("checkbox").uncheck()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.keyboard.press("?")
    page.keyboard.type("c4")
    expect(page.locator("#written")).to_have_value("")
    expect(dialog).to_be_hidden()
    page.goto(f"{address}ply/0/try/")
    page.get_by_role("button", name="Keyboard").click()
    expect(dialog).to_contain_text("Write a move")
    page.get_by_role("checkbox").check()
    page.keyboard.press("Escape")
    page.keyboard.type("c4")
    expect(page.locator("#written")).to_have_value("c4")


def test_a_move_that_is_written_leaves_in_sight_what_is_asked_and_whose_turn_it_is(table: Hotseat) -> None:
    page, move = table.turn().page, some_move(table)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.keyboard.type(move.origin.lower())
    for part in ("#written", "#step"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    page.keyboard.type(move.target.lower())
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=f"Move {move}")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Enter")
    heading = page.get_by_role("heading", name="’s move.")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport(ratio=1)


def test_it_plays_at_once_for_who_confirms_nothing(
    browser: Browser, web: Site, django_db_blocker: DjangoDbBlocker
) -> None:
    with hotseat(browser, web, django_db_blocker, confirms_moves=False) as table:
        seat, move = table.turn(), some_move(table)
        take(seat.page, move, to=move.target)
        seat.page.mouse.up()
        expect(seat.page.locator("#turn")).to_contain_text("’s move.")
        assert seat.asked_once()
        assert seat.trouble == []


def test_it_shows_on_a_phone_what_a_move_led_to(
    browser: Browser, web: Site, django_db_blocker: DjangoDbBlocker
) -> None:
    """What is chosen in the list below is confirmed in the bar; after that the page begins at its top."""
    with hotseat(browser, web, django_db_blocker, device=PHONE) as table:
        page, move = table.turn().page, some_move(table)
        page.goto(f"{page.url}?from={move.origin}")
        page.get_by_role("heading", name="The board as a list").tap()
        page.get_by_role("listitem").get_by_role("link", name=re.compile(f"^To {move.target}, ")).last.tap()
        button = page.get_by_role("button", name=f"Move {move}")
        expect(button).to_be_focused()
        expect(button).to_be_in_viewport(ratio=1)
        button.tap()
        expect(page.locator("#turn")).to_contain_text("’s move.")
        expect(page.locator(".turn-line")).to_be_in_viewport(ratio=1)


def test_it_says_on_a_phone_why_what_was_written_is_refused(
    browser: Browser, web: Site, django_db_blocker: DjangoDbBlocker
) -> None:
    with hotseat(browser, web, django_db_blocker, device=PHONE) as table:
        page, move = table.turn().page, some_move(table)
        field, alert = page.locator("#written"), page.get_by_role("alert")
        for address in (page.url, f"{page.url}ply/0/try/"):
            page.goto(address)
            expect(page.locator(".prompt .label", has_text=table.game.name)).to_have_css("text-transform", "none")
            field.fill("A1-L5")
            page.get_by_role("button", name="Show what it would do").tap()
            expect(alert).to_contain_text("not neighbors")
            expect(alert).to_be_in_viewport(ratio=1)
            expect(field).to_be_in_viewport(ratio=1)
            expect(field).to_have_value("A1-L5")
            field.fill(str(move))
            page.keyboard.press("Enter")
            expect(alert).to_have_count(0)
        page.goto(address)
        field.fill(move.origin)
        page.evaluate("scrollTo(0, 316)")
        page.get_by_role("button", name="Show what it would do").tap()
        expect(page.locator(".trial .targets a").first).to_be_focused()
        expect(page.locator(".trial [data-say]", has_text="Where to?")).to_be_in_viewport(ratio=1)


def test_what_is_refused_and_another_draft_are_not_on_the_page_at_once(table: Hotseat) -> None:
    page, move = table.turn().page, some_move(table)
    address, alert = page.url, page.get_by_role("alert")
    page.goto(f"{address}?from={move.origin}&to={move.target}")
    page.locator("#written").fill("nowhere")
    page.get_by_role("button", name="Show what it would do").click()
    expect(alert).to_contain_text("is no move")
    expect(page.locator("#step")).to_contain_text("Which huts do you move?")
    page.goto(f"{address}?move=nowhere")
    page.mouse.click(*huts_at(page, move.origin))
    expect(page.locator("#step")).to_contain_text("Where to?")
    expect(alert).to_have_count(0)


def test_it_offers_no_list_of_keys_where_there_is_no_mouse(
    browser: Browser, web: Site, django_db_blocker: DjangoDbBlocker
) -> None:
    with hotseat(browser, web, django_db_blocker, device=PHONE) as table:
        page = table.turn().page
        expect(page.locator(".clans-board.has-hands")).to_be_visible()
        expect(page.locator("[data-keys]")).to_be_hidden()


@pytest.mark.parametrize("device", [{}, PHONE], ids=["mouse", "touch"])
def test_a_wrong_target_says_why_when_trying_out(
    browser: Browser, web: Site, django_db_blocker: DjangoDbBlocker, device: dict[str, Any]
) -> None:
    with hotseat(browser, web, django_db_blocker, device=device) as table:
        page, move = table.turn().page, some_move(table)
        page.goto(f"{page.url}ply/0/try/?line={move}")
        near = {move.origin, move.target, *rules.STANDARD.board.neighbors_of(move.origin)}
        origin = next(legal.origin for legal in rules.legal_moves(table.position) if legal.origin not in near)
        for name in (origin, move.origin):
            land = page.locator(f"#board [data-territory={name}]")
            (land.tap if device else land.click)()
            expect(page).to_have_url(re.compile(f"={name}"))
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text("not neighbors")
        expect(alert).to_be_in_viewport(ratio=1)
        expect(page.locator(".trial .targets a").first).to_be_visible()


def test_it_replays_by_keys(table: Hotseat) -> None:
    page, move = table.turn().page, some_move(table)
    address = page.url
    page.goto(f"{address}?from={move.origin}&to={move.target}")
    page.get_by_role("button", name=f"Move {move}").first.click()
    expect(page.locator(".history > li")).to_have_count(1)
    page.goto(f"{address}ply/0/")
    for key, ply in (("ArrowRight", 1), ("ArrowLeft", 0), ("End", 1), ("Home", 0)):
        page.keyboard.press(key)
        expect(page.locator(".plies-here")).to_have_text(f"Move {ply} of 1")


def test_it_says_why_huts_cannot_go_somewhere(table: Hotseat) -> None:
    page, move = table.turn().page, some_move(table)
    alert = page.locator("#step").get_by_role("alert")
    board = rules.STANDARD.board
    far = next(name for name in reversed(board.names) if name not in (move.origin, *board.neighbors_of(move.origin)))
    said = str(refused(table.position, rules.Move(move.origin, far)))
    take(page, move, to=far)
    page.mouse.up()
    expect(alert).to_have_text(said)
    expect(page.locator(".board-label")).to_have_text(said)
    expect(page.locator(".lifted, .mark-chosen")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(alert).to_have_count(0)
    expect(page.locator(".board-label")).to_be_hidden()
    take(page, move, to=far)
    page.mouse.up()
    expect(alert).to_have_text(said)
    take(page, move, to=move.target)
    page.mouse.up()
    expect(alert).to_have_count(0)
    page.keyboard.press("Escape")
    walk_there(page, move.origin)
    page.keyboard.press("Enter")
    expect(alert).to_have_count(0)


def test_what_a_move_does_never_covers_the_huts_that_move(table: Hotseat) -> None:
    page, label = table.turn().page, table.turn().page.locator(".board-label")
    spots = outlines_of(rules.STANDARD.board).territories
    # The label would stand above the target, where these huts come from.
    steep = [
        move
        for move in rules.legal_moves(table.position)
        if spots[move.target].huts[1] > spots[move.origin].huts[1]
        and abs(spots[move.target].huts[0] - spots[move.origin].huts[0]) < 40
    ]
    for move in (steep[0], steep[-1], rules.Move(steep[0].target, steep[0].origin)):
        page.mouse.click(*huts_at(page, move.origin))
        page.mouse.move(*huts_at(page, move.target), steps=3)
        expect(label).to_contain_text(f"{move.origin}–{move.target}: ")
        box, (x, y) = label.bounding_box(), huts_at(page, move.origin)
        assert box
        assert not (box["x"] < x < box["x"] + box["width"] and box["y"] - 12 < y < box["y"] + box["height"] + 12)
        page.keyboard.press("Escape")


def refused(position: rules.Position, move: rules.Move) -> rules.IllegalMove:
    with pytest.raises(rules.IllegalMove) as error:
        rules.play(position, move)
    return error.value


def test_it_takes_back_the_last_choice_by_going_back(table: Hotseat) -> None:
    seat, move = table.turn(), some_move(table)
    page, address = seat.page, seat.page.url
    page.goto(f"{address}ply/0/")
    page.goto(address)
    step = page.locator("#step")
    for _time in range(2):
        walk_there(page, move.origin)
        page.keyboard.press("Enter")
        expect(step).to_contain_text("Where to?")
        page.locator(f".targets a[href$='to={move.target}']").click()
        expect(page.get_by_role("button", name=f"Move {move}").first).to_be_visible()
        page.wait_for_url(re.compile(f"from={move.origin}&to={move.target}$"))
        seat.asked.clear()
        page.go_back()
        expect(step).to_contain_text("Where to?")
        page.wait_for_url(re.compile(f"from={move.origin}$"))
        page.go_back()
        expect(step).to_contain_text("Which huts do you move?")
        page.wait_for_url(address)
        assert seat.asked == []
    page.go_back()
    page.wait_for_url(f"{address}ply/0/")


def test_it_leaves_no_choice_behind_in_the_history(table: Hotseat) -> None:
    seat, move = table.turn(), some_move(table)
    page, address = seat.page, seat.page.url
    page.goto(f"{address}ply/0/")
    page.goto(address)
    take(page, move, to=move.target)
    page.mouse.up()
    page.wait_for_url(re.compile(f"from={move.origin}&to={move.target}$"))
    page.keyboard.press("Escape")
    page.wait_for_url(address)
    take(page, move, to=move.target)
    page.mouse.up()
    page.get_by_role("button", name=f"Move {move}").first.click()
    expect(page.locator("#turn")).to_contain_text("’s move.")
    page.wait_for_url(address)
    page.go_back()
    page.wait_for_url(f"{address}ply/0/")


@pytest.mark.parametrize("has_script", [True, False])
def test_it_speaks_of_dragging_only_where_a_script_lets_one(browser: Browser, table: Hotseat, has_script: bool) -> None:
    page = table.turn().page
    with browser.new_context(storage_state=page.context.storage_state(), java_script_enabled=has_script) as context:
        read = context.new_page()
        read.goto(page.url)
        expect(read.get_by_text("Choose their territory on the board")).to_be_visible()
        expect(read.get_by_text("You can also drag them.")).to_be_visible(visible=has_script)
