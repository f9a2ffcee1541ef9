"""The notebook with script: one small request a tap, and no word is lost when the page is renewed."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from pytest_django import DjangoDbBlocker

from games.models import Note, Suspicion
from tests.browser.hotseat import PHONE, SEED, Seat, at_the_database, hotseat, some_move

# A page that comes back to the net asks at once, and not only after its pause.
HAS_SEEN_A_MOVE = """
() => {
  if (document.querySelector(".history > li")) return true;
  dispatchEvent(new Event("online"));
  return false;
}
"""
# The lines of which the first word takes a part.
LINES_OF_A_WORD = """
() => {
  const head = document.querySelector(".suspects tbody th");
  const name = head.textContent;
  head.textContent = "computer 1";
  const word = new Range();
  word.setStart(head.firstChild, 0);
  word.setEnd(head.firstChild, "computer".length);
  const lines = word.getClientRects().length;
  head.textContent = name;
  return lines;
}
"""
pytestmark = pytest.mark.timeout(300)


def kept() -> tuple[list[str], list[str]]:
    """All notes and marks that the site remembers."""
    return list(Note.objects.values_list("text", flat=True)), list(Suspicion.objects.values_list("mark", flat=True))


def test_it_asks_once_for_each_thing_and_loses_no_word(
    browser: Browser, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    with hotseat(browser, tmp_path, django_db_blocker, device=PHONE) as table:
        mover = table.turn()
        waiting = next(seat for seat in table.seats if seat is not mover)
        mark_and_note(waiting)
        assert at_the_database(table.site, django_db_blocker, kept) == (["a whole sentence"], ["excluded"])
        waiting.page.get_by_label("Note", exact=True).fill("not saved yet")
        move = some_move(table.position, random.Random(SEED))
        mover.page.goto(f"{mover.page.url}?from={move.origin}&to={move.target}")
        mover.page.get_by_role("button", name=f"Move {move}").first.click()
        waiting.page.wait_for_function(HAS_SEEN_A_MOVE, polling=400)
        expect(waiting.page.get_by_label("Note", exact=True)).to_have_value("not saved yet")
        assert [seat.trouble for seat in table.seats] == [[], []]
        lose_the_net_and_sign_in(waiting)


def lose_the_net_and_sign_in(seat: Seat) -> None:
    """What could not be saved is told alone, and is there again in a later session."""
    page, address = seat.page, seat.page.url
    field, said = page.get_by_label("Note", exact=True), page.locator("#note-said")
    save = page.get_by_role("button", name="Save the note")
    save.tap()
    expect(said).to_have_text("Your note is saved.")
    page.route("**/notebook/", lambda route: route.abort())
    field.fill("written without a net")
    save.tap()
    expect(page.locator("#note-lost")).to_contain_text("it will be here again, also after you have signed in")
    expect(said).to_be_empty()
    cookies = page.context.cookies()
    page.context.clear_cookies()
    page.get_by_role("link", name="reload the page").tap()
    expect(field).to_have_count(0)
    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    page.goto(address)
    expect(field).to_have_value("written without a net")


def mark_and_note(seat: Seat) -> None:
    """Exclude somebody in the middle of a sentence, then save it: three requests, and the page stays."""
    field, button = seat.page.get_by_label("Note", exact=True), seat.page.locator("#sheet button").first
    seat.page.get_by_text("My notebook").tap()
    assert seat.page.evaluate(LINES_OF_A_WORD) == 1, "a name is broken in the middle of a word"
    field.fill("a whole sentence")
    seat.asked.clear()
    for mark in ("suspected", "excluded"):
        button.tap()
        expect(button).to_have_accessible_name(re.compile(f": {mark}. Change to"))
        expect(button).to_be_focused()
    expect(field).to_have_value("a whole sentence")
    seat.page.get_by_role("button", name="Save the note").tap()
    expect(seat.page.locator("#note-said")).to_have_text("Your note is saved.")
    assert [request.method for request in seat.asked] == ["POST"] * 3
