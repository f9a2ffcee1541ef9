"""A circle that goes on, by the keyboard alone on real servers, with and without script: a series comes to its next
table, somebody takes over a seat that was given up, and friends who play for ratings part."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, expect
from pytest_django import DjangoDbBlocker

from games import play, rules
from games.enqueue import without_enqueueing
from games.models import Game, Rating
from tests.browser.hotseat import Found, at_the_database, sign_in, some_move
from tests.browser.people import Person, person, tables_in
from tests.cast import make_player, seat_to_move
from tests.servers import Site, mail_server, site, wait_until

pytestmark = pytest.mark.parametrize("script", [True, False], ids=["script-on", "script-off"])

NAMES = ("alice", "bob", "dora")
LINK = re.compile(r"http://\S+/invitations/[\w-]{43}/")


@dataclass
class Circle:
    """People who have signed in at a real site, and its database."""

    site: Site
    people: tuple[Person, ...]
    blocker: DjangoDbBlocker

    def ask(self, does: Callable[[], Found]) -> Found:
        """What `does` answers at the site's database."""
        return at_the_database(self.site, self.blocker, does)

    def to_move(self, table: str) -> Person:
        """Whose seat is to move."""
        name = self.ask(lambda: seat_to_move(_game(table)).name)
        return next(one for one in self.people if one.name == name)


@pytest.fixture
def circle(browser: Browser, tmp_path: Path, django_db_blocker: DjangoDbBlocker, script: bool) -> Iterator[Circle]:
    """alice, bob and dora; when all is done, no browser has complained."""
    with ExitStack() as stack:
        smtp = stack.enter_context(mail_server())
        served = stack.enter_context(site(tmp_path / "site", smtp=smtp))
        keys = at_the_database(served, django_db_blocker, lambda: [sign_in(make_player(name)) for name in NAMES])
        people = tuple(stack.enter_context(person(name, browser, served, smtp, script=script)) for name in NAMES)
        for one, key in zip(people, keys, strict=True):
            one.page.context.add_cookies([{"name": "sessionid", "value": key, "url": served.url}])
        yield Circle(served, people, django_db_blocker)
        assert [one.trouble for one in people] == [[], [], []]
        served.check_alive()


def test_a_series_comes_to_its_next_table_when_all_are_ready(circle: Circle) -> None:
    alice, bob, _dora = circle.people
    first = _open_table(alice, games=2)
    _sit_down(bob, first)
    _move(circle, first, circle.ask(lambda: _play_to_the_last_move(_game(first))))

    for one in (bob, alice):
        mail = one.wait_for_words("The next game of your series begins as soon as everybody is ready.")
        [second] = [table for table in tables_in(mail) if table != first]
        one.page.goto(second)
        one.press(one.page.get_by_role("button", name="I am ready"))
        expect(one.page.get_by_role("heading", name="Are you ready?")).to_have_count(0)
    expect(alice.page.locator("svg.clans-board")).to_be_visible()

    _move(circle, second)
    alice.page.goto(second)
    alice.press(alice.page.get_by_role("link", name="Game 2 of 2"))
    totals = circle.ask(lambda: {seat.name: str(seat.total) for seat in _game(first).seats.all()})
    for name, total in totals.items():
        row = alice.page.get_by_role("row").filter(has=alice.page.get_by_role("rowheader", name=name))
        expect(row.get_by_role("cell")).to_have_text([re.compile("[12]"), total, "–", total])


def test_somebody_takes_over_a_seat_that_was_given_up(circle: Circle) -> None:
    alice, bob, dora = circle.people
    table = _open_table(alice)
    _sit_down(bob, table)
    bob.page.goto(table)
    bob.press(bob.page.locator("#give-up > summary"))
    bob.press(bob.page.get_by_role("button", name="Resign …"))
    bob.press(bob.page.get_by_role("button", name="Yes, resign"))
    # If it was bob's turn, the computer player moves for him first.
    wait_until(lambda: circle.to_move(table) is alice, what="turn of alice")

    dora.page.goto(dora.site.url)
    dora.press(dora.page.get_by_role("link", name="Seats to take over"))
    dora.press(dora.page.get_by_role("link", name="Friday circle"))
    dora.press(dora.page.get_by_role("button", name="Take over from bob"))
    dora.press(dora.page.get_by_role("button", name="Yes, take it over"))
    expect(dora.page.get_by_text("The seat is yours, with its card.")).to_be_visible()
    mail = bob.wait_for_words("dora has taken over your seat at this table and plays on with your card.")
    assert mail.kind == "taken"

    _move(circle, table)
    dora.smtp.wait_for_mail(dora.email, kind="turn")
    _move(circle, table)
    assert circle.ask(lambda: _game(table).moves.latest("ply").seat == _game(table).seats.get(name="dora").number)


