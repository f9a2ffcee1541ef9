"""The end of a game: each way to it leads through `finish_game`, once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from games import play
from games.models import Game, Notice, Player
from tests.cast import AT, make_game, make_table, play_random

LONG = timedelta(days=60)


def played_out(alice: Player, bob: Player) -> Game:
    return play_random(make_game(alice, bob))


def agreed(alice: Player, bob: Player) -> Game:
    game = make_game(alice, bob)
    for player in (alice, bob):
        play.agree_to_abandon(game, player=player, agrees=True, at=AT)
    return game


def all_resigned(alice: Player, bob: Player) -> Game:
    game = make_game(alice, bob)
    for player in (alice, bob):
        play.resign(game, player=player, at=AT)
    return game


def out_of_time(alice: Player, bob: Player) -> Game:
    game = make_table(alice, size=2, terms=play.Terms(overdue=Game.Overdue.ABANDON))
    play.join_table(game, player=bob, at=AT)
    play.end_overdue_turns(at=AT + LONG)
    return game


@pytest.mark.parametrize("end", [played_out, agreed, all_resigned, out_of_time])
def test_every_end_has_a_result_and_tells_everybody_once(
    alice: Player, bob: Player, end: Callable[[Player, Player], Game]
) -> None:
    game = end(alice, bob)
    game.refresh_from_db()
    assert (game.status, game.to_move, game.awaited, game.due_at) == (Game.Status.FINISHED, None, None, None)
    assert all(seat.total is not None and seat.ended_at == game.ended_at for seat in game.seats.all())
    told = Notice.objects.filter(kind="finished", seat__game=game).values_list("seat__player__username", flat=True)
    assert sorted(told) == ["alice", "bob"]


def test_a_game_that_is_over_does_not_end_again(alice: Player, bob: Player) -> None:
    game = played_out(alice, bob)
    before = list(game.seats.order_by("number").values())
    for verb in (play.resign, play.come_back):
        with pytest.raises(play.GameNotRunning):
            verb(game, player=alice, at=AT + LONG)
    assert play.end_overdue_turns(at=AT + LONG) == 0
    assert list(game.seats.order_by("number").values()) == before
    assert Notice.objects.filter(kind="finished", seat__game=game).count() == 2
