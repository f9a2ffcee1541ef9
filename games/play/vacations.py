"""Vacations: days on which the clocks of a player stand still, at most VACATION_DAYS in a calendar year."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from typing import Final

from django.db.models import Max

from games import clocks
from games.limits import VACATIONS
from games.models import Player, Vacation
from games.play.deadlines import reset_clocks
from games.words.refusals import (
    NoSuchVacation,
    NoVacationLeft,
    VacationBackwards,
    VacationPast,
    VacationsOverlap,
    VacationTooFar,
)

VACATION_DAYS: Final = VACATIONS.rates[0].amount
"""Of each calendar year in the player's zone."""
FARTHEST: Final = timedelta(days=365)
DAY: Final = timedelta(days=1)
INSTANT: Final = timedelta(microseconds=1)


def plan_vacation(player: Player, *, first: date, last: date, at: datetime) -> Vacation:
    """Plan a vacation on the days from `first` to `last` in the zone of `player`; one that begins today begins at `at`.
    When the same one has been planned before, that one is returned.

    The clocks of all turns of `player` are set again: none is due earlier than it was. Raises VacationBackwards,
    VacationPast, VacationTooFar, VacationsOverlap, NoVacationLeft.
    """
    calendar = player.calendar()
    today = calendar.day(at)
    if last < first:
        raise VacationBackwards
    if first < today:
        raise VacationPast
    if last > today + FARTHEST:
        raise VacationTooFar
    starts_at, ends_at = max(at, calendar.midnight(first)), calendar.midnight(last + DAY)
    days = (last - first) // DAY + 1
    with _alone(player):
        planned = player.vacations.filter(starts_at__lt=ends_at, ends_at__gt=starts_at).first()
        if planned and (calendar.day(planned.starts_at), planned.ends_at) == (first, ends_at):
            return planned
        if planned:
            raise VacationsOverlap
        _check_budget(player, first, days)
        vacation = player.vacations.create(starts_at=starts_at, ends_at=ends_at, days=days, created_at=at)
    reset_clocks(player, at=at, keeps_promise=True)
    return vacation


def end_vacation(player: Player, *, vacation: Vacation, at: datetime) -> None:
    """End a vacation at `at`. Days that have begun count as taken, the others can be planned again. A vacation that has
    not begun is deleted.

    Turns that it would have made longer are due earlier again. Raises NoSuchVacation, also when it is over.
    """
    with _alone(player):
        current = player.vacations.filter(pk=vacation.pk, ends_at__gt=at).first()
        if current is None:
            raise NoSuchVacation
        if at <= current.starts_at:
            current.delete()
        else:
            _cut(current, player.calendar(), at=at)
    reset_clocks(player, at=at)


def vacation_days_left(player: Player, *, year: int) -> int:
    """How many days of vacation `player` can still plan in `year`. Costs a query."""
    return VACATION_DAYS - _by_year(_taken(player))[year]


@contextmanager
def _alone(player: Player) -> Iterator[None]:
    """A transaction that locks the vacations of `player`. It ends before any game is locked (design 2.1)."""
    with player.locked():
        yield
        player.vacation_until = player.vacations.aggregate(last=Max("ends_at"))["last"]
        player.save(update_fields=("vacation_until",))


def _cut(vacation: Vacation, calendar: clocks.Calendar, *, at: datetime) -> None:
    """End it at `at`, with the days of the player's calendar that it has begun by then."""
    begun = (calendar.day(at - INSTANT) - calendar.day(vacation.starts_at)) // DAY + 1
    vacation.days, vacation.ends_at = min(begun, vacation.days), at
    vacation.save(update_fields=("days", "ends_at"))


def _check_budget(player: Player, first: date, days: int) -> None:
    wanted = _dates(first, days)
    taken = _by_year(_taken(player) | wanted)
    if any(taken[day.year] > VACATION_DAYS for day in wanted):
        raise NoVacationLeft


def _taken(player: Player) -> set[date]:
    """The days of all vacations of `player`, each counted once, also when one ends and another begins on it."""
    calendar = player.calendar()
    vacations = player.vacations.values_list("starts_at", "days")
    return set().union(*(_dates(calendar.day(starts_at), days) for starts_at, days in vacations))


def _dates(first: date, days: int) -> set[date]:
    return {first + DAY * day for day in range(days)}


def _by_year(days: Iterable[date]) -> Counter[int]:
    return Counter(day.year for day in days)
