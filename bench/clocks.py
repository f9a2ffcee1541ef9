"""How long it takes to say when a turn is due and when to remind of it, as each move asks, in CPU time."""

from datetime import UTC, datetime, timedelta
from time import process_time

from games.clocks import STEADY, Calendar, reminder_moments, run

TURNS = 3000
SPRING = datetime(2026, 3, 29, 1, tzinfo=UTC)
"""When the clocks of Europe are put forward."""
SUMMER = datetime(2026, 6, 10, 1, tzinfo=UTC)
PLAIN = Calendar("Europe/Vienna")


def busy(around: datetime) -> Calendar:
    """Someone who sleeps, rests on Sundays and is away for a week, as read from the database."""
    away = around + timedelta(days=5), around + timedelta(days=12)
    return Calendar("Europe/Vienna", (22 * 60, 7 * 60), frozenset({6}), (away,))


def one(began: datetime, *, is_busy: bool) -> None:
    calendar = busy(began) if is_busy else PLAIN
    reminder_moments(run(began, STEADY.pace, used=timedelta(hours=50), calendar=calendar), calendar)


def microseconds(around: datetime, *, is_busy: bool) -> float:
    """For a turn that begins within the three days before `around`."""
    start = process_time()
    for turn in range(TURNS):
        one(around - timedelta(hours=turn % 72, minutes=turn % 60), is_busy=is_busy)
    return (process_time() - start) / TURNS * 1e6


def main() -> None:
    for name, around in (("in summer", SUMMER), ("as clocks change", SPRING)):
        print(f"{name:20} without wishes {microseconds(around, is_busy=False):6.0f} µs")
        print(f"{name:20} with a calendar {microseconds(around, is_busy=True):5.0f} µs")
