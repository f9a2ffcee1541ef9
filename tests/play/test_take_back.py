"""Taking a move back: until somebody has seen it, was called or has moved, and without winning time by it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from datetime import timedelta

import pytest
from pytest_django import Settings

from games import play, rules
from games.models import (
    Game,
    MailMode,
    Move,
    Notice,
    Player,
    Seat,
    TokenTurn,
    TurnToken,
    Webhook,
    WebhookCall,
    make_turn_token,
)
from games.models.mail import Mail
from tests.cast import AT, make_game, play_random, seat_to_move
from tests.made_once import scene

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)
LATER = AT + 5 * timedelta(hours=1)


@pytest.fixture(autouse=True)
def _mails_wait(settings: Settings) -> None:
    settings.MAIL_WAIT_SECONDS = 120


@pytest.fixture
def game(alice: Player, bob: Player) -> Game:
    return scene("duel", lambda: play_random(make_game(alice, bob), 4))


def move_once(game: Game) -> Player:
    """Let whoever is to move make a move LATER; returns the player."""
    seat = seat_to_move(game)
    move = next(move for move in rules.legal_moves(game.position()) if not rules.founding_orders(game.position(), move))
    play.play_move(game, seat=seat, move=move, ply=game.ply, key="taken", edition=game.edition, at=LATER)
    game.refresh_from_db()
    assert seat.player is not None
    return seat.player


def take_back(game: Game, player: Player) -> None:
    play.take_back(game, player=player, ply=game.ply, edition=game.edition, at=LATER + MINUTE)
    game.refresh_from_db()


def seat_of(game: Game, player: Player) -> int:
    """The number of the seat of `player`; that of nobody for a stranger."""
    return next(iter(game.seats.filter(player=player).values_list("number", flat=True)), 9) or 0


def clock_of(game: Game) -> tuple[object, ...]:
    seat = seat_to_move(game)
    clock = (game.to_move, game.awaited, game.turn_since, game.free_until, game.due_at)
    return (*clock, seat.reserve_used, seat.reserve_taken, seat.says, seat.says_at)


def test_it_lets_the_turn_go_on_as_if_it_had_not_ended(game: Game) -> None:
    player = seat_to_move(game).player
    assert player is not None
    play.take_reserve_day(game, player=player, at=AT + MINUTE)
    play.tell_others(game, player=player, what="thinking", at=AT + MINUTE)
    game.refresh_from_db()
    before, log = clock_of(game), list(Move.objects.values_list("ply", "text"))
    move_once(game)
    take_back(game, player)
    assert clock_of(game) == before
    assert list(Move.objects.values_list("ply", "text")) == log
    assert (game.ply, game.edition) == (4, 1)


def test_the_buttons_of_mails_about_the_turn_are_for_it_still(game: Game, alice: Player, bob: Player) -> None:
    for player in (alice, bob):
        seat = game.seats.select_related("game").get(player=player)
        make_turn_token(player, {1: seat}, use=TurnToken.Use.PRESS, at=AT)
    take_back(game, mover := move_once(game))
    turns = TokenTurn.objects.select_related("seat__game", "token")
    assert [turn.token.player for turn in turns if turn.is_open] == [mover]
    assert sorted(turns.values_list("edition", flat=True)) == [0, 1]


def test_nobody_is_called_to_a_move_that_was_taken_back(game: Game) -> None:
    player = move_once(game)
    assert play.may_take_back(game, seat=seat_of(game, player), at=LATER + MINUTE)
    take_back(game, player)
    called = Notice.objects.get(kind="turn", ply=5, number=0)
    assert (called.state, called.reason) == (Notice.State.SUPERSEDED, Notice.Reason.PAST)
    assert Notice.objects.get(kind="turn", ply=4, number=1).seat.player == player
    move_once(game)
    assert Notice.objects.get(kind="turn", ply=5, number=1).state == Notice.State.DUE


def test_a_second_click_is_told_so(game: Game) -> None:
    player = move_once(game)
    ply, edition = game.ply, game.edition
    take_back(game, player)
    with pytest.raises(play.TakenBackAlready):
        play.take_back(game, player=player, ply=ply, edition=edition, at=LATER + MINUTE)


def test_the_form_of_the_move_that_was_taken_back_is_stale(game: Game) -> None:
    seat, move = seat_to_move(game), str(rules.legal_moves(game.position())[0])
    player = move_once(game)
    take_back(game, player)
    with pytest.raises(play.StaleMove):
        play.play_move(game, seat=seat, move=move, ply=4, key="taken", edition=0, at=LATER + MINUTE)


def somebody_saw_it(game: Game) -> None:
    other = game.seats.get(number=game.to_move).player
    assert other is not None
    play.mark_seen(game, player=other, ply=game.ply, at=LATER + MINUTE / 2)


def its_mail_is_out(game: Game) -> None:
    Notice.objects.filter(kind="turn", ply=game.ply).update(state="sent", sent_at=LATER)


def its_mail_is_on_its_way(game: Game) -> None:
    notice = Notice.objects.get(kind="turn", ply=game.ply)
    player = notice.seat.player
    assert player is not None
    notice.mail = Mail.objects.create(player=player, created_at=LATER, due_at=LATER, message_id="<5@example.com>")
    notice.save()


def its_webhook_was_called(game: Game) -> None:
    seat = game.seats.get(number=game.to_move)
    assert seat.player is not None
    hook = Webhook.objects.create(
        player=seat.player, kind=Webhook.Kind.SLACK, url="https://hooks.example.com/", created_at=AT
    )
    turn = {"kind": "turn", "ply": game.ply, "number": game.edition}
    WebhookCall.objects.create(hook=hook, seat=seat, created_at=AT, due_at=AT, state="sent", **turn)


def the_other_has_moved(game: Game) -> None:
    move_once(game)


def the_time_has_run_out(game: Game) -> None:
    assert game.ended_turn is not None
    game.ended_turn["due_at"] = LATER.isoformat()
    game.save()


TOO_LATE = (
    somebody_saw_it,
    its_mail_is_out,
    its_mail_is_on_its_way,
    its_webhook_was_called,
    the_other_has_moved,
    the_time_has_run_out,
)


@pytest.mark.parametrize("happens", TOO_LATE)
def test_it_is_too_late_when(happens: Callable[[Game], None], game: Game) -> None:
    player = move_once(game)
    happens(game)
    game.refresh_from_db()
    log, clock = list(Move.objects.values_list("ply", "text")), clock_of(game)
    assert not play.may_take_back(game, seat=seat_of(game, player), at=LATER + MINUTE)
    with pytest.raises(play.NothingToTakeBack):
        take_back(game, player)
    game.refresh_from_db()
    assert list(Move.objects.values_list("ply", "text")) == log
    assert clock_of(game) == clock


@pytest.mark.parametrize(("seconds", "may"), [(120, True), (121, False)])
@pytest.mark.parametrize("mode", [MailMode.DIGEST, MailMode.NOTHING, MailMode.EVERY])
def test_it_is_over_when_a_mail_would_go_whether_one_goes_or_not(
    game: Game, mode: MailMode, seconds: int, may: bool
) -> None:
    Seat.objects.filter(game=game).update(mail_mode=mode)
    player, at = move_once(game), LATER + timedelta(seconds=seconds)
    assert play.may_take_back(game, seat=seat_of(game, player), at=at) is may
    with nullcontext() if may else pytest.raises(play.NothingToTakeBack):
        play.take_back(game, player=player, ply=game.ply, edition=game.edition, at=at)


def test_who_wants_no_mail_holds_nobody_up(game: Game) -> None:
    Seat.objects.filter(game=game).update(mail_mode=MailMode.NOTHING)
    player = move_once(game)
    assert play.may_take_back(game, seat=seat_of(game, player), at=LATER + MINUTE)
    take_back(game, player)
    assert game.ply == 4


def test_only_who_made_it_takes_it_back(game: Game, alice: Player, bob: Player, mallory: Player) -> None:
    player = move_once(game)
    other = bob if player == alice else alice
    for who, refusal in ((other, play.NothingToTakeBack), (mallory, play.NoSuchSeat)):
        assert not play.may_take_back(game, seat=seat_of(game, who), at=LATER + MINUTE)
        with pytest.raises(refusal):
            take_back(game, who)


def test_a_computer_player_that_has_not_answered_does_not_answer(alice: Player) -> None:
    game = make_game(alice, bots=1)
    while seat_to_move(game).is_bot:
        play.play_bot_turn(game.pk, at=AT)
        game.refresh_from_db()
    player = move_once(game)
    take_back(game, player)
    ply = game.ply
    play.play_bot_turn(game.pk, at=LATER + MINUTE)
    game.refresh_from_db()
    assert (game.ply, game.awaited) == (ply, alice)
    move_once(game)
    play.play_bot_turn(game.pk, at=LATER + MINUTE)
    game.refresh_from_db()
    with pytest.raises(play.NothingToTakeBack):
        take_back(game, alice)


def test_it_is_not_offered_before_a_computer_player(alice: Player) -> None:
    game = make_game(alice, bots=1)
    while seat_to_move(game).is_bot:
        play.play_bot_turn(game.pk, at=AT)
        game.refresh_from_db()
    move_once(game)
    assert not play.may_take_back(game, seat=seat_of(game, alice), at=LATER + MINUTE)


def test_a_move_that_ended_the_game_stays(game: Game) -> None:
    play_random(game)
    player = game.seats.get(number=game.moves.get(ply=game.ply - 1).seat).player
    assert player is not None
    assert not play.may_take_back(game, seat=seat_of(game, player), at=AT)
    with pytest.raises(play.GameNotRunning):
        take_back(game, player)


def test_nobody_who_has_resigned_takes_a_move_back(game: Game) -> None:
    player = move_once(game)
    number = game.seats.get(player=player).number
    assert number is not None
    assert play.may_take_back(game, seat=number, at=LATER)
    play.resign(game, player=player, at=LATER)
    game.refresh_from_db()
    assert not play.may_take_back(game, seat=number, at=LATER)
    with pytest.raises(play.PlayError):
        take_back(game, player)
    assert game.ply == 5
