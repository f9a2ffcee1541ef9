"""A phone in one hand, with nothing but the mails of the real site: from the link in a mail to the move played."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django import DjangoDbBlocker

from games import rules
from games.models import Game, Notice
from games.play.announce import announce_turn
from games.play.turns import seats_of
from tests.browser.hotseat import PHONE, SEED, Hotseat, at_the_database, hotseat, some_move
from tests.browser.test_hands import number
from tests.servers import Mail, MailServer, mail_server, wait_until

UPRIGHT: dict[str, Any] = PHONE | {"viewport": {"width": 390, "height": 664}}


class Thumb:
    """Taps what is in sight, and counts how often; it cannot scroll."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def tap(self, x: float, y: float) -> None:
        assert self.page.evaluate("scrollY") == 0
        assert 0 <= x <= 390
        assert 0 <= y <= 664
        self.taps += 1
        self.page.touchscreen.tap(x, y)

    def tap_territory(self, name: str) -> None:
        """Tap the huts of a territory, where they lie on the board by now."""
        at = self.page.evaluate("name => clans.board.boxOf(name)", name)
        self.tap(at["x"], at["y"])

    def tap_on(self, part: Locator) -> None:
        expect(part).to_be_in_viewport(ratio=1)
        box = part.bounding_box()
        assert box
        self.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.fixture
def smtp() -> Iterator[MailServer]:
    with mail_server() as smtp:
        yield smtp


@pytest.fixture
def two(browser: Browser, tmp_path: Path, django_db_blocker: DjangoDbBlocker, smtp: MailServer) -> Iterator[Hotseat]:
    """alice and bob with a phone each, who wish every mail; the first of them has been called."""
    with hotseat(browser, tmp_path, django_db_blocker, device=UPRIGHT, smtp=smtp, mail_mode="every") as two:
        at_the_database(two.site, two.unblock, lambda: call_the_first(two.game))
        two.site.start("worker")
        two.site.manage("sweep")
        yield two


def call_the_first(game: Game) -> None:
    """Owe the mail to whoever begins since the opening was set."""
    Notice.objects.all().delete()
    game.refresh_from_db()
    announce_turn(game, seats_of(game), at=timezone.now())


def names_of(two: Hotseat) -> list[str]:
    """The players in seat order."""

    def read() -> list[str]:
        return [seat.name for seat in two.game.seats.order_by("number")]

    return at_the_database(two.site, two.unblock, read)


def called(smtp: MailServer, name: str, ply: int) -> Mail:
    """The mail that calls a player to the move at this ply, once it has come."""

    def found() -> list[Mail]:
        mails = smtp.mails_to(f"{name}@example.com", kind="turn")
        return [mail for mail in mails if int(mail.message["X-Clans-Ply"]) == ply]

    wait_until(found, what=f"mail to {name} at ply {ply}")
    return found()[-1]


def open_table(phone: Page, mail: Mail) -> Page:
    """The page that opens by a tap on the button of the mail."""
    phone.set_content(mail.html)
    with phone.context.expect_page() as opened:
        phone.locator("a.button-link").first.tap()
    opened.value.wait_for_load_state()
    return opened.value


def play_by_taps(page: Page, move: rules.Move) -> int:
    """Make the move on the first screen of the table; with how many taps."""
    thumb = Thumb(page)
    expect(page.locator("#step")).to_contain_text("Which huts do you move?")
    thumb.tap_territory(move.origin)
    expect(page.locator("#step")).to_contain_text(f"{move.origin}, ")
    wait_until_it_lies_still(page)
    thumb.tap_territory(move.target)
    expect(page.locator("form#move")).to_be_visible()
    wait_until_it_lies_still(page)
    number(page, move, thumb.tap_territory)
    thumb.tap_on(page.get_by_role("button", name=f"Move {move.origin}-{move.target}"))
    expect(page.locator("#step")).to_have_count(0)
    assert page.evaluate("scrollY") == 0
    return thumb.taps


def wait_until_it_lies_still(page: Page) -> None:
    """Until the board has come as near as it does after a tap."""
    page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})))")


def plain_move(position: rules.Position) -> rules.Move:
    """A move that asks for no founding order."""
    return next(move for move in rules.legal_moves(position) if not rules.founding_orders(position, move))


def test_it_takes_three_taps_and_no_scrolling_from_the_link_in_a_mail(two: Hotseat, smtp: MailServer) -> None:
    names, move = names_of(two), plain_move(two.position)
    mover = two.position.to_move
    mail = called(smtp, names[mover], 0)
    page = open_table(two.seats[mover].page, mail)
    assert play_by_taps(page, move) == 3
    expect(page.locator(".bar-waits, .turn-line").first).to_be_in_viewport(ratio=1)
    assert at_the_database(two.site, two.unblock, lambda: Game.objects.get().moves.get().text) == str(move)
    called(smtp, names[1 - mover], 1)


def test_two_phones_play_a_whole_game_by_their_mails_alone(two: Hotseat, smtp: MailServer) -> None:
    names, rng, position, ply = names_of(two), random.Random(SEED), two.position, 0
    while not position.over:
        move, mover = some_move(position, rng), position.to_move
        page = open_table(two.seats[mover].page, called(smtp, names[mover], ply))
        taps = play_by_taps(page, move)
        assert 3 <= taps <= 3 + len(move.order)
        page.close()
        position, ply = rules.play(position, move).position, ply + 1
    for name in names:
        mail = smtp.wait_for_mail(f"{name}@example.com", kind="finished")
        assert int(mail.message["X-Clans-Ply"]) == ply
    page = open_table(two.seats[0].page, smtp.mails_to(f"{names[0]}@example.com", kind="finished")[0])
    expect(page.locator("h2.verdict")).to_be_in_viewport(ratio=1)
    game = at_the_database(two.site, two.unblock, Game.objects.get)
    assert (game.status, game.ply) == (Game.Status.FINISHED, ply)
    turns = [int(mail.message["X-Clans-Ply"]) for mail in smtp.mails if mail.kind == "turn"]
    assert sorted(turns) == list(range(ply))
