"""Where parts of pages stand beside each other, measured by the boxes of their elements in Chromium."""

from __future__ import annotations

from datetime import timedelta
from io import BytesIO
from typing import Any, Literal

import pytest
from django.test import Client
from django.utils import timezone
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django import DjangoDbBlocker

from games import play
from games.models import Game, Player
from tests.browser.hotseat import at_the_database
from tests.browser.looking import LINES, cookies_of, open_at
from tests.cast import AT, make_game, make_player, play_out, play_random, seat_to_move
from tests.servers import Site

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def page(browser: Browser) -> Any:
    with browser.new_context() as context:
        yield context.new_page()


def tops(found: Locator) -> list[float]:
    sides: list[float] = found.evaluate_all("(all) => all.map((one) => Math.round(one.getBoundingClientRect().top))")
    return sides


@pytest.mark.parametrize(("width", "rows"), [(768, [3, 2]), (959, [3, 2]), (960, [5]), (1024, [5]), (1280, [5])])
def test_no_step_of_the_first_page_stands_alone(page: Page, web: Site, width: int, rows: list[int]) -> None:
    open_at(page, web.url, width)
    found = tops(page.locator(".how > li"))
    assert [found.count(top) for top in sorted(set(found))] == rows
    open_at(page, f"{web.url}/practice/", width)
    widths = page.locator(".how > li").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().width)")
    assert min(widths) > 160


@pytest.mark.parametrize("width", [800, 1280])
def test_labels_and_choices_of_a_new_table_are_level(
    page: Page, web: Site, django_db_blocker: DjangoDbBlocker, width: int
) -> None:
    client = Client()
    at_the_database(web, django_db_blocker, lambda: client.force_login(make_player(f"alice{width}")))
    page.context.add_cookies(cookies_of(client, web.url))
    open_at(page, f"{web.url}/tables/new/", width)
    for part in ("legend", "label:has(input)"):
        found = tops(page.locator(f".new-table > .choices-row {part}"))
        assert len(found) > 1
        assert set(found) == {found[0]}, part


def test_the_fields_of_a_search_are_level(page: Page, web: Site) -> None:
    open_at(page, f"{web.url}/archive/?margin_from=1", 1280)
    assert len(set(tops(page.locator(".fields").first.locator("input, select")))) == 1


COVERED = """(fields) => fields.filter((field) => {
  field.focus();
  return field.getBoundingClientRect().bottom > document.querySelector('.form-actions').getBoundingClientRect().top;
}).map(({ name, value }) => `${name} ${value}`)"""
"""The fields of a form that its row of buttons hides from who goes through them by keyboard."""


@pytest.mark.parametrize(("width", "page_name"), [(360, "mail/"), (1280, "mail/"), (360, "")])
def test_the_button_of_a_long_form_stays_in_sight_and_covers_no_field_in_use(
    page: Page, web: Site, django_db_blocker: DjangoDbBlocker, width: int, page_name: str
) -> None:
    client = Client()
    at_the_database(web, django_db_blocker, lambda: client.force_login(make_player(f"long{width}{page_name[:4]}")))
    page.context.add_cookies(cookies_of(client, web.url))
    open_at(page, f"{web.url}/preferences/{page_name}", width)
    form = page.locator(".form:has(> .group)")
    assert page.evaluate("document.querySelector('.form').getBoundingClientRect().bottom > innerHeight")
    expect(form.get_by_role("button", name="Save")).to_be_in_viewport(ratio=1)
    fields = form.locator("input:not([type=hidden]), select")
    assert fields.count() > 5
    assert fields.evaluate_all(COVERED) == []


def test_the_page_for_frames_is_as_wide_as_its_board_can_be(
    page: Page, web: Site, django_db_blocker: DjangoDbBlocker
) -> None:
    game = at_the_database(
        web, django_db_blocker, lambda: play_out(make_game(make_player("dora"), make_player("emil")))
    )
    for width, least, most in ((360, 330, 336), (640, 600, 616), (1280, 640, 770), (1920, 640, 770)):
        open_at(page, f"{web.url}{game.get_absolute_url()}embed/", width)
        box = page.locator(".ledger").bounding_box()
        assert box
        assert least <= box["width"] <= most
        assert abs(2 * box["x"] + box["width"] - width) <= 1, "it stands in the middle"


def _two_that_wait_for_one() -> tuple[Game, Player]:
    """A table at which a player has to move, who has to move at another one, too."""
    fred, gina = make_player("fred"), make_player("gina")
    for _ in range(3):
        game = make_game(fred, gina)
        game.name = "Against the machine"
        game.save()
    mover = fred if Game.objects.awaiting(fred).count() > 1 else gina
    return Game.objects.awaiting(mover).first() or game, mover


