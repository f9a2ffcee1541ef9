"""When a move is due. Pure: standard library only; every moment comes in, with its zone, and goes out in UTC.

A `Pace` is how fast a table plays, a `Calendar` when its player sleeps, rests and is away. `run` gives the `Clock` of
one turn from both, `reminder_moments` when to remind of it. `class_of` and `quantile` tell how fast somebody answers,
`suits_pace` whether that is as fast as a table plays.
"""

from .answer_times import CLASSES, FEW, class_of, quantile, suits_pace
from .calendars import MOST_DAYS_OFF, Calendar, zone_named
from .pace import (
    LEAST_MOVE,
    MOST_MOVE,
    MOST_RESERVE,
    OWN_PACE,
    PRESETS,
    PRESETS_BY_KEY,
    STEADY,
    Pace,
    Preset,
    hours_near,
    key_of_pace,
    nearest_preset,
)
from .reminders import reminder_moments
from .turn import MOST_DELAY, Clock, run
