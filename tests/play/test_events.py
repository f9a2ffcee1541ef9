"""What is done at a game besides moving: it stands in the history, and the others are told by mail."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils.html import strip_tags

from games import pov, words
from games.mail.plan import still_true
from games.models import Event, Game, Mail, Notice, Player
from games.play import (
    agree_to_abandon,
    close_table,
    end_overdue_turns,
    join_table,
    mark_seen,
    mute_player,
    nudge,
    resign,
    take_back,
    withdraw_autopilot,
)
from tests.cast import AT, make_game, make_table, play_random, seat_to_move

pytestmark = pytest.mark.django_db
LATER = AT + timedelta(hours=20)
Kind = Notice.Kind


def history(game: Game) -> list[str]:
    """What was done besides moving, in words."""
    game.refresh_from_db()
    seen = pov.look(game, viewer=None)
    return [words.describe_event(event, seen.seats) for event in seen.events]


def owed(game: Game, kind: str) -> list[str]:
    """Who is owed a mail of that kind, in the order of names."""
    notices = Notice.objects.filter(seat__game=game, kind=kind, state=Notice.State.DUE)
    return sorted(notices.values_list("player__username", flat=True))


def mailed(game: Game) -> None:
    """Let all that is due be in mails."""
    for notice in Notice.objects.filter(seat__game=game, state=Notice.State.DUE, mail=None):
        notice.mail = Mail.objects.create(
            player=notice.player, message_id=f"<{notice.pk}@localhost>", created_at=AT, due_at=AT
        )
        notice.save()


def test_a_resignation_stands_in_the_history_and_the_others_are_told(game: Game, bob: Player) -> None:
    play_random(game, 3)
    resign(game, player=bob, at=LATER)
    assert history(game) == ["bob resigned; a computer player moves on."]
    assert owed(game, Kind.RESIGNED) == ["alice", "carol"]
    play_random(game, 2)
    seen = pov.look(game, viewer=None)
    assert [(event.kind, event.ply) for event in seen.events] == [("resigned", 3)]
    assert pov.look(game, viewer=None, ply=2).events == ()


def test_a_resignation_that_ends_the_game_is_told_as_its_end(alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    resign(game, player=bob, at=LATER)
    resign(game, player=alice, at=LATER)
    assert history(game) == ["bob resigned; a computer player moves on.", "alice resigned; a computer player moves on."]
    assert owed(game, Kind.FINISHED) == ["alice", "bob"]
    assert owed(game, Kind.RESIGNED) == ["alice"]
    assert not still_true(Notice.objects.get(kind=Kind.RESIGNED))


def test_a_proposal_asks_the_others_and_an_agreement_nobody(game: Game, alice: Player, bob: Player) -> None:
    agree_to_abandon(game, player=alice, agrees=True, at=LATER)
    assert owed(game, Kind.PROPOSAL) == ["bob", "carol"]
    agree_to_abandon(game, player=alice, agrees=True, at=LATER)
    agree_to_abandon(game, player=bob, agrees=True, at=LATER)
    assert history(game) == ["alice proposed to abandon the game.", "bob agreed to abandon the game."]
    told = {notice.player.username: still_true(notice) for notice in Notice.objects.filter(kind=Kind.PROPOSAL)}
    assert told == {"bob": False, "carol": True}


def test_a_withdrawal_is_told_to_who_was_told_of_the_proposal(game: Game, alice: Player, carol: Player) -> None:
    agree_to_abandon(game, player=alice, agrees=True, at=LATER)
    agree_to_abandon(game, player=alice, agrees=False, at=LATER)
    assert not any(map(still_true, Notice.objects.filter(kind=Kind.PROPOSAL)))
    assert owed(game, Kind.WITHDRAWN) == []
    agree_to_abandon(game, player=carol, agrees=True, at=LATER)
    mailed(game)
    agree_to_abandon(game, player=carol, agrees=False, at=LATER)
    assert owed(game, Kind.WITHDRAWN) == ["alice", "bob"]
    assert history(game)[-1] == "carol no longer wants to abandon the game."


def test_nobody_is_asked_twice_before_the_next_move(game: Game, alice: Player) -> None:
    play_random(game, 3)
    for agrees in (True, False, True, False, True):
        agree_to_abandon(game, player=alice, agrees=agrees, at=LATER)
        mailed(game)
    assert Notice.objects.filter(kind=Kind.PROPOSAL).count() == 2
    play_random(game, 1)
    agree_to_abandon(game, player=alice, agrees=False, at=LATER)
    agree_to_abandon(game, player=alice, agrees=True, at=LATER)
    assert Notice.objects.filter(kind=Kind.PROPOSAL).count() == 4


def test_a_move_taken_back_is_told_without_the_move(alice: Player, bob: Player) -> None:
    game = play_random(make_game(alice, bob), 4)
    mover = seat_to_move(game).player
    play_random(game, 1)
    assert mover is not None
    assert game.turn_since is not None
    take_back(game, player=mover, ply=game.ply, edition=game.edition, at=game.turn_since)
    assert history(game) == [f"{mover.username} took move 5 back."]
    assert Event.objects.get().text == ""


def test_a_withdrawn_move_of_the_autopilot_is_named(alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    seat = seat_to_move(game)
    assert seat.player is not None
    assert game.due_at is not None

    assert end_overdue_turns(at=game.due_at) == 1
    move = game.moves.get().text
    withdraw_autopilot(game, player=seat.player, at=game.due_at)
    assert history(game) == [f"{seat.name} withdrew the move of the autopilot, {move}."]


def test_playing_again_asks_those_who_played(game: Game, alice: Player, bob: Player, carol: Player) -> None:
    play_random(game)
    table = make_table(alice, follows=game, name="Friday table (2)")
    assert owed(game, Kind.AGAIN) == ["bob", "carol"]
    asked = {notice.player.username: notice for notice in Notice.objects.filter(kind=Kind.AGAIN)}
    assert still_true(asked["bob"])

    join_table(table, player=bob, at=LATER)
    assert not still_true(asked["bob"])
    assert still_true(asked["carol"])
    close_table(table, player=alice, at=LATER)
    assert not still_true(asked["carol"])
    make_table(bob, follows=game, name="Friday table (3)")
    assert Notice.objects.filter(kind=Kind.AGAIN).count() == 4


def test_whom_somebody_has_blocked_asks_them_no_more(game: Game, alice: Player, bob: Player, carol: Player) -> None:
    play_random(game)
    make_table(alice, follows=game)
    asked = {notice.player.username: notice for notice in Notice.objects.filter(kind=Kind.AGAIN)}
    mute_player(bob, alice, blocks=False, at=LATER)
    assert still_true(asked["bob"])
    mute_player(bob, alice, blocks=True, at=LATER)
    assert not still_true(asked["bob"])
    assert still_true(asked["carol"])
    make_table(carol, follows=game)
    assert not still_true(asked["bob"])
    assert still_true(Notice.objects.get(kind=Kind.AGAIN, player=bob, about=game.seats.get(player=carol).number))


def test_a_nudge_stands_in_the_history(game: Game) -> None:
    mover = seat_to_move(game)
    [by, _other] = game.seats.exclude(pk=mover.pk).select_related("player")
    assert by.player is not None
    nudge(game, player=by.player, at=AT + timedelta(hours=25))
    nudge(game, player=by.player, at=AT + timedelta(hours=25, seconds=1))
    assert history(game) == [f"{by.name} nudged the player whose turn it was."]


def test_a_wish_to_play_again_stands_in_the_history_at_its_end(game: Game, alice: Player) -> None:
    play_random(game)
    make_table(alice, follows=game)
    assert history(game) == ["alice asked the others to play again."]
    assert [event.ply for event in pov.look(game, viewer=None).events] == [game.ply]


def test_what_calls_others_does_not_stand_there_for_who_has_blocked_the_caller(
    game: Game, alice: Player, bob: Player, carol: Player
) -> None:
    play_random(game, 2)
    resign(game, player=alice, at=LATER)
    play_random(game)
    make_table(alice, follows=game)
    mute_player(bob, alice, blocks=True, at=LATER)
    game.refresh_from_db()
    kinds = {
        viewer: [event.kind for event in pov.look(game, viewer=viewer).events] for viewer in (None, alice, bob, carol)
    }
    both = [Event.Kind.RESIGNED, Event.Kind.AGAIN]
    assert kinds == {None: both, alice: both, bob: both[:1], carol: both}


def test_a_game_as_it_was_seen_while_it_ran_has_no_wish_to_play_again(game: Game, alice: Player) -> None:
    play_random(game)
    make_table(alice, follows=game)
    assert pov.as_seen_then(pov.look(game, viewer=None), seat=None).events == ()


@pytest.mark.parametrize("ends", [False, True])
def test_news_tell_it_also_where_nobody_has_moved(client: Client, game: Game, bob: Player, ends: bool) -> None:
    if ends:
        play_random(game)
        make_table(bob, follows=game)
        reader, told = (
            game.seats.exclude(player=bob).select_related("player")[0].player,
            "bob asked the others to play again.",
        )
    else:
        reader = seat_to_move(game).player
        by = game.seats.exclude(player=reader).select_related("player")[0]
        assert by.player is not None
        nudge(game, player=by.player, at=AT + timedelta(hours=25))
        told = f"{by.name} nudged the player whose turn it was."
    assert reader is not None
    # Nobody has moved since: these have seen the last move.
    mark_seen(game, player=reader, ply=game.ply, at=AT, watched=True)
    for viewer, is_news in ((reader, True), (None, False)):
        client.logout()
        if viewer:
            client.force_login(viewer)
        page = client.get(f"/tables/{game.slug}/").content.decode()
        before, history = map(strip_tags, page.split('class="history"', 1))
        assert (told in before) is is_news
        assert told in history


def test_who_was_away_reads_what_the_others_did(client: Client, game: Game) -> None:
    play_random(game, 2)
    mover = seat_to_move(game)
    [other] = game.seats.filter(resigned_at=None).exclude(pk=mover.pk).select_related("player")[:1]
    assert other.player is not None
    assert mover.player is not None
    resign(game, player=other.player, at=LATER)
    for player, is_told in ((mover.player, True), (other.player, False)):
        client.force_login(player)
        page = client.get(f"/tables/{game.slug}/").content.decode()
        missed = strip_tags(page.split('class="history"')[0])
        assert (f"{other.name} resigned; a computer player moves on." in missed) is is_told


def test_the_history_on_the_page_has_it_between_the_moves(client: Client, game: Game, bob: Player) -> None:
    play_random(game, 2)
    resign(game, player=bob, at=LATER)
    play_random(game, 1)
    page = client.get(f"/tables/{game.slug}/").content.decode()
    listed = page[page.index('class="history"') :]
    assert listed.index("ply/3/") < listed.index("</a> resigned; a computer player moves on.") < listed.index("ply/2/")
    assert "bob resigned; a computer player moves on." in strip_tags(listed)
