"""`play_move`, and the ways out of a game (design 2.1)."""

from __future__ import annotations

import random

import pytest

from games import play, rules
from games.models import Game, Move, Notice, Player, Seat
from tests.cast import AT, make_game, play_random, random_move, seat_to_move


def legal(game: Game) -> rules.Move:
    return random_move(game.position(), random.Random(7))


def submit(
    game: Game, *, seat: Seat | None = None, move: rules.Move | str | None = None, key: str = "k"
) -> play.Played:
    game.refresh_from_db()
    return play.play_move(game, seat=seat or seat_to_move(game), move=move or legal(game), ply=game.ply, key=key, at=AT)


def log_of(game: Game) -> list[str]:
    return list(game.moves.order_by("ply").values_list("text", flat=True))


def test_it_appends_the_move_and_calls_the_next_player(game: Game) -> None:
    mover, move = seat_to_move(game), legal(game)
    played = submit(game, move=str(move).lower())
    game.refresh_from_db()
    assert log_of(game) == [str(played.step.move)] == [str(move)]
    assert (game.ply, game.to_move) == (1, (mover.number + 1) % 3 if mover.number is not None else None)
    assert game.awaited == seat_to_move(game).player
    assert Notice.objects.filter(seat=seat_to_move(game), kind="turn", ply=1).count() == 1


def test_it_gives_the_first_answer_again_for_a_move_sent_twice(game: Game) -> None:
    mover = seat_to_move(game)
    first = submit(game)
    again = play.play_move(game, seat=mover, move=str(first.step.move), ply=0, key="k", at=AT)
    assert not first.again
    assert again.again
    assert again.step == first.step
    assert len(log_of(game)) == 1


def test_it_takes_the_same_key_from_another_seat_as_another_move(game: Game) -> None:
    submit(game, key="k")
    submit(game, key="k")
    assert len(log_of(game)) == 2


def test_it_refuses_a_move_made_for_an_earlier_ply(game: Game) -> None:
    mover = seat_to_move(game)
    submit(game)
    with pytest.raises(play.StaleMove):
        play.play_move(game, seat=mover, move=legal(game), ply=0, key="other", at=AT)
    assert len(log_of(game)) == 1


def test_it_refuses_a_move_out_of_turn(game: Game) -> None:
    waiting = game.seats.exclude(pk=seat_to_move(game).pk)[0]
    with pytest.raises(play.NotYourTurn):
        submit(game, seat=waiting)
    assert log_of(game) == []


@pytest.mark.parametrize("text", ["", "C4", "C4-Z9", "C4-D1=", "<script>"])
def test_it_refuses_what_is_no_move(game: Game, text: str) -> None:
    with pytest.raises(rules.InvalidMove):
        play.play_move(game, seat=seat_to_move(game), move=text, ply=0, key="k", at=AT)
    assert log_of(game) == []


def test_it_refuses_an_illegal_move_and_keeps_the_turn(game: Game) -> None:
    with pytest.raises(rules.IllegalMove):
        submit(game, move="A1-L5")
    game.refresh_from_db()
    assert (game.ply, log_of(game)) == (0, [])
    assert not Notice.objects.filter(ply=1).exists()


def test_it_refuses_moves_in_a_game_that_is_over(game: Game) -> None:
    mover, move = seat_to_move(game), legal(game)
    play_random(game)
    ply, log = game.ply, log_of(game)
    with pytest.raises(play.GameNotRunning):
        play.play_move(game, seat=mover, move=move, ply=ply, key="late", at=AT)
    assert log_of(game) == log


@pytest.mark.parametrize("seed", range(3))
def test_it_ends_the_game_with_totals_and_ranks(game: Game, seed: int) -> None:
    """rules 7.3, 7.4"""
    play_random(game, seed=seed)
    seats = list(game.seats.order_by("number"))
    standings = rules.standings(game.position(), [seat.clan for seat in seats])
    assert (game.status, game.end) == (Game.Status.FINISHED, game.position().end)
    assert (game.to_move, game.awaited, game.turn_since) == (None, None, None)
    assert [(seat.chips, seat.total, seat.rank) for seat in seats] == [(s.chips, s.total, s.rank) for s in standings]
    assert Notice.objects.filter(kind="finished", ply=game.ply).count() == 3


def test_it_owes_every_turn_one_mail(game: Game) -> None:
    play_random(game)
    assert Notice.objects.filter(kind="turn").count() == Move.objects.count() == game.ply


