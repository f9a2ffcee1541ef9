"""How fast a table plays."""

from __future__ import annotations

from datetime import timedelta
from typing import Final, NamedTuple


class Pace(NamedTuple):
    """The time that is free at every turn, and what each player may draw on besides in the whole game."""

    move: timedelta
    reserve: timedelta

    @classmethod
    def of_hours(cls, move: int, reserve: int) -> Pace:
        return cls(timedelta(hours=move), timedelta(hours=reserve))


class Preset(NamedTuple):
    """A pace with a plain name, in hours."""

    key: str
    move_hours: int
    reserve_hours: int

    @property
    def pace(self) -> Pace:
        return Pace.of_hours(self.move_hours, self.reserve_hours)


LEAST_MOVE: Final = timedelta(hours=12)
MOST_MOVE: Final = timedelta(days=14)
MOST_RESERVE: Final = timedelta(days=30)

STEADY: Final = Preset("steady", 72, 7 * 24)
"""The default."""
PRESETS: Final = (
    Preset("brisk", 12, 2 * 24),
    Preset("daily", 24, 5 * 24),
    STEADY,
    Preset("leisurely", 7 * 24, 14 * 24),
    Preset("unhurried", 14 * 24, 30 * 24),
)
"""From the fastest to the slowest."""
PRESETS_BY_KEY: Final = {preset.key: preset for preset in PRESETS}
OWN_PACE: Final = "own"
"""The key of any other pace."""


def key_of_pace(move_hours: int, reserve_hours: int) -> str:
    """The key of the preset with these hours; OWN_PACE where there is none."""
    hours = (move_hours, reserve_hours)
    return next((preset.key for preset in PRESETS if (preset.move_hours, preset.reserve_hours) == hours), OWN_PACE)


def nearest_preset(move_hours: int) -> Preset:
    """The fastest preset that grants as many hours for a move, or more; the slowest if there is none."""
    return next((preset for preset in PRESETS if preset.move_hours >= move_hours), PRESETS[-1])


def hours_near(key: str) -> range:
    """The hours for a move whose nearest preset is that of `key`. Raises StopIteration where there is none."""
    at = next(number for number, preset in enumerate(PRESETS) if preset.key == key)
    fastest = PRESETS[at - 1].move_hours + 1 if at else 1
    return range(fastest, PRESETS[at].move_hours + 1)
