"""Whether a mail is still true when it is to go out."""

from __future__ import annotations

import pytest

from games import play
from games.mail.plan import decide
from games.models import Game, Notice, Player
from tests.cast import AT, play_random, seat_to_move

RUNNING = [Notice.Kind.STARTED, Notice.Kind.TURN]
ALL = [*RUNNING, Notice.Kind.FINISHED]


def goes(notice: Notice) -> bool:
    """Whether the notice goes out when it is owed."""
    return decide(notice, at=notice.created_at).goes


def notice_of(game: Game, kind: str) -> Notice:
    return Notice.objects.filter(seat__game=game, kind=kind).select_related("seat__game", "seat__player").latest("pk")


@pytest.mark.parametrize("kind", RUNNING)
def test_it_is_true_at_first(game: Game, kind: str) -> None:
    assert goes(notice_of(game, kind))


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("gone", [{"mail_mode": "nothing"}, {"is_active": False}])
def test_it_is_not_wanted_any_more(game: Game, kind: str, gone: dict[str, bool]) -> None:
    if kind == Notice.Kind.FINISHED:
        play_random(game)
    assert goes(notice_of(game, kind))
    Player.objects.filter(username=notice_of(game, kind).seat.name).update(**gone)
    assert not goes(notice_of(game, kind))


def test_it_calls_nobody_who_has_moved(game: Game, turn: Notice) -> None:
    play_random(game, 1)
    assert not goes(Notice.objects.get(pk=turn.pk))
    assert goes(notice_of(game, Notice.Kind.TURN))


def test_it_calls_nobody_to_a_later_turn_by_an_old_mail(game: Game, turn: Notice) -> None:
    play_random(game, 3)
    assert seat_to_move(game) == turn.seat
    assert not goes(Notice.objects.get(pk=turn.pk))


def test_it_calls_nobody_who_has_resigned(game: Game, turn: Notice) -> None:
    assert turn.seat.player is not None
    play.resign(game, player=turn.seat.player, at=AT)
    assert not goes(Notice.objects.get(pk=turn.pk))


def test_it_does_not_welcome_who_has_resigned(game: Game) -> None:
    started = notice_of(game, Notice.Kind.STARTED)
    assert started.seat.player is not None
    play.resign(game, player=started.seat.player, at=AT)
    assert not goes(Notice.objects.get(pk=started.pk))


@pytest.mark.parametrize("kind", RUNNING)
def test_it_calls_nobody_to_a_game_that_is_over(game: Game, kind: str) -> None:
    for seat in game.seats.all():
        assert seat.player is not None
        play.agree_to_abandon(game, player=seat.player, agrees=True, at=AT)
    assert not goes(notice_of(game, kind))
    assert goes(notice_of(game, Notice.Kind.FINISHED))


def test_it_tells_the_end_to_who_resigned_too(game: Game, alice: Player) -> None:
    play.resign(game, player=alice, at=AT)
    play_random(game)
    assert goes(Notice.objects.get(seat__player=alice, kind=Notice.Kind.FINISHED))
