"""Who stays away: the autopilot, coming back, withdrawing its move, nudging."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games import play
from games.models import Game, Notice, Player, Seat, Vacation
from tests.cast import AT, make_game, make_table, play_random, seat_to_move
from tests.pages.helpers import to_move

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
OVERDUE = AT + 72 * HOUR + 7 * DAY


def let_run_out(game: Game) -> Game:
    """The game after the autopilot has moved for whoever is to move."""
    game.refresh_from_db()
    assert game.due_at is not None
    assert play.end_overdue_turns(at=game.due_at) == 1
    game.refresh_from_db()
    return game


def test_it_moves_for_who_is_late_and_not_a_second_before(game: Game) -> None:
    first = seat_to_move(game)
    assert play.end_overdue_turns(at=OVERDUE - timedelta(seconds=1)) == 0
    assert play.end_overdue_turns(at=OVERDUE) == 1
    assert play.end_overdue_turns(at=OVERDUE) == 0
    move = game.moves.get()
    assert (move.seat, move.by_bot, move.by_autopilot) == (first.number, True, True)
    seat = Seat.objects.get(pk=first.pk)
    assert (seat.player, seat.is_bot, seat.autopiloted) == (first.player, False, 1)
    assert seat.reserve_used == 7 * DAY
    told = Notice.objects.get(kind=Notice.Kind.AUTOPILOT)
    assert (told.seat, told.ply) == (first, 1)


def test_it_asks_the_calendar_before_it_moves(game: Game) -> None:
    """Who planned the vacation was killed before the clock was set again."""
    player = to_move(game)
    Vacation.objects.create(player=player, starts_at=AT, ends_at=AT + 10 * DAY, days=10, created_at=AT)
    Player.objects.filter(pk=player.pk).update(vacation_until=AT + 10 * DAY)
    assert play.end_overdue_turns(at=OVERDUE) == 0
    assert Game.objects.get(pk=game.pk).due_at == OVERDUE + 10 * DAY
    assert play.end_overdue_turns(at=OVERDUE + 10 * DAY) == 1


def test_it_lets_the_sweep_move_only_while_nobody_has(game: Game) -> None:
    """The late player moves while the autopilot thinks: it finds the game moved on."""
    play_random(game, 1, every=OVERDUE - AT + timedelta(seconds=3))
    assert play.play_bot_turn(game.pk, at=OVERDUE + timedelta(seconds=3)) is None
    assert game.moves.count() == 1


def test_it_keeps_the_seat_after_three_in_a_row_until_its_player_returns(alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    absent = seat_to_move(game)
    assert absent.player is not None
    for moves in (1, 2, 3):
        let_run_out(game)
        assert Seat.objects.get(pk=absent.pk).autopiloted == moves
        play_random(game, 1, seed=moves)
    game.refresh_from_db()
    assert (game.to_move, game.awaited, game.due_at) == (absent.number, None, None)
    assert play.bots_to_move() == [game.pk]
    assert game.turn_since is not None
    at = game.turn_since + HOUR
    play.mark_seen(game, player=absent.player, ply=game.ply, at=at)
    game.refresh_from_db()
    assert (game.awaited, game.turn_since) == (absent.player, at)
    assert Seat.objects.get(pk=absent.pk).autopiloted == 0
    assert play.bots_to_move() == []
    assert Notice.objects.filter(seat=absent, kind=Notice.Kind.TURN, ply=game.ply).count() == 1


def test_it_counts_in_a_row_only(alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    late = seat_to_move(game)
    let_run_out(game)
    play_random(game, 2)
    assert Seat.objects.get(pk=late.pk).autopiloted == 0


def test_it_plays_on_by_itself_while_its_player_is_away(alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    absent = seat_to_move(game)
    for moves in (1, 2, 3):
        let_run_out(game)
        play_random(game, 1, seed=moves)
    assert play.play_bot_turn(game.pk, at=AT + 90 * DAY) is not None
    last = game.moves.latest("ply")
    assert (last.seat, last.by_bot, last.by_autopilot) == (absent.number, True, True)
    # That it keeps the seat was told with the third.
    assert Notice.objects.filter(seat=absent, kind=Notice.Kind.AUTOPILOT).count() == 3


def test_it_abandons_a_game_in_which_nobody_of_flesh_is_left(alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    for _turn in range(5):
        let_run_out(game)
        assert game.status == Game.Status.RUNNING
    let_run_out(game)
    assert (game.status, game.end) == (Game.Status.FINISHED, "abandoned")
    assert Notice.objects.filter(seat__game=game, kind=Notice.Kind.FINISHED).count() == 2


def test_it_asks_nobody_to_agree_who_has_left_the_seat_to_the_autopilot(alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    absent = seat_to_move(game)
    for moves in (1, 2, 3):
        let_run_out(game)
        play_random(game, 1, seed=moves)
    present = bob if absent.player == alice else alice
    play.agree_to_abandon(game, player=present, agrees=True, at=AT + 60 * DAY)
    assert Game.objects.get(pk=game.pk).end == "abandoned"


def test_it_abandons_instead_where_the_table_says_so(alice: Player, bob: Player) -> None:
    game = make_table(alice, size=2, terms=play.Terms(overdue="abandon"))
    play.join_table(game, player=bob, at=AT)
    assert play.end_overdue_turns(at=OVERDUE - timedelta(seconds=1)) == 0
    assert play.end_overdue_turns(at=OVERDUE) == 1
    game.refresh_from_db()
    assert (game.end, game.moves.count()) == ("abandoned", 0)


def test_it_goes_on_when_one_table_fails(alice: Player, bob: Player, caplog: pytest.LogCaptureFixture) -> None:
    broken, sound = make_game(alice, bob), make_game(alice, bob)
    Game.objects.filter(pk=broken.pk).update(huts="r" * 60)
    assert play.end_overdue_turns(at=OVERDUE) == 1
    assert sound.moves.count() == 1
    assert f"the overdue turn of game {broken.pk} cannot be ended" in caplog.text


def test_it_withdraws_the_move_of_the_autopilot_once(game: Game) -> None:
    late = seat_to_move(game)
    player = to_move(game)
    let_run_out(game)
    at = OVERDUE + HOUR
    play.withdraw_autopilot(game, player=player, at=at)
    game.refresh_from_db()
    assert (game.ply, game.edition, game.awaited, game.moves.count()) == (0, 1, player, 0)
    assert game.due_at == at + 72 * HOUR
    turns = Notice.objects.filter(seat=late, kind=Notice.Kind.TURN, ply=0)
    assert sorted(turns.values_list("number", flat=True)) == [0, 1]
    play.withdraw_autopilot(game, player=player, at=at + timedelta(seconds=1))
    assert Game.objects.get(pk=game.pk).turn_since == at
    let_run_out(game)
    with pytest.raises(play.NothingToWithdraw):
        play.withdraw_autopilot(game, player=player, at=at + 90 * DAY)


def test_it_takes_back_what_was_done_about_the_turn_after(game: Game) -> None:
    """Who is next has taken a day and told the others of tonight; their turn is over before they moved."""
    late = to_move(game)
    let_run_out(game)
    then = to_move(game)
    play.take_reserve_day(game, player=then, at=OVERDUE)
    play.tell_others(game, player=then, what="tonight", at=OVERDUE)
    play.withdraw_autopilot(game, player=late, at=OVERDUE + HOUR)
    play_random(game, 1)
    seat = game.seats.get(player=then)
    assert (seat.reserve_taken, seat.reserve_used, seat.says, seat.says_at) == (timedelta(), timedelta(), "", None)
    game.refresh_from_db()
    assert game.turn_since is not None
    assert (game.awaited, game.free_until) == (then, game.turn_since + 72 * HOUR)


def test_it_withdraws_nothing_once_somebody_has_moved(game: Game) -> None:
    player = to_move(game)
    let_run_out(game)
    play_random(game, 1)
    before = list(game.moves.values())
    with pytest.raises(play.NothingToWithdraw):
        play.withdraw_autopilot(game, player=player, at=OVERDUE + DAY)
    assert list(game.moves.values()) == before


def test_it_withdraws_nothing_that_a_player_has_moved(game: Game) -> None:
    player = to_move(game)
    play_random(game, 1)
    with pytest.raises(play.NothingToWithdraw):
        play.withdraw_autopilot(game, player=player, at=AT + DAY)


def test_it_withdraws_nothing_for_another(game: Game, mallory: Player) -> None:
    late = to_move(game)
    let_run_out(game)
    other = next(seat.player for seat in game.seats.all() if seat.player != late)
    assert other is not None
    with pytest.raises(play.NothingToWithdraw):
        play.withdraw_autopilot(game, player=other, at=OVERDUE)
    with pytest.raises(play.NoSuchSeat):
        play.withdraw_autopilot(game, player=mallory, at=OVERDUE)


def test_it_refuses_what_was_made_for_the_withdrawn_move(game: Game) -> None:
    """Bob has drawn up his move for the position that the autopilot made; after the withdrawal and another move the
    game has as many moves, but stands otherwise."""
    late = to_move(game)
    let_run_out(game)
    made_for = (game.ply, game.edition)
    play.withdraw_autopilot(game, player=late, at=OVERDUE)
    play_random(game, 1, seed=7)
    game.refresh_from_db()
    assert game.ply == made_for[0]
    with pytest.raises(play.StaleMove):
        play.play_move(
            game, seat=seat_to_move(game), move="A1-A2", ply=game.ply, key="k", at=OVERDUE, edition=made_for[1]
        )


def test_it_nudges_once_a_day_and_not_in_the_first_of_a_turn(game: Game) -> None:
    waited_for = seat_to_move(game)
    waiting = next(seat for seat in game.seats.all() if seat.pk != waited_for.pk)
    assert waiting.player is not None
    hours = {23: False, 24: True, 47: False, 48: True}
    for hour, works in hours.items():
        if works:
            play.nudge(game, player=waiting.player, at=AT + hour * HOUR)
        else:
            with pytest.raises(play.NudgedAlready):
                play.nudge(game, player=waiting.player, at=AT + hour * HOUR)
    nudges = Notice.objects.filter(kind=Notice.Kind.NUDGE).order_by("pk")
    assert list(nudges.values_list("seat", "number", "about")) == [
        (waited_for.pk, 0, waiting.number),
        (waited_for.pk, 1, waiting.number),
    ]


def test_it_nudges_once_for_two_clicks(game: Game) -> None:
    waited_for = seat_to_move(game)
    one, other = (seat.player for seat in game.seats.exclude(pk=waited_for.pk).select_related("player"))
    assert one
    assert other
    at = AT + DAY
    for seconds in (0, 1, 59):
        play.nudge(game, player=one, at=at + timedelta(seconds=seconds))
    assert Notice.objects.filter(kind=Notice.Kind.NUDGE).count() == 1
    for player, late in ((other, timedelta(seconds=1)), (one, timedelta(minutes=1))):
        with pytest.raises(play.NudgedAlready):
            play.nudge(game, player=player, at=at + late)


def test_it_nudges_neither_oneself_nor_a_computer_player(alice: Player, bob: Player, mallory: Player) -> None:
    game = make_game(alice, bob, bots=1)
    while game.awaited is None:
        play_random(game, 1)
    later = AT + 5 * DAY
    with pytest.raises(play.NobodyToNudge):
        play.nudge(game, player=to_move(game), at=later)
    with pytest.raises(play.NoSuchSeat):
        play.nudge(game, player=mallory, at=later)
    while Game.objects.get(pk=game.pk).awaited is not None:
        play_random(game, 1)
    with pytest.raises(play.NobodyToNudge):
        play.nudge(game, player=alice, at=later)


def test_it_sees_nothing_for_strangers(game: Game, mallory: Player) -> None:
    with pytest.raises(play.NoSuchSeat):
        play.mark_seen(game, player=mallory, ply=0, at=AT)
