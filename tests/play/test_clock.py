"""Clocks of turns: what is due when, what is drawn, who is reminded (issue: pace, reserve, calendar)."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta

import pytest

from games import play
from games.models import Game, Notice, Player, Seat, Vacation
from tests.cast import AT, make_game, make_table, play_random, random_move, seat_to_move
from tests.pages.helpers import to_move

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
FREE, RESERVE = 72 * HOUR, 7 * DAY


def reminders(game: Game) -> list[Notice]:
    return list(Notice.objects.filter(seat__game=game, kind=Notice.Kind.REMINDER).order_by("pk"))


def test_it_winds_up_the_clock_when_a_turn_begins(game: Game) -> None:
    assert (game.turn_since, game.free_until, game.due_at) == (AT, AT + FREE, AT + FREE + RESERVE)
    assert game.remind_at is not None
    play_random(game, 1, every=5 * HOUR)
    game.refresh_from_db()
    began = AT + 5 * HOUR
    assert (game.turn_since, game.free_until, game.due_at) == (began, began + FREE, began + FREE + RESERVE)


def test_it_draws_nothing_from_who_moves_in_time(game: Game) -> None:
    first = seat_to_move(game)
    play_random(game, 1, every=FREE)
    assert Seat.objects.get(pk=first.pk).reserve_used == timedelta()


def test_it_draws_on_the_reserve_of_who_takes_longer(game: Game) -> None:
    first = seat_to_move(game)
    play_random(game, 1, every=FREE + 30 * HOUR)
    assert Seat.objects.get(pk=first.pk).reserve_used == 30 * HOUR
    play_random(game, 2)
    game.refresh_from_db()
    assert game.turn_since is not None
    assert (game.to_move, game.due_at) == (first.number, game.turn_since + FREE + RESERVE - 30 * HOUR)


def test_it_lets_nobody_who_is_late_lose_a_move_that_comes_first(game: Game) -> None:
    late = FREE + RESERVE + timedelta(seconds=5)
    first = seat_to_move(game)
    play_random(game, 1, every=late)
    assert game.moves.get().by_bot is False
    assert Seat.objects.get(pk=first.pk).reserve_used == RESERVE
    assert play.end_overdue_turns(at=AT + late) == 0


def test_it_has_no_clock_for_a_computer_player(alice: Player) -> None:
    game = make_game(alice, bots=3)
    while game.awaited is not None:
        play_random(game, 1)
    assert (game.free_until, game.due_at, game.remind_at) == (None, None, None)


def test_it_stands_still_when_the_game_is_over(game: Game) -> None:
    play_random(game)
    game.refresh_from_db()
    assert (game.status, game.free_until, game.due_at, game.remind_at) == ("finished", None, None, None)


def test_it_never_ends_a_turn_in_quiet_hours(game: Game) -> None:
    player = to_move(game)
    Player.objects.filter(pk=player.pk).update(quiet_from=time(22), quiet_until=time(8))
    player.refresh_from_db()
    play.reset_clocks(player, at=AT)
    game.refresh_from_db()
    assert game.due_at == AT + FREE + RESERVE
    # There it is 22:00 when the free time is over.
    Player.objects.filter(pk=player.pk).update(time_zone="Europe/Helsinki")
    player.refresh_from_db()
    play.reset_clocks(player, at=AT)
    game.refresh_from_db()
    assert game.free_until == datetime(2026, 3, 6, 6, 0, tzinfo=UTC)


def test_it_keeps_its_promise_when_wishes_change(game: Game) -> None:
    player = to_move(game)
    Player.objects.filter(pk=player.pk).update(days_off="56")
    player.refresh_from_db()
    play.reset_clocks(player, at=AT)
    promised = Game.objects.get(pk=game.pk).due_at
    Player.objects.filter(pk=player.pk).update(days_off="")
    player.refresh_from_db()
    play.reset_clocks(player, at=AT + HOUR, keeps_promise=True)
    assert Game.objects.get(pk=game.pk).due_at == promised


def on_vacation(player: Player, *, starts: datetime, days: int) -> None:
    ends = starts + days * DAY
    Vacation.objects.create(player=player, starts_at=starts, ends_at=ends, days=days, created_at=AT)
    Player.objects.filter(pk=player.pk).update(vacation_until=ends)
    player.refresh_from_db()


def test_it_stands_still_on_vacation(game: Game) -> None:
    player, first = to_move(game), seat_to_move(game)
    on_vacation(player, starts=AT + 10 * HOUR, days=14)
    play.reset_clocks(player, at=AT)
    game.refresh_from_db()
    assert (game.free_until, game.due_at) == (AT + FREE + 14 * DAY, AT + FREE + RESERVE + 14 * DAY)
    play_random(game, 1, every=FREE + 14 * DAY + 3 * HOUR)
    assert Seat.objects.get(pk=first.pk).reserve_used == 3 * HOUR


def test_it_does_not_stand_still_where_vacations_do_not_count(alice: Player, bob: Player) -> None:
    game = make_table(alice, size=2, terms=play.Terms(allows_vacation=False))
    play.join_table(game, player=bob, at=AT)
    game.refresh_from_db()
    on_vacation(to_move(game), starts=AT, days=14)
    play.reset_clocks(to_move(game), at=AT)
    assert Game.objects.get(pk=game.pk).due_at == AT + FREE + RESERVE


def test_it_reminds_up_the_ladder_and_the_next_move_takes_it_away(game: Game) -> None:
    called = to_move(game)
    owed, at = 0, AT
    while at < AT + FREE + RESERVE:
        owed += play.owe_reminders(at=at)
        at += HOUR
    found = reminders(game)
    assert owed == len(found) == 6
    assert [notice.number for notice in found] == [1, 2, 3, 4, 5, 6]
    assert {notice.seat.player for notice in found} == {called}
    assert all(8 <= notice.created_at.hour <= 22 for notice in found)
    assert Game.objects.get(pk=game.pk).remind_at is None
    play_random(game, 1, every=FREE + RESERVE)
    assert play.owe_reminders(at=at) == 0


def test_it_reminds_nobody_twice_at_the_same_time(game: Game) -> None:
    at = AT + FREE + RESERVE - timedelta(minutes=1)
    assert [play.owe_reminders(at=at), play.owe_reminders(at=at)] == [1, 0]
    assert len(reminders(game)) == 1


def test_it_owes_more_reminders_than_fit_into_one_transaction(
    alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.play.deadlines.CHUNK", 2)
    for _game in range(5):
        make_game(alice, bob)
    assert play.owe_reminders(at=AT + 2 * DAY) == 5


def test_it_reminds_in_the_evening_who_will_play_tonight(game: Game) -> None:
    player = to_move(game)
    at = datetime(2026, 3, 4, 10, 0, tzinfo=UTC)
    play.tell_others(game, player=player, what="tonight", at=at)
    game.refresh_from_db()
    seat = seat_to_move(game)
    assert game.remind_at == datetime(2026, 3, 4, 20, 0, tzinfo=UTC)
    assert (seat.says, seat.says_at) == ("tonight", at)
    play_random(game, 1, every=2 * DAY)
    assert Seat.objects.get(pk=seat.pk).says == ""


def set_again(game: Game, player: Player, *, at: datetime) -> None:
    play.reset_clocks(player, at=at)


def take_a_day(game: Game, player: Player, *, at: datetime) -> None:
    play.take_reserve_day(game, player=player, at=at)


def plan_a_vacation(_game: Game, player: Player, *, at: datetime) -> None:
    play.plan_vacation(player, first=at.date() + 2 * DAY, last=at.date() + 3 * DAY, at=at)


@pytest.mark.parametrize("change", [set_again, take_a_day, plan_a_vacation])
@pytest.mark.parametrize("hour", [7, 10])
def test_it_reminds_in_the_evening_though_the_clock_is_set_again(
    game: Game, hour: int, change: Callable[..., None]
) -> None:
    """Without that the reminder would come at eight in the morning, or the night after."""
    player, at = to_move(game), datetime(2026, 3, 4, hour, 0, tzinfo=UTC)
    play.tell_others(game, player=player, what="tonight", at=at)
    change(game, player, at=at + timedelta(minutes=5))
    assert Game.objects.get(pk=game.pk).remind_at == datetime(2026, 3, 4, 20, 0, tzinfo=UTC)
    assert [play.owe_reminders(at=at + hours * HOUR) for hours in (0, 20 - hour)] == [0, 1]
    after = Game.objects.get(pk=game.pk).remind_at
    play.reset_clocks(player, at=datetime(2026, 3, 4, 20, 5, tzinfo=UTC))
    usual = Game.objects.get(pk=game.pk).remind_at
    assert after
    assert usual
    assert after > datetime(2026, 3, 5, 0, 0, tzinfo=UTC) < usual


def test_it_reminds_in_the_evening_when_quiet_hours_let_it(game: Game) -> None:
    player, at = to_move(game), datetime(2026, 3, 4, 10, 0, tzinfo=UTC)
    play.tell_others(game, player=player, what="tonight", at=at)
    player.quiet_from, player.quiet_until = time(18), time(9)
    player.save()
    play.reset_clocks(player, at=at)
    assert Game.objects.get(pk=game.pk).remind_at == datetime(2026, 3, 5, 9, 0, tzinfo=UTC)


def test_it_keeps_to_the_ladder_where_the_evening_is_too_late(game: Game) -> None:
    player, at = to_move(game), AT + FREE + RESERVE + 30 * HOUR
    Game.objects.filter(pk=game.pk).update(turn_since=AT + 32 * HOUR)
    play.reset_clocks(player, at=at)
    before = Game.objects.get(pk=game.pk)
    assert before.due_at == datetime(2026, 3, 14, 4, 0, tzinfo=UTC)
    play.tell_others(game, player=player, what="tonight", at=datetime(2026, 3, 13, 21, 0, tzinfo=UTC))
    play.reset_clocks(player, at=at)
    assert Game.objects.get(pk=game.pk).remind_at == before.remind_at


def test_it_takes_one_day_for_one_click(game: Game) -> None:
    """A button names the turn as it stood; clicked twice, it was one click."""
    player = to_move(game)
    turn = play.Turn(edition=0, ply=0, days=0)
    for _click in range(2):
        play.take_reserve_day(game, player=player, turn=turn, at=AT)
    assert game.seats.get(player=player).reserve_taken == DAY
    play.take_reserve_day(game, player=player, turn=play.Turn(0, 0, 1), at=AT)
    assert game.seats.get(player=player).reserve_taken == 2 * DAY
    for stale in (turn, play.Turn(0, 3, 2), play.Turn(1, 0, 2), play.Turn(0, 0, 5)):
        with pytest.raises(play.StaleAnswer):
            play.take_reserve_day(game, player=player, turn=stale, at=AT)
    assert game.seats.get(player=player).reserve_taken == 2 * DAY


def test_it_takes_a_day_from_the_reserve(game: Game) -> None:
    player, seat = to_move(game), seat_to_move(game)
    play.take_reserve_day(game, player=player, at=AT + HOUR)
    game.refresh_from_db()
    assert (game.free_until, game.due_at) == (AT + FREE + DAY, AT + FREE + RESERVE)
    play_random(game, 1, every=2 * HOUR)
    assert Seat.objects.get(pk=seat.pk).reserve_used == DAY


def test_it_takes_no_day_that_is_not_there(alice: Player, bob: Player) -> None:
    game = make_table(alice, size=2, terms=play.Terms(move_hours=12, reserve_hours=30))
    play.join_table(game, player=bob, at=AT)
    game.refresh_from_db()
    play.take_reserve_day(game, player=to_move(game), at=AT)
    before = Game.objects.values().get(pk=game.pk)
    with pytest.raises(play.NoReserve):
        play.take_reserve_day(game, player=to_move(game), at=AT)
    assert Game.objects.values().get(pk=game.pk) == before


def test_it_lets_only_who_is_to_move_answer(game: Game, mallory: Player) -> None:
    other = next(seat.player for seat in game.seats.all() if seat.player != to_move(game))
    assert other is not None
    for player in (other, mallory):
        with pytest.raises(play.NotYourTurn):
            play.tell_others(game, player=player, what="thinking", at=AT)
        with pytest.raises(play.NotYourTurn):
            play.take_reserve_day(game, player=player, at=AT)


def test_it_closes_an_open_table_that_nobody_came_to(alice: Player, bob: Player) -> None:
    table = make_table(alice)
    play.join_table(table, player=bob, at=AT)
    month = AT + 30 * DAY
    assert [play.expire_tables(at=at) for at in (month - HOUR, month, month)] == [0, 1, 0]
    table.refresh_from_db()
    assert (table.status, table.due_at) == (Game.Status.CLOSED, None)
    told = Notice.objects.filter(kind=Notice.Kind.EXPIRED).values_list("seat__player__username", flat=True)
    assert sorted(told) == ["alice", "bob"]


def test_it_refuses_a_move_made_for_another_edition(game: Game) -> None:
    move = random_move(game.position(), random.Random(1))
    with pytest.raises(play.StaleMove):
        play.play_move(game, seat=seat_to_move(game), move=move, ply=0, key="k", at=AT, edition=1)
    play.play_move(game, seat=seat_to_move(game), move=move, ply=0, key="k", at=AT, edition=0)
    assert game.moves.count() == 1