def test_friends_play_for_ratings_and_again_until_one_blocks_the_other(circle: Circle) -> None:
    alice, bob, _dora = circle.people
    first = _open_table(alice, invited="bob")
    _sit_down(bob, LINK.findall(bob.smtp.wait_for_mail(bob.email, kind="invitation").text)[0])
    _move(circle, first, circle.ask(lambda: _play_to_the_last_move(_game(first))))
    wait_until(lambda: circle.ask(Rating.objects.count) == 2, what="ratings of both")
    alice.page.goto(f"{alice.site.url}/players/bob/")
    expect(alice.page.get_by_text("One of 5 rated games that a rating needs has been played.")).to_be_visible()

    alice.page.goto(first)
    alice.press(alice.page.get_by_role("link", name="Play again"))
    _finish_opening(alice, games=3)
    _sit_down(bob, tables_in(bob.smtp.wait_for_mail(bob.email, kind="again"))[0])
    expect(bob.page.get_by_role("link", name="Game 1 of 3")).to_be_visible()

    alice.page.goto(f"{alice.site.url}/players/bob/")
    alice.press(alice.page.get_by_role("link", name="Mute or block"))
    alice.press(alice.page.get_by_role("button", name="Block"))
    expect(alice.page.get_by_text("You have blocked bob.")).to_be_visible()
    table = _open_table(alice)
    bob.page.goto(table)
    # Every answer but that of a page that is there is an error to the browser.
    with bob.page.expect_console_message(lambda said: "409 (Conflict)" in said.text):
        bob.press(bob.page.get_by_role("button", name="Sit down"))
    expect(bob.page.get_by_text("You cannot sit down at this table.")).to_be_visible()
    assert "409 (Conflict)" in bob.trouble.pop()


def _open_table(opener: Person, *, games: int = 1, invited: str = "") -> str:
    """The address of a new table of two, at which `games` are played in a row."""
    page = opener.page
    page.goto(f"{opener.site.url}/tables/new/")
    opener.type_into(page.get_by_label("Name of the table"), "Friday circle")
    opener.press(page.get_by_role("group", name="Seats", exact=True).get_by_role("radio", checked=True), "ArrowLeft")
    if invited:
        opener.type_into(page.get_by_label("Invite people", exact=True), invited)
    return _finish_opening(opener, games=games)


def _finish_opening(opener: Person, *, games: int) -> str:
    page = opener.page
    opener.press(page.get_by_text("More choices"))
    opener.press(page.get_by_label("Games in a row"), key="ControlOrMeta+A")
    page.keyboard.type(str(games))
    opener.press(page.get_by_role("button", name="Open the table"))
    return page.get_by_label("Invite people by this link").input_value()


def _sit_down(one: Person, where: str) -> None:
    """In the last free seat, which starts the game."""
    one.page.goto(where)
    one.press(one.page.get_by_role("button", name="Sit down"))
    expect(one.page.locator("svg.clans-board")).to_be_visible()


def _move(circle: Circle, table: str, move: rules.Move | None = None) -> None:
    """Let whoever is to move write this move, or any."""
    one = circle.to_move(table)
    move = move or circle.ask(lambda: rules.legal_moves(_game(table).position())[0])
    one.page.goto(table)
    one.type_into(one.page.get_by_label("Write a move:"), str(move))
    one.page.keyboard.press("Enter")
    one.press(one.page.get_by_role("button", name=f"Move {move.origin}-{move.target}"))
    expect(one.page.locator("form#move")).to_have_count(0)


def _game(table: str) -> Game:
    return Game.objects.get(slug=table.split("/")[-2])


def _play_to_the_last_move(game: Game) -> rules.Move:
    """Play a game but for the move that ends it, which comes back."""
    rng = random.Random(1)
    with without_enqueueing():
        while True:
            move = some_move(game.position(), rng)
            if rules.play(game.position(), move).position.over:
                return move
            seat, key = seat_to_move(game), f"random-{game.ply}"
            play.play_move(game, seat=seat, move=move, ply=game.ply, key=key, at=timezone.now())
            game.refresh_from_db()
