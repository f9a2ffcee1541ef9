"""What a mail says that tells of several things: in what order, under what title, and what it leaves out."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime

import pytest

from games.models import Game, Notice, Player
from tests.cast import AT, make_game, play_random, put_in_season, seat_to_move
from tests.mail.composed import mail_of
from tests.mail.test_letter_texts import DAY, HOUR, Kind, html, message_of, notice, text


def several(alice: Player, bob: Player, count: int) -> list[Notice]:
    """Calls to so many tables at which alice is to move, the last one due first."""
    found = []
    for number in range(count):
        game = make_game(alice, bob, at=AT - number * HOUR)
        if seat_to_move(game).player != alice:
            play_random(game, 1)
        Game.objects.filter(pk=game.pk).update(name=f"Table {number}", due_at=AT + (count - number) * DAY)
        found.append(notice(game, Kind.TURN if number % 2 else Kind.REMINDER, number=7))
    return found


def test_a_table_is_told_once_to_whom_it_waits_for_already(alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    play_random(game, 1)
    second = seat_to_move(game)
    reader, other = (bob, alice) if second.player == bob else (alice, bob)
    begun = Notice.objects.get(seat=second, kind=Kind.STARTED)
    both = message_of([begun, Notice.objects.get(seat=second, kind=Kind.TURN)])
    assert both["Subject"] == f"Your turn: {game.name} (move 2)"
    assert "the game has begun" not in text(both)
    apart = message_of([begun, *several(reader, other, 1)])
    assert "the game has begun" in text(apart)


def test_several_tables_are_one_mail_nearest_deadline_first(alice: Player, bob: Player) -> None:
    notices = several(alice, bob, 5)
    found = message_of(notices)
    sections = [head.get_text() for head in html(found).select("h2")]
    assert sections == [f"Table: Table {number}" for number in (4, 3, 2, 1, 0)]
    assert found["Subject"].startswith("5 tables wait for you: Table 4, Table 3")
    assert found["Message-ID"] == mail_of(notices).message_id
    assert parsedate_to_datetime(found["Date"]) == AT
    assert [str(img["src"]) for img in html(found).select("img")] == [
        f"cid:{part['Content-ID'].strip('<>')}" for part in found.walk() if part["Content-ID"]
    ]
    assert len(html(found).select("img")) == 3
    words = text(found)
    assert all(f"/tables/{one.seat.game.slug}/" in words for one in notices)
    assert found["References"] is None


def test_news_from_tables_that_do_not_wait_are_called_so(alice: Player, bob: Player, game: Game) -> None:
    play_random(game)
    [call] = several(alice, bob, 1)
    found = message_of([notice(game, Kind.FINISHED, to="alice", number=1), call])
    assert found["Subject"].startswith("News from 2 tables: Table 0 and Friday table")
    assert [str(one.get_text()) for one in html(found).select("h2")] == [
        "Table: Table 0",
        "Table: Friday table",
    ]


@pytest.mark.parametrize(
    ("kinds", "subject"),
    [
        ((Kind.TURN, Kind.NUDGE), "Your turn, and more news: Friday table"),
        ((Kind.PROPOSAL, Kind.RESIGNED), "News from Friday table"),
    ],
)
def test_a_mail_about_one_table_names_it_once_over_all_of_it(
    game: Game, kinds: tuple[Kind, Kind], subject: str
) -> None:
    Notice.objects.all().delete()
    found = message_of([notice(game, kind, number=7, about=1) for kind in kinds])
    assert found["Subject"] == subject
    page = html(found)
    assert [head.get_text() for head in page.select("h1")] == ["Friday table"]
    sections = [head.get_text() for head in page.select("h2")]
    assert len({*sections}) == 2
    assert "Friday table" not in " ".join(sections)
    words = text(found)
    assert words.count("Friday table") == 1
    assert all(f"* {said}" in " ".join(words.split()) for said in sections)
    assert "1 table" not in found.as_string()


def test_moves_and_totals_of_a_table_are_told_once(alice: Player, game: Game) -> None:
    put_in_season(game)
    play_random(game)
    ended = [notice(game, kind, to="alice", number=7) for kind in (Kind.FINISHED, Kind.SEASON)]
    alone, both = text(message_of(ended[:1])), text(message_of(ended))
    assert "The season Spring league is over." in both
    for heading in ("After your last move, ", "Totals"):
        assert (alone.count(heading), both.count(heading)) == (1, 1)
    assert html(message_of(ended)).get_text().count("The cards are shown") == 1


def test_the_mail_of_the_last_game_tells_the_first_places_of_the_season(alice: Player, game: Game) -> None:
    put_in_season(game)
    play_random(game)
    message = message_of([notice(game, kind, to="alice", number=7) for kind in (Kind.FINISHED, Kind.SEASON)])
    place = re.search(r"Place 1: \w+, \d+ points?\.", text(message))
    assert place
    assert place[0] in html(message).get_text()


def test_very_many_tables_still_fit_into_a_mail(alice: Player, bob: Player) -> None:
    [call] = several(alice, bob, 1)
    found = message_of([call, *[call] * 39])
    assert len(html(found).select("h2")) == 40
    assert len(html(found).select("img")) == 1


@pytest.mark.parametrize(("most", "left"), [(98_000, 2), (80_000, 1), (60_000, 0)])
def test_a_mail_that_would_be_too_heavy_goes_without_pictures(
    game: Game, monkeypatch: pytest.MonkeyPatch, most: int, left: int
) -> None:
    play_random(game, 3)
    monkeypatch.setattr("games.mail.compose.MOST_BYTES", most)
    found = message_of([notice(game, Kind.TURN, number=7)])
    assert len(html(found).select("img")) == sum(1 for part in found.walk() if part["Content-ID"]) == left
    assert ("As you left it" in html(found).get_text()) == (left == 2)
