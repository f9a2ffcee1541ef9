"""All turns on one page, on a phone without script: moves at two tables by keys alone."""

from __future__ import annotations

from pathlib import Path

from django.utils import timezone
from playwright.sync_api import Browser, expect
from pytest_django import DjangoDbBlocker

from games.models import Game, Player
from tests.browser.hotseat import PHONE, at_the_database, sign_in
from tests.cast import make_game, make_player
from tests.pages.helpers import next_move, play_next, to_move
from tests.servers import site


def set_tables() -> tuple[str, list[str]]:
    """The session of alice, for whom two tables wait, and a move at each."""
    alice, bob = (make_player(name) for name in ("alice", "bob"))
    Player.objects.update(mail_mode="nothing")
    moves = []
    for name in ("First table", "Second table"):
        game = make_game(alice, bob, at=timezone.now())
        Game.objects.filter(pk=game.pk).update(name=name)
        if to_move(game) != alice:
            play_next(game, at=timezone.now())
        game.refresh_from_db()
        moves.append(str(next_move(game)))
    return sign_in(alice), moves


def test_it_plays_at_two_tables_by_keys_without_script(
    browser: Browser, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    with site(tmp_path / "site", processes=["web"]) as served:
        session, [first, second] = at_the_database(served, django_db_blocker, set_tables)
        context = browser.new_context(**PHONE, java_script_enabled=False)
        context.add_cookies([{"name": "sessionid", "value": session, "url": served.url}])
        page = context.new_page()
        page.goto(served.url)
        page.get_by_role("link", name="All your turns on one page").press("Enter")
        board = page.get_by_role("group", name="First table").get_by_role("img", name="The board").bounding_box()
        assert board is not None
        assert (board["x"], board["width"]) == (0, PHONE["viewport"]["width"]), "its names need all of the width"
        page.get_by_role("group", name="First table").get_by_label("Write your move").focus()
        page.keyboard.type(first.lower())
        select = page.get_by_role("group", name="Second table").get_by_label("Or choose it")
        select.focus()
        # Not by letters: the list forgets those before the next one after a while.
        for _choice in select.locator("option").all():
            if select.input_value() != second:
                page.keyboard.press("ArrowDown")
        expect(select).to_have_value(second)
        page.get_by_role("button", name="Show what my moves would do").press("Enter")
        page.get_by_role("button", name="Play these 2 moves").press("Enter")
        expect(page.get_by_role("status")).to_contain_text(f"{first} at First table")
        expect(page.get_by_role("status")).to_contain_text(f"{second} at Second table")
        expect(page.get_by_label("Write your move")).to_have_count(0)
        context.close()
