"""What players write for themselves: a note each, and a sheet of whom they suspect."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games import play, rules
from games.models import LONGEST_NOTE, Game, Note, Player, Seat, Suspicion
from games.play.notebook import MOST_CHANGES
from tests.cast import AT, make_table, play_out, play_random

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def write(game: Game, player: Player, text: str, *, seen: str | None = None, after: timedelta = timedelta()) -> bool:
    """Write a note over the one that is there, or over the one that was `seen`."""
    before = stamp(game, player) if seen is None else seen
    return play.write_note(game, player=player, text=text, seen=before, at=AT + after)


def stamp(game: Game, player: Player) -> str:
    note = Note.objects.filter(seat__game=game, seat__player=player).first()
    return note.updated_at.isoformat() if note else ""


def note_of(game: Game, player: Player) -> str:
    return Note.objects.get(seat__game=game, seat__player=player).text


def suspects(game: Game, player: Player) -> list[tuple[int, str]]:
    """Whom and what the player may suspect: other seats by clans that are not theirs."""
    mine = game.seats.get(player=player)
    others = [seat.number for seat in game.seats.order_by("number") if seat != mine and seat.number is not None]
    return [(about, clan) for about in others for clan in rules.CLANS if clan != mine.clan]


def mark(
    game: Game, player: Player, mark: str, *, cell: int = 0, after: timedelta = timedelta()
) -> list[tuple[int, str]]:
    """Mark one of the `suspects`; the history of that cell, as ply and mark."""
    about, clan = suspects(game, player)[cell]
    play.mark_suspicion(game, player=player, about=about, clan=clan, mark=mark, at=AT + after)
    changes = Suspicion.objects.filter(seat__player=player, about=about, clan=clan).order_by("pk")
    return list(changes.values_list("ply", "mark"))


# --- Notes -------------------------------------------------------------------------------------------


def test_it_keeps_a_note_for_each_seat(game: Game, alice: Player, bob: Player) -> None:
    assert not write(game, alice, "bob is red")
    assert not write(game, bob, "alice is blue")
    assert not write(game, alice, "bob is green", after=HOUR)
    assert (note_of(game, alice), note_of(game, bob)) == ("bob is green", "alice is blue")
    assert {seat.player for seat in game.seats.filter(has_note=True)} == {alice, bob}


def test_it_removes_a_note_that_says_nothing_any_more(game: Game, alice: Player) -> None:
    write(game, alice, "bob is red")
    write(game, alice, "", after=HOUR)
    assert not Note.objects.exists()
    assert not game.seats.filter(has_note=True).exists()


def test_it_keeps_both_when_the_note_was_changed_elsewhere(game: Game, alice: Player) -> None:
    write(game, alice, "first")
    seen = stamp(game, alice)
    write(game, alice, "from the phone", after=HOUR)
    assert write(game, alice, "from the desk", seen=seen, after=2 * HOUR)
    assert note_of(game, alice) == "from the phone\n\n* * *\n\nfrom the desk"


@pytest.mark.parametrize(("late", "kept"), [("", "the phone"), ("phone", "the phone"), ("the phone!", "the phone!")])
def test_it_does_not_repeat_what_the_other_version_says(game: Game, alice: Player, late: str, kept: str) -> None:
    write(game, alice, "the phone", after=HOUR)
    assert write(game, alice, late, seen="", after=2 * HOUR)
    assert note_of(game, alice) == kept


def test_it_takes_a_note_sent_twice_as_one(game: Game, alice: Player) -> None:
    assert not write(game, alice, "bob is red", seen="")
    assert not write(game, alice, "bob is red", seen="", after=MINUTE)
    assert note_of(game, alice) == "bob is red"
    assert stamp(game, alice) == AT.isoformat()


def test_it_refuses_a_note_that_is_too_long_and_keeps_the_old_one(game: Game, alice: Player) -> None:
    write(game, alice, "é" * LONGEST_NOTE)
    with pytest.raises(play.NoteTooLong):
        write(game, alice, "x" * (LONGEST_NOTE + 1))
    with pytest.raises(play.NoteTooLong):
        write(game, alice, "from elsewhere", seen="")
    assert note_of(game, alice) == "é" * LONGEST_NOTE


def test_it_keeps_notes_until_after_the_end(game: Game, alice: Player, bob: Player) -> None:
    play_random(game, 5)
    play.resign(game, player=bob, at=AT)
    write(game, bob, "I have looked on")
    play_out(game)
    write(game, alice, "well played", after=HOUR)
    assert (note_of(game, alice), note_of(game, bob)) == ("well played", "I have looked on")


def test_it_has_notes_only_for_who_sits_at_a_table_that_has_started(alice: Player, game: Game, mallory: Player) -> None:
    with pytest.raises(play.GameNotRunning):
        write(make_table(alice), alice, "hm")
    with pytest.raises(play.NoSuchSeat):
        write(game, mallory, "hm")
    assert not Note.objects.exists()


# --- Sheets ------------------------------------------------------------------------------------------


def test_it_notes_each_change_with_ply_and_time(game: Game, alice: Player) -> None:
    assert mark(game, alice, "suspected") == [(0, "suspected")]
    play_random(game, 3)
    assert mark(game, alice, "excluded", after=HOUR) == [(0, "suspected"), (3, "excluded")]
    assert mark(game, alice, "possible", after=2 * HOUR)[-1] == (3, "possible")
    assert [change.at for change in Suspicion.objects.order_by("pk")] == [AT, AT + HOUR, AT + 2 * HOUR]
    assert game.seats.get(player=alice).has_sheet


def test_it_changes_nothing_when_it_is_marked_so(game: Game, alice: Player) -> None:
    assert mark(game, alice, "possible") == []
    mark(game, alice, "excluded")
    assert mark(game, alice, "excluded", after=HOUR) == [(0, "excluded")]
    assert Suspicion.objects.get().at == AT


def test_it_forgets_marks_that_were_only_passed(game: Game, alice: Player) -> None:
    assert mark(game, alice, "suspected") == [(0, "suspected")]
    assert mark(game, alice, "excluded", after=MINUTE / 2) == [(0, "excluded")]
    assert mark(game, alice, "possible", after=MINUTE) == []


def test_it_goes_back_to_what_was_marked_before(game: Game, alice: Player) -> None:
    mark(game, alice, "suspected")
    mark(game, alice, "excluded", after=HOUR)
    mark(game, alice, "possible", after=HOUR + MINUTE / 2)
    assert mark(game, alice, "suspected", after=HOUR + MINUTE) == [(0, "suspected")]


def test_it_keeps_what_was_marked_before_the_last_move(game: Game, alice: Player) -> None:
    mark(game, alice, "suspected")
    play_random(game, 1)
    assert mark(game, alice, "excluded", after=MINUTE / 2) == [(0, "suspected"), (1, "excluded")]


def test_it_keeps_the_cells_of_a_sheet_apart(game: Game, alice: Player, bob: Player) -> None:
    for cell in range(8):
        mark(game, alice, "excluded", cell=cell)
    mark(game, bob, "suspected")
    assert Suspicion.objects.filter(seat__player=alice).count() == 8
    assert Suspicion.objects.filter(seat__player=bob).count() == 1


def test_it_refuses_my_own_seat_my_own_clan_and_nobody(game: Game, alice: Player) -> None:
    mine = game.seats.get(player=alice)
    assert mine.number is not None
    [other, *_rest] = suspects(game, alice)
    for about, clan in ((mine.number, other[1]), (other[0], mine.clan), (3, other[1])):
        with pytest.raises(play.NotToSuspect):
            play.mark_suspicion(game, player=alice, about=about, clan=clan, mark="suspected", at=AT)
    assert not Suspicion.objects.exists()


def test_it_ends_with_the_game_and_with_resigning(game: Game, alice: Player, bob: Player, mallory: Player) -> None:
    about, clan = suspects(game, alice)[0]
    with pytest.raises(play.NoSuchSeat):
        play.mark_suspicion(game, player=mallory, about=about, clan=clan, mark="suspected", at=AT)
    about, clan = suspects(game, bob)[0]
    play.resign(game, player=bob, at=AT)
    with pytest.raises(play.NoSuchSeat):
        play.mark_suspicion(game, player=bob, about=about, clan=clan, mark="suspected", at=AT)
    play_out(game)
    about, clan = suspects(game, alice)[0]
    with pytest.raises(play.GameNotRunning):
        play.mark_suspicion(game, player=alice, about=about, clan=clan, mark="suspected", at=AT)
    assert not Suspicion.objects.exists()


def test_it_has_an_end(game: Game, alice: Player) -> None:
    seat, (about, clan) = game.seats.get(player=alice), suspects(game, alice)[0]
    old = Suspicion(seat=seat, about=about, clan=clan, mark="suspected", ply=0, at=AT - HOUR)
    Suspicion.objects.bulk_create([old] * MOST_CHANGES)
    with pytest.raises(play.SheetFull):
        mark(game, alice, "excluded")
    assert Suspicion.objects.count() == MOST_CHANGES


def test_it_leaves_game_and_seats_of_others_alone(game: Game, alice: Player) -> None:
    columns = Game.objects.filter(pk=game.pk).values(), Seat.objects.exclude(player=alice).values()
    before = [list(rows.all()) for rows in columns]
    write(game, alice, "hm")
    mark(game, alice, "suspected")
    assert [list(rows.all()) for rows in columns] == before