def test_it_lets_a_computer_player_take_over_for_who_resigns(game: Game, alice: Player) -> None:
    if seat_to_move(game).player != alice:
        play_random(game, 3 - int(game.seats.get(player=alice).number or 0) + int(game.first or 0))
    play.resign(game, player=alice, at=AT)
    game.refresh_from_db()
    seat = game.seats.get(player=alice)
    assert (seat.is_bot, seat.resigned_at) == (True, AT)
    assert game.awaited != alice
    with pytest.raises(play.ResignedAlready):
        play.resign(game, player=alice, at=AT)


def test_it_refuses_the_move_of_who_has_resigned_meanwhile(game: Game) -> None:
    seat, move = seat_to_move(game), legal(game)
    assert seat.player is not None
    play.resign(game, player=seat.player, at=AT)
    with pytest.raises(play.NotYourTurn):
        play.play_move(game, seat=seat, move=move, ply=0, key="late", at=AT)
    assert log_of(game) == []


def test_it_hands_the_turn_of_who_resigns_to_the_computer_player(game: Game) -> None:
    mover = seat_to_move(game)
    assert mover.player is not None
    play.resign(game, player=mover.player, at=AT)
    assert play.bots_to_move() == [game.pk]
    played = play.play_bot_turn(game.pk, at=AT)
    assert played is not None
    assert game.moves.get().by_bot
    assert play.bots_to_move() == []


def test_it_refuses_that_a_stranger_resigns_or_agrees(game: Game, mallory: Player) -> None:
    with pytest.raises(play.NoSuchSeat):
        play.resign(game, player=mallory, at=AT)
    with pytest.raises(play.NoSuchSeat):
        play.agree_to_abandon(game, player=mallory, agrees=True, at=AT)


def test_it_abandons_the_game_once_everybody_agrees(game: Game, alice: Player, bob: Player, carol: Player) -> None:
    for player, agrees in ((alice, True), (bob, True), (alice, False), (carol, True)):
        play.agree_to_abandon(game, player=player, agrees=agrees, at=AT)
        game.refresh_from_db()
        assert game.status == Game.Status.RUNNING
    play.agree_to_abandon(game, player=alice, agrees=True, at=AT)
    game.refresh_from_db()
    assert (game.status, game.end) == (Game.Status.FINISHED, "abandoned")
    assert set(game.seats.values_list("rank", flat=True)) == {None}


def test_it_does_not_ask_computer_players_whether_to_abandon(alice: Player, bob: Player) -> None:
    game = make_game(alice, bob, bots=1)
    play.resign(game, player=bob, at=AT)
    play.agree_to_abandon(game, player=alice, agrees=True, at=AT)
    game.refresh_from_db()
    assert game.end == "abandoned"


def test_it_lets_computer_players_play_until_a_person_is_to_move(alice: Player) -> None:
    game = make_game(alice, bots=3)
    for _turn in range(4):
        if not play.bots_to_move():
            break
        play.play_bot_turn(game.pk, at=AT)
    game.refresh_from_db()
    assert game.awaited == alice
    assert play.play_bot_turn(game.pk, at=AT) is None


def test_it_plays_whole_games_by_computer_players(alice: Player) -> None:
    game = make_game(alice, bots=2)
    while game.status == Game.Status.RUNNING:
        if not play.play_bot_turn(game.pk, at=AT):
            play_random(game, 1)
        game.refresh_from_db()
    assert game.end in {"villages", "no-moves"}
    by_bot = dict(game.moves.values_list("seat", "by_bot").distinct())
    assert by_bot == {seat.number: seat.is_bot for seat in game.seats.all()}


def test_it_abandons_a_game_when_the_last_person_resigns(alice: Player) -> None:
    game = make_game(alice, bots=2)
    play.resign(game, player=alice, at=AT)
    game.refresh_from_db()
    assert (game.status, game.end, game.due_at) == (Game.Status.FINISHED, "abandoned", None)


def test_it_leaves_a_turn_alone_that_another_has_played_meanwhile(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game row is read, another process moves, then the log is read."""
    game = make_game(alice, bots=3)
    while game.awaited is not None:
        play_random(game, 1)
    position = Game.position

    def read_late(read: Game) -> rules.Position:
        monkeypatch.setattr(Game, "position", position)
        assert play.play_bot_turn(game.pk, at=AT) is not None
        return position(read)

    monkeypatch.setattr(Game, "position", read_late)
    before = game.ply
    assert play.play_bot_turn(game.pk, at=AT) is None
    assert Game.objects.get(pk=game.pk).ply == before + 1
