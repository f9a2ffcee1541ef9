"""Vacations: what they cost, what they stop, and how they end."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from games import play
from games.models import Game, Player, Vacation
from tests.cast import AT, make_game, make_table, play_random
from tests.pages.helpers import to_move

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
TODAY = AT.date()
DUE = AT + 10 * DAY
"""Three days for the move, seven in reserve."""


def due(game: Game) -> datetime:
    moment = Game.objects.get(pk=game.pk).due_at
    assert moment is not None
    return moment


def plan(player: Player, first: date, days: int = 1, *, at: datetime = AT) -> Vacation:
    return play.plan_vacation(player, first=first, last=first + DAY * (days - 1), at=at)


def left(player: Player, year: int = 2026) -> int:
    return play.vacation_days_left(player, year=year)


def test_it_stops_the_clock_for_whole_days(game: Game) -> None:
    player = to_move(game)
    vacation = plan(player, TODAY + DAY, 5)
    assert (vacation.starts_at, vacation.ends_at) == (AT + 4 * HOUR, AT + 4 * HOUR + 5 * DAY)
    assert due(game) == DUE + 5 * DAY
    assert left(player) == play.VACATION_DAYS - 5


def test_it_stops_the_clock_at_once_for_who_leaves_today(game: Game) -> None:
    player, at = to_move(game), AT + HOUR
    vacation = plan(player, TODAY, 2, at=at)
    assert (vacation.starts_at, vacation.ends_at, vacation.days) == (at, AT + 4 * HOUR + DAY, 2)
    assert due(game) == DUE + 27 * HOUR


def test_it_has_days_as_the_player_has_them(alice: Player) -> None:
    alice.time_zone = "Pacific/Auckland"
    alice.save()
    vacation = plan(alice, date(2026, 4, 5))
    # on that day the clocks go back there
    assert vacation.starts_at == datetime(2026, 4, 4, 11, tzinfo=UTC)
    assert vacation.ends_at == datetime(2026, 4, 5, 12, tzinfo=UTC)
    with pytest.raises(play.VacationPast):
        plan(alice, TODAY)


def test_it_is_planned_once_however_often_it_is_sent(alice: Player) -> None:
    for first, days, at in ((TODAY, 3, AT), (TODAY + 20 * DAY, 2, AT + HOUR)):
        planned = [plan(alice, first, days, at=at + timedelta(seconds=seconds)) for seconds in range(3)]
        assert planned[0] == planned[1] == planned[2]
    assert left(alice) == play.VACATION_DAYS - 5
    with pytest.raises(play.VacationsOverlap):
        plan(alice, TODAY, 2)


def test_it_stops_no_clock_of_others(game: Game) -> None:
    player = to_move(game)
    for seat in game.seats.exclude(player=player).select_related("player"):
        assert seat.player is not None
        plan(seat.player, TODAY, 9)
    assert due(game) == DUE


def test_it_stops_no_clock_where_vacations_do_not_count(alice: Player, bob: Player) -> None:
    game = make_table(alice, size=2, terms=play.Terms(allows_vacation=False))
    play.join_table(game, player=bob, at=AT)
    plan(to_move(game), TODAY, 9)
    assert due(game) == DUE


def test_it_counts_for_turns_that_begin_later(alice: Player, bob: Player) -> None:
    game = make_game(alice, bob)
    waiting = bob if to_move(game) == alice else alice
    plan(waiting, TODAY + DAY, 7)
    play_random(game, 1, every=10 * HOUR)
    assert to_move(game) == waiting
    assert due(game) == AT + 10 * HOUR + 10 * DAY + 7 * DAY - 6 * HOUR


def test_it_brings_no_turn_back_whose_time_is_over(game: Game) -> None:
    plan(to_move(game), (DUE + DAY).date(), 9, at=DUE + DAY)
    assert due(game) == DUE


def test_it_keeps_what_was_promised(game: Game) -> None:
    player = to_move(game)
    Player.objects.filter(pk=player.pk).update(days_off=str(DUE.weekday()))
    player.refresh_from_db()
    play.reset_clocks(player, at=AT)
    promised = due(game)
    assert promised > DUE
    Player.objects.filter(pk=player.pk).update(days_off="")
    player.refresh_from_db()
    plan(player, (DUE + 20 * DAY).date())
    assert due(game) == promised


@pytest.mark.parametrize(
    ("first", "days", "refusal"),
    [
        (-1, 1, play.VacationPast),
        (-1, 5, play.VacationPast),
        (1, 0, play.VacationBackwards),
        (5, -2, play.VacationBackwards),
    ],
)
def test_it_plans_nothing_backwards(alice: Player, first: int, days: int, refusal: type[play.PlayError]) -> None:
    with pytest.raises(refusal):
        plan(alice, TODAY + DAY * first, days)
    assert not Vacation.objects.exists()


def test_it_plans_a_year_ahead_and_no_further(alice: Player) -> None:
    plan(alice, TODAY + 365 * DAY)
    for first, last in ((TODAY + 366 * DAY, TODAY + 366 * DAY), (TODAY, date.max)):
        with pytest.raises(play.VacationTooFar):
            play.plan_vacation(alice, first=first, last=last, at=AT)
    assert Vacation.objects.count() == 1


def test_it_plans_vacations_that_touch_but_none_that_overlap(alice: Player, bob: Player) -> None:
    day = TODAY + 10 * DAY
    plan(alice, day, 3)
    for first, days in ((day, 1), (day - DAY, 2), (day + 2 * DAY, 4), (day - DAY, 9)):
        with pytest.raises(play.VacationsOverlap):
            plan(alice, first, days)
    plan(alice, day - 2 * DAY, 2)
    plan(alice, day + 3 * DAY, 2)
    plan(bob, day, 3)
    assert left(alice) == play.VACATION_DAYS - 7


def test_it_has_a_budget(alice: Player) -> None:
    plan(alice, TODAY + DAY, 20)
    with pytest.raises(play.NoVacationLeft):
        plan(alice, TODAY + 40 * DAY, 11)
    plan(alice, TODAY + 40 * DAY, 10)
    assert left(alice) == 0
    with pytest.raises(play.NoVacationLeft):
        plan(alice, TODAY + 80 * DAY)


def test_it_has_a_budget_of_its_own_for_each_year(alice: Player) -> None:
    plan(alice, date(2026, 12, 12), 40)
    assert (left(alice), left(alice, 2027)) == (10, 10)
    with pytest.raises(play.NoVacationLeft):
        plan(alice, date(2027, 2, 1), 11)
    plan(alice, date(2027, 2, 1), 10)
    assert (left(alice), left(alice, 2027)) == (10, 0)


def test_it_takes_back_what_has_not_begun(game: Game) -> None:
    player = to_move(game)
    vacation = plan(player, TODAY + 2 * DAY, 5)
    play.end_vacation(player, vacation=vacation, at=AT + DAY)
    assert due(game) == DUE
    assert left(player) == play.VACATION_DAYS
    assert not player.vacations.exists()
    assert Player.objects.get(pk=player.pk).vacation_until is None


@pytest.mark.parametrize(
    ("after", "taken"),
    [(HOUR, 1), (DAY, 1), (DAY + timedelta(seconds=1), 2), (4.5 * DAY, 5), (5 * DAY - HOUR, 5)],
)
def test_it_ends_early_and_keeps_the_days_begun(game: Game, after: timedelta, taken: int) -> None:
    player = to_move(game)
    vacation = plan(player, TODAY + DAY, 5)
    play.end_vacation(player, vacation=vacation, at=vacation.starts_at + after)
    assert due(game) == DUE + after
    assert left(player) == play.VACATION_DAYS - taken
    assert player.vacation_until == vacation.starts_at + after


def test_it_counts_the_days_of_the_calendar(alice: Player) -> None:
    """A vacation that begins in the evening has taken a second day by the next morning."""
    vacation = plan(alice, TODAY, 5)
    play.end_vacation(alice, vacation=vacation, at=AT + 14 * HOUR)
    assert left(alice) == play.VACATION_DAYS - 2


@pytest.mark.parametrize(("after", "taken"), [(24.5 * HOUR, 1), (25.5 * HOUR, 2)])
def test_it_knows_a_day_of_25_hours(alice: Player, after: timedelta, taken: int) -> None:
    alice.time_zone = "Europe/Vienna"
    alice.save()
    vacation = plan(alice, date(2026, 10, 25), 3)
    play.end_vacation(alice, vacation=vacation, at=vacation.starts_at + after)
    assert left(alice) == play.VACATION_DAYS - taken


def test_it_goes_again_on_days_that_an_early_end_left_free(alice: Player) -> None:
    vacation = plan(alice, TODAY, 5)
    play.end_vacation(alice, vacation=vacation, at=AT + 30 * HOUR)
    plan(alice, TODAY + 2 * DAY, 5, at=AT + 30 * HOUR)
    assert left(alice) == play.VACATION_DAYS - 7


def test_it_ends_nothing_that_is_over_or_of_others(alice: Player, bob: Player) -> None:
    vacation = plan(alice, TODAY, 2)
    before = list(Vacation.objects.values())
    for player, at in ((alice, vacation.ends_at), (bob, AT + HOUR)):
        with pytest.raises(play.NoSuchVacation):
            play.end_vacation(player, vacation=vacation, at=at)
    assert list(Vacation.objects.values()) == before
    play.end_vacation(alice, vacation=vacation, at=vacation.ends_at - HOUR)


def test_it_knows_when_the_last_of_several_ends(alice: Player) -> None:
    later, sooner = plan(alice, TODAY + 9 * DAY, 2), plan(alice, TODAY, 2)
    alice.refresh_from_db()
    assert alice.vacation_until == later.ends_at
    play.end_vacation(alice, vacation=later, at=AT)
    alice.refresh_from_db()
    assert alice.vacation_until == sooner.ends_at