def test_the_way_back_to_the_whole_board_is_one_line(page: Page, web: Site, django_db_blocker: DjangoDbBlocker) -> None:
    client = Client()
    game, mover = at_the_database(web, django_db_blocker, _two_that_wait_for_one)
    at_the_database(web, django_db_blocker, lambda: client.force_login(mover))
    page.context.add_cookies(cookies_of(client, web.url))
    open_at(page, web.url + game.get_absolute_url(), 360)
    page.evaluate("clans.board.near(['A1', 'A2', 'A3'])")
    expect(page.locator(".prompt-head .next")).to_be_visible()
    back = page.locator(".prompt-head [data-whole]")
    expect(back).to_be_visible()
    assert back.evaluate(LINES) == 1


def test_high_contrast_still_shows_which_page_is_open(
    page: Page, web: Site, django_db_blocker: DjangoDbBlocker
) -> None:
    """Such a theme draws what is transparent, too."""
    client = Client()
    at_the_database(web, django_db_blocker, lambda: client.force_login(make_player("contrast")))
    page.context.add_cookies(cookies_of(client, web.url))
    page.emulate_media(forced_colors="active")
    for address, links, mark in (
        ("/preferences/", ".subnav > a", "borderBottomColor"),
        ("/archive/", ".site-nav > a", "textDecorationLine"),
    ):
        open_at(page, web.url + address, 1280)
        here = page.locator(f"{links}[aria-current]").evaluate("(link, mark) => getComputedStyle(link)[mark]", mark)
        others = page.locator(f"{links}:not([aria-current])").evaluate_all(
            "(links, mark) => links.map((link) => getComputedStyle(link)[mark])", mark
        )
        assert len(others) > 2
        assert here not in others, address


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_high_contrast_shows_what_buttons_say(page: Page, web: Site, scheme: Literal["light", "dark"]) -> None:
    """Behind letters it lays paper of its own, which must not have the color of the letters."""
    page.emulate_media(forced_colors="active", color_scheme=scheme)
    open_at(page, web.url + "/accounts/login/", 1280)
    for button in page.locator("main .button").all():
        picture = Image.open(BytesIO(button.screenshot())).convert("L")
        width, height = picture.size
        grays = picture.crop((width // 4, height // 4, width * 3 // 4, height * 3 // 4)).histogram()
        assert any(grays[:60]), button.text_content()
        assert any(grays[190:]), button.text_content()


def test_nothing_scrolls_sideways_on_a_phone_with_letters_twice_as_large(
    page: Page, web: Site, django_db_blocker: DjangoDbBlocker
) -> None:
    client = Client()

    def begin() -> tuple[Game, Game]:
        players = make_player("annaliesel"), make_player("bertolduin")
        client.force_login(players[0])
        over = make_game(*players)
        play_out(over)
        return over, make_game(*players)

    over, running = at_the_database(web, django_db_blocker, begin)
    page.context.add_cookies(cookies_of(client, web.url))
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    tables = [over.get_absolute_url(), over.get_absolute_url() + "ply/20/", running.get_absolute_url()]
    paths = [
        "/",
        "/archive/",
        "/rules/",
        "/practice/",
        "/ratings/",
        "/tables/new/",
        "/preferences/",
        "/preferences/mail/",
    ]
    for path in [*paths, "/players/bertolduin/", *tables]:
        open_at(page, web.url + path, 360)
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
        widths = page.locator("[type=range]").evaluate_all("fields => fields.map((field) => field.offsetWidth)")
        assert all(width >= 96 for width in widths), path
        assert bool(widths) is ("ply" in path)


def test_the_result_keeps_its_numbers_whole_in_letters_twice_as_large(
    page: Page, web: Site, django_db_blocker: DjangoDbBlocker
) -> None:
    """Of 37 points the 3 stood above the 7."""

    def end() -> Game:
        return play_random(make_game(make_player("annaliese2"), make_player("bertoldui2"), bots=1))

    game = at_the_database(web, django_db_blocker, end)
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    open_at(page, web.url + game.get_absolute_url(), 360)
    numbers = page.locator(".standings td.num")
    assert any(len(number) > 1 for number in numbers.all_text_contents())
    assert set(numbers.evaluate_all(f"(all) => all.map({LINES})")) == {1}
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_points_of_somebody_with_a_short_name_stand_beside_it(
    page: Page, web: Site, django_db_blocker: DjangoDbBlocker
) -> None:
    """A name alone is at least as wide as a finger needs, which left a gap before the colon."""
    at_the_database(web, django_db_blocker, lambda: play_out(make_game(make_player("jo"), make_player("il"))))
    open_at(page, f"{web.url}/archive/?player=jo", 360)
    names = page.locator(".total .who")
    assert sorted(names.all_inner_texts()) == ["il", "jo"]
    assert all(
        width < 20 for width in names.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().width)")
    )


def test_one_line_ends_what_was_said_at_a_table(page: Page, web: Site, django_db_blocker: DjangoDbBlocker) -> None:
    """The part that holds it has one at its end, and the last postcard had one above that."""
    client = Client()

    def say() -> Game:
        game = make_game(player := make_player("xenia"), make_player("yves"))
        client.force_login(player)
        for words in ("One", "Two"):
            play.write_postcard(game, player=player, text=words, at=timezone.now())
        return game

    game = at_the_database(web, django_db_blocker, say)
    page.context.add_cookies(cookies_of(client, web.url))
    open_at(page, f"{web.url}{game.get_absolute_url()}", 360)
    lines = page.locator("#said > li").evaluate_all(
        "(all) => all.map((one) => parseFloat(getComputedStyle(one).borderBottomWidth))"
    )
    assert lines == [1, 0]


def test_what_is_said_beside_a_page_begins_level_with_it(page: Page, web: Site) -> None:
    open_at(page, f"{web.url}/practice/", 1280)
    assert len(set(tops(page.locator(".spread > *, .aside > :first-child")))) == 1


CLEAR = """(rows) => rows.map((row) => {
  const bonus = document.createRange();
  bonus.selectNodeContents(row.cells[3]);
  return row.querySelector(".chips").getBoundingClientRect().left - bonus.getBoundingClientRect().right;
})"""
"""How far the chips of each epoch are from its bonus."""


@pytest.mark.parametrize("width", [360, 960, 1280])
def test_the_bonus_of_an_epoch_is_clear_of_its_chips(
    page: Page, web: Site, django_db_blocker: DjangoDbBlocker, width: int
) -> None:
    game = at_the_database(
        web, django_db_blocker, lambda: make_game(make_player(f"nora{width}"), make_player(f"otto{width}"))
    )
    open_at(page, f"{web.url}{game.get_absolute_url()}", width)
    gaps = page.locator(".epochs tbody tr").evaluate_all(CLEAR)
    assert len(gaps) == 5
    assert min(gaps) >= 8


BEGINNINGS = """(all) => all.map((one) => {
  const words = document.createRange();
  words.selectNodeContents(one);
  return Math.round(words.getClientRects()[0].left);
})"""
"""Where the first line of each text begins."""


def play_until_one_resigns(width: int) -> tuple[Game, Client]:
    """A game of three, and a client of whom all that happened waits for."""
    game = play_random(make_game(*(make_player(f"{name}{width}") for name in ("ida", "kurt", "lena"))), 4)
    reader = seat_to_move(game).player
    leaver = game.seats.exclude(player=reader).latest("number").player
    assert reader
    assert leaver
    play.resign(game, player=leaver, at=AT + timedelta(days=1))
    (client := Client()).force_login(reader)
    return game, client


@pytest.mark.parametrize("width", [360, 1280])
def test_all_that_happened_meanwhile_begins_in_one_line(
    page: Page, web: Site, django_db_blocker: DjangoDbBlocker, width: int
) -> None:
    game, client = at_the_database(web, django_db_blocker, lambda: play_until_one_resigns(width))
    page.context.add_cookies(cookies_of(client, web.url))
    open_at(page, f"{web.url}{game.get_absolute_url()}", width)
    told = page.locator(".missed p:not(.label), .missed + .prompt-until")
    expect(told).to_have_count(4)
    assert len(set(told.evaluate_all(BEGINNINGS))) == 1


@pytest.mark.parametrize("width", [360, 1280])
def test_the_ways_in_without_a_password_stand_beside_each_other(page: Page, web: Site, width: int) -> None:
    open_at(page, f"{web.url}/accounts/login/", width)
    ways = page.locator(".otherwise .button")
    expect(ways.last).to_be_visible()
    assert len(set(tops(ways))) == 1
    form, last = page.locator(".form").bounding_box(), ways.last.bounding_box()
    assert form
    assert last
    assert abs(form["x"] + form["width"] - last["x"] - last["width"]) <= 1, "they are as wide as the fields above"


def test_to_sit_down_at_the_table_of_a_series_stands_clear_of_what_is_above(
    page: Page, web: Site, django_db_blocker: DjangoDbBlocker
) -> None:
    game = at_the_database(
        web, django_db_blocker, lambda: play.open_table(make_player("opal"), name="Row", size=2, games=2, at=AT)
    )
    open_at(page, f"{web.url}{game.get_absolute_url()}", 360)
    above, button = (
        page.locator(".prompt-until").bounding_box(),
        page.locator(".page-actions .button").first.bounding_box(),
    )
    assert above
    assert button
    assert button["y"] - above["y"] - above["height"] >= 12


def test_answers_to_an_invitation_stand_clear_of_the_next_one(
    page: Page, web: Site, django_db_blocker: DjangoDbBlocker
) -> None:
    """The buttons of one stood on the line of the other, and seemed to belong to it."""
    client = Client()

    def invite_to_two() -> None:
        host, guest = make_player("ulla"), make_player("vera")
        client.force_login(guest)
        for name in ("One", "Two"):
            game = play.open_table(host, name=name, size=2, at=timezone.now())
            play.invite(game, by=host, to="vera", keeps_seat=False, at=timezone.now())

    at_the_database(web, django_db_blocker, invite_to_two)
    page.context.add_cookies(cookies_of(client, web.url))
    open_at(page, web.url, 360)
    first, second = page.locator('[aria-labelledby="inviting"] .tables').all()
    button = first.locator("xpath=following-sibling::*[1]").bounding_box()
    line = second.bounding_box()
    assert button
    assert line
    assert line["y"] - button["y"] - button["height"] >= 12
