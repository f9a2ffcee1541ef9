"""Presence in a real browser: whoever has a table in sight needs no mail, and a page that lies hidden sees nothing."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone
from playwright.sync_api import Page, Request, expect

from games import mail
from games.models import Game, Notice, Seat
from tests.browser.hotseat import Hotseat, at_the_database
from tests.pages.helpers import play_next
from tests.servers import wait_until

pytestmark = pytest.mark.timeout(120)

WAIT = 120
"""Seconds for which a call to the table waits."""
BEHIND = """
Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" });
Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
"""
IN_FRONT = """
delete document.visibilityState;
delete document.hidden;
document.dispatchEvent(new Event("visibilitychange"));
"""


@pytest.fixture(scope="module")
def wishes() -> dict[str, Any]:
    return {"mail_mode": "every"}


def seat_of(two: Hotseat, number: int) -> Seat:
    return at_the_database(two.site, two.unblock, lambda: Seat.objects.get(game=two.game, number=number))


def move(two: Hotseat) -> int:
    """Let who is to move do so somewhere else; the number of the seat that is to move then."""

    def play() -> int:
        play_next(two.game, at=timezone.now())
        return Game.objects.get(pk=two.game.pk).to_move or 0

    return at_the_database(two.site, two.unblock, play)


def ply_of(two: Hotseat) -> int:
    return at_the_database(two.site, two.unblock, lambda: Game.objects.get(pk=two.game.pk).ply)


def call(two: Hotseat, *, at: datetime) -> tuple[str, str]:
    """What becomes of the last call to the table, once it has waited."""

    def sweep() -> tuple[str, str]:
        mail.sweep(at=at)
        notice = Notice.objects.filter(kind=Notice.Kind.TURN).latest("ply")
        return notice.state, notice.reason

    return at_the_database(two.site, two.unblock, sweep)


def watch(page: Page) -> list[Request]:
    """Whatever the page tells of having been seen, from now on."""
    told: list[Request] = []
    page.on("request", lambda request: told.append(request) if request.url.endswith("/seen/") else None)
    return told


@pytest.fixture(autouse=True)
def _wait(settings: LazySettings) -> None:
    settings.MAIL_WAIT_SECONDS = WAIT


def test_a_table_in_sight_needs_no_mail(two: Hotseat) -> None:
    reader = move(two)
    page, ply = two.seats[reader].page, ply_of(two)
    page.goto(two.site.url + two.game.get_absolute_url())
    expect(page.locator("#turn")).to_have_text("It is your move.")
    wait_until(lambda: seat_of(two, reader).seen_ply == ply, what="word of what was seen")
    assert call(two, at=timezone.now() + timedelta(seconds=WAIT)) == ("superseded", "seen")


def test_it_tells_of_a_move_that_comes_while_somebody_looks(two: Hotseat) -> None:
    for seat in two.seats:
        seat.page.goto(two.site.url + two.game.get_absolute_url())
    reader = move(two)
    page, ply = two.seats[reader].page, ply_of(two)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#turn")).to_have_text("It is your move.")
    wait_until(lambda: seat_of(two, reader).seen_ply == ply, what="word of the new ply")


def test_a_table_that_lies_hidden_sees_nothing(two: Hotseat) -> None:
    for seat in two.seats:
        seat.page.goto("about:blank")
    reader = move(two)
    # A page of its own, since it stays behind for good.
    page, ply = two.seats[reader].page.context.new_page(), ply_of(two)
    told = watch(page)
    page.add_init_script(BEHIND)
    page.goto(two.site.url + two.game.get_absolute_url())
    expect(page.locator("#turn")).to_have_text("It is your move.")
    page.wait_for_timeout(3_000)
    assert told == []
    assert seat_of(two, reader).seen_ply != ply
    assert call(two, at=timezone.now() + timedelta(seconds=WAIT))[0] == "sent"

    page.evaluate(IN_FRONT)
    wait_until(lambda: seat_of(two, reader).seen_ply == ply, what="word of a page that came to the front")
    page.wait_for_timeout(2_500)
    assert len(told) == 1
    assert [seat.trouble for seat in two.seats] == [[], []]
    page.close()


def test_it_tells_again_what_the_site_could_not_take(two: Hotseat) -> None:
    for seat in two.seats:
        seat.page.goto("about:blank")
    reader = move(two)
    page, ply = two.seats[reader].page.context.new_page(), ply_of(two)
    told = watch(page)
    # As what stands before the site answers while the site is started again.
    page.route("**/seen/", lambda route: route.fulfill(status=503), times=1)
    with page.expect_response("**/seen/"):
        page.goto(two.site.url + two.game.get_absolute_url())
    page.wait_for_timeout(100)
    assert seat_of(two, reader).seen_ply != ply

    page.evaluate("dispatchEvent(new Event('online'))")
    wait_until(lambda: seat_of(two, reader).seen_ply == ply, what="word that was refused before")
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_timeout(2_500)
    assert len(told) == 2
    page.close()
