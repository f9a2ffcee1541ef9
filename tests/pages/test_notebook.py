"""The notebook at a table: a private note, a sheet of suspicions, and what is shown of it at the end."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from games import play, rules
from games.models import Game, Note, Player, Suspicion
from tests.cast import AT, make_game, make_table, play_out, play_random
from tests.elements import Element
from tests.made_once import scene
from tests.pages.helpers import Page, hidden, seat_of, soup, table_url, text_of

SCRIPT = {"X-Notebook": "1"}


@pytest.fixture
def mid(game: Game) -> Game:
    """A running game of alice, bob and carol after some moves."""
    return scene("mid of the notebook", lambda: play_random(game, 6))


def sheet_of(response: Page) -> dict[str, Element]:
    """The buttons of the sheet by what they are about."""
    return {str(button["value"]).rpartition("-")[0]: button for button in soup(response).select("#sheet button")}


def a_cell(game: Game, player: Player, about: Player, *, right: bool) -> str:
    """The cell of a sheet that is about somebody and the clan they have, or one they have not."""
    theirs, mine = seat_of(game, about), seat_of(game, player)
    wrong = next(clan for clan in rules.CLANS if clan not in {theirs.clan, mine.clan})
    return f"{theirs.number}-{theirs.clan if right else wrong}"


def mark(game: Game, player: Player, cell: str, made: str, *, after: timedelta = timedelta()) -> None:
    about, clan = cell.split("-")
    play.mark_suspicion(game, player=player, about=int(about), clan=clan, mark=made, at=AT + after)


def save(client: Client, game: Game, text: str, *, headers: Mapping[str, str] | None = None, **more: str) -> Any:
    """Write the note as the form that is open would."""
    data = {**hidden(client.get(table_url(game)), "#notebook form"), "text": text, **more}
    return client.post(table_url(game, "notebook/"), data, headers=headers)


def written(response: Page) -> str:
    field = soup(response).select_one("#note-text")
    return field.get_text().removeprefix("\n") if field else ""


# --- The note ----------------------------------------------------------------------------------------


def test_it_saves_my_note_and_says_so(client: Client, mid: Game, alice: Player) -> None:
    client.force_login(alice)
    response = save(client, mid, "bob is\r\nred <b>")
    assert response.status_code == 303
    assert response["Location"] == table_url(mid) + "#note"
    page = client.get(table_url(mid))
    assert "Your note is saved." in text_of(page, ".flashes")
    assert written(page) == "bob is\nred <b>"
    assert b"red <b>" not in page.content


def test_it_shows_my_note_to_me_alone(client: Client, mid: Game, alice: Player, bob: Player, mallory: Player) -> None:
    client.force_login(alice)
    save(client, mid, "the mill is mine")
    play_out(mid)
    assert written(client.get(table_url(mid))) == "the mill is mine"
    for other in (bob, mallory):
        client.force_login(other)
        assert b"the mill is mine" not in client.get(table_url(mid)).content
    client.logout()
    assert soup(client.get(table_url(mid))).select("#notebook") == []


def test_it_has_no_notebook_for_who_does_not_sit_there(client: Client, mid: Game, mallory: Player) -> None:
    client.force_login(mallory)
    assert soup(client.get(table_url(mid))).select("#notebook") == []
    response = client.post(table_url(mid, "notebook/"), {"text": "hm", "seen": ""})
    assert response.status_code == 403
    assert "You have no seat at this table." in text_of(response)


def test_it_keeps_both_notes_when_one_was_changed_elsewhere(client: Client, mid: Game, alice: Player) -> None:
    client.force_login(alice)
    data = {**hidden(client.get(table_url(mid)), "#notebook form"), "text": "from the desk"}
    save(client, mid, "from the phone")
    response = client.post(table_url(mid, "notebook/"), data, follow=True)
    assert "both versions are kept" in text_of(response, ".flashes")
    assert written(response) == "from the phone\n\n* * *\n\nfrom the desk"


def test_it_gives_back_a_note_that_is_too_long(client: Client, mid: Game, alice: Player) -> None:
    client.force_login(alice)
    save(client, mid, "short")
    response = save(client, mid, "x" * 4001)
    assert response.status_code == 422
    assert "at most 4,000 letters" in text_of(response, "[role=alert]")
    assert written(response) == "x" * 4001
    assert "short" in text_of(response, ".note-saved")
    assert soup(response).select("#notebook[open]")
    assert Note.objects.get().text == "short"


def test_it_refuses_a_note_that_no_database_keeps(client: Client, mid: Game, alice: Player) -> None:
    client.force_login(alice)
    assert save(client, mid, "a\x00b").status_code == 422
    assert not Note.objects.exists()


def test_it_answers_the_script_with_the_notebook_alone(client: Client, mid: Game, alice: Player) -> None:
    client.force_login(alice)
    response = save(client, mid, "bob is red", headers=SCRIPT)
    assert response.status_code == 200
    assert written(response) == "bob is red"
    assert "Your note is saved." in text_of(response, "#note-said")
    assert soup(response).select("svg, .site-nav") == []
    assert len(response.content) < 8000
    response = client.post(table_url(mid, "notebook/"), {"mark": "nonsense"}, headers=SCRIPT)
    assert response.status_code == 422


def test_it_keeps_a_notebook_without_sheet_for_who_has_resigned(client: Client, mid: Game, bob: Player) -> None:
    play.resign(mid, player=bob, at=AT)
    client.force_login(bob)
    page = client.get(table_url(mid))
    assert soup(page).select("#note")
    assert soup(page).select("#sheet") == []


# --- The sheet ---------------------------------------------------------------------------------------


def test_it_offers_every_other_player_and_clan(client: Client, alice: Player) -> None:
    game = make_game(alice, bots=3)
    client.force_login(alice)
    page, mine = client.get(table_url(game)), seat_of(game, alice)
    others = [seat for seat in game.seats.order_by("number") if seat != mine]
    clans = [clan for clan in rules.CLANS if clan != mine.clan]
    assert list(sheet_of(page)) == [f"{seat.number}-{clan}" for seat in others for clan in clans]
    assert [row.get_text() for row in soup(page).select("#sheet tbody th")] == [seat.name for seat in others]
    assert [head.get_text() for head in soup(page).select("#sheet thead th")] == list(rules.CLANS)
    assert "Choose a mark to change it." in text_of(page, "#sheet")
    signs = soup(page).select("#sheet .is-mine")
    assert [sign["title"] for sign in signs] == [f"{mine.clan}: excluded, it is yours"] * 3


def test_it_goes_round_by_taps(client: Client, mid: Game, alice: Player, bob: Player) -> None:
    client.force_login(alice)
    cell = a_cell(mid, alice, bob, right=True)
    for made in ("suspected", "excluded", "possible"):
        button = sheet_of(client.get(table_url(mid)))[cell]
        response = client.post(table_url(mid, "notebook/"), {"mark": str(button["value"])})
        assert response["Location"] == table_url(mid) + "#sheet"
        button = sheet_of(client.get(table_url(mid)))[cell]
        assert f"bob, {cell[2:]}: {made}. Change to" in str(button["aria-label"])
        assert f"is-{made}" in button.classes


def test_it_keeps_what_is_being_written_when_a_mark_is_tapped(
    client: Client, mid: Game, alice: Player, bob: Player
) -> None:
    client.force_login(alice)
    made = f"{a_cell(mid, alice, bob, right=True)}-suspected"
    save(client, mid, "half a sent", mark=made)
    assert written(client.get(table_url(mid))) == "half a sent"
    client.post(table_url(mid, "notebook/"), {"mark": made.replace("suspected", "excluded")})
    assert written(client.get(table_url(mid))) == "half a sent"


def test_it_marks_nothing_when_the_note_cannot_be_saved(client: Client, mid: Game, alice: Player, bob: Player) -> None:
    client.force_login(alice)
    made = f"{a_cell(mid, alice, bob, right=True)}-suspected"
    assert save(client, mid, "x" * 4001, mark=made).status_code == 422
    assert not Suspicion.objects.exists()
    assert not mid.seats.filter(has_sheet=True).exists()


def test_it_says_since_when_it_is_marked_so(client: Client, mid: Game, alice: Player, bob: Player) -> None:
    client.force_login(alice)
    cell = a_cell(mid, alice, bob, right=False)
    mark(mid, alice, cell, "excluded")
    play_random(mid, 3)
    assert sheet_of(client.get(table_url(mid)))[cell]["title"] == "excluded since move 6"


@pytest.mark.parametrize(
    "sent", ["1", "1-red", "1-red-sure", "7-red-suspected", "1-white-suspected", "١-red-suspected"]
)
def test_it_marks_nothing_by_what_is_no_mark(client: Client, mid: Game, alice: Player, sent: str) -> None:
    client.force_login(alice)
    assert client.post(table_url(mid, "notebook/"), {"mark": sent}).status_code == 422
    assert not Suspicion.objects.exists()


def test_it_does_not_mark_my_own_clan(client: Client, mid: Game, alice: Player, bob: Player) -> None:
    client.force_login(alice)
    sent = f"{seat_of(mid, bob).number}-{seat_of(mid, alice).clan}-suspected"
    response = client.post(table_url(mid, "notebook/"), {"mark": sent})
    assert response.status_code == 422
    assert "nothing to suspect" in text_of(response, "[role=alert]")


def test_it_changes_nothing_by_reading(client: Client, mid: Game, alice: Player) -> None:
    client.force_login(alice)
    assert client.get(table_url(mid, "notebook/"), {"text": "x", "mark": "1-red-suspected"}).status_code == 302
    assert not Note.objects.exists()
    assert not Suspicion.objects.exists()


def test_it_has_no_notebook_before_the_start(client: Client, alice: Player) -> None:
    client.force_login(alice)
    game = make_table(alice)
    assert soup(client.get(table_url(game))).select("#notebook") == []
    assert client.post(table_url(game, "notebook/"), {"text": "hm"}).status_code == 409


# --- At the end --------------------------------------------------------------------------------------


def shown(response: Page) -> dict[str, list[str]]:
    """The sheets that are shown: the rows in words by who kept them."""
    return {
        table.select("caption")[0].get_text(): [
            f"{row.get_text()} {' '.join(words.get_text(' ').split())}"
            for row, words in zip(table.select("tbody th"), table.select("small"), strict=True)
        ]
        for table in soup(response).select(".suspects-shown")
    }


def test_it_shows_all_sheets_beside_the_truth(
    client: Client, mid: Game, alice: Player, bob: Player, carol: Player
) -> None:
    wrong, right = (a_cell(mid, alice, bob, right=right) for right in (False, True))
    mark(mid, alice, wrong, "suspected")
    play_random(mid, 4)
    mark(mid, alice, right, "suspected", after=timedelta(hours=1))
    mark(mid, alice, wrong, "excluded", after=timedelta(hours=1))
    mark(mid, carol, a_cell(mid, carol, bob, right=False), "suspected")
    play_out(mid)
    response = client.get(table_url(mid))
    assert set(shown(response)) == {"alice", "carol"}
    [of_bob] = [row for row in shown(response)["alice"] if row.startswith("bob")]
    assert of_bob.startswith(f"bob had {seat_of(mid, bob).clan}; suspected since move 10, ")
    assert all("never suspected" in row for row in shown(response)["carol"])
    signs = soup(response).select(".suspects-shown .is-true")
    truth = [f"{seat_of(mid, p).clan}: " for p in (alice, bob, carol)]
    assert len(signs) == 4
    assert all(str(sign["title"]).startswith(tuple(truth)) for sign in signs)


def test_it_shows_no_sheet_before_the_end(client: Client, mid: Game, alice: Player, bob: Player) -> None:
    mark(mid, alice, a_cell(mid, alice, bob, right=True), "suspected")
    client.force_login(alice)
    for path in ("", "ply/3/", "deal/"):
        assert soup(client.get(table_url(mid, path))).select(".suspects-shown, #sheets") == []


def test_it_shows_sheets_of_an_abandoned_game(client: Client, mid: Game, alice: Player, bob: Player) -> None:
    mark(mid, alice, a_cell(mid, alice, bob, right=True), "suspected")
    for seat in mid.seats.all():
        assert seat.player is not None
        play.agree_to_abandon(mid, player=seat.player, agrees=True, at=AT)
    assert set(shown(client.get(table_url(mid)))) == {"alice"}


def test_it_says_nothing_of_sheets_where_nobody_kept_one(client: Client, mid: Game, alice: Player) -> None:
    client.force_login(alice)
    save(client, mid, "only a note")
    play_out(mid)
    assert soup(client.get(table_url(mid))).select("#sheets") == []


# --- What it costs -----------------------------------------------------------------------------------


def test_it_asks_for_nothing_where_nothing_was_written(
    client: Client, mid: Game, alice: Player, bob: Player, django_assert_num_queries: Any
) -> None:
    client.force_login(bob)
    client.get(table_url(mid))
    with django_assert_num_queries(4):
        client.get(table_url(mid))
    save(client, mid, "hm")
    mark(mid, bob, a_cell(mid, bob, alice, right=False), "excluded")
    client.get(table_url(mid))
    with django_assert_num_queries(6):
        client.get(table_url(mid))


def test_it_costs_others_nothing(
    client: Client, mid: Game, alice: Player, bob: Player, django_assert_num_queries: Any
) -> None:
    client.force_login(alice)
    client.get(table_url(mid))
    with django_assert_num_queries(4):
        client.get(table_url(mid))
    play.write_note(mid, player=bob, text="hm", seen="", at=AT)
    mark(mid, bob, a_cell(mid, bob, alice, right=False), "excluded")
    with django_assert_num_queries(4):
        client.get(table_url(mid))


def test_it_escapes_names(client: Client, mid: Game, alice: Player, bob: Player) -> None:
    mid.seats.filter(player=bob).update(name='<i>"bob"</i>')
    client.force_login(alice)
    mark(mid, alice, a_cell(mid, alice, bob, right=True), "suspected")
    assert b"<i>" not in client.get(table_url(mid)).content
    play_out(mid)
    assert b"<i>" not in client.get(table_url(mid)).content
