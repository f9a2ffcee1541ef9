"""How fast somebody answers: times counted in classes that grow by a fifth, so that many need little room."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from datetime import timedelta
from itertools import accumulate
from typing import Final

from .pace import Pace

STEPS: Final = 4
"""Classes from a time to its double."""
_MINUTES: Final = [2 ** (step / STEPS) for step in range(16 * STEPS)]
"""Where each class but the first begins: from 1 minute to 38 days."""
CLASSES: Final = len(_MINUTES) + 1
FEW: Final = 5
"""Fewer answers than this say nothing of how fast somebody is."""
SUITS: Final = 4
"""A pace suits somebody if their median fits this many times into its time for a move: half of the answers take longer
than the median, and most of those are to come in time, too."""


def suits_pace(median: timedelta, pace: Pace) -> bool:
    """Whether somebody who needs that long for half of their answers answers about as fast as a table plays."""
    return SUITS * median <= pace.move


def class_of(time: timedelta) -> int:
    """The class of an answer time, 0 for less than a minute; times that no table grants are in the last one."""
    return bisect_right(_MINUTES, time / timedelta(minutes=1))


def quantile(counts: Sequence[int], part: float) -> timedelta | None:
    """The time that `part` of the answers did not exceed, 0.5 for the median, from how many there are in each class;
    None if there are none. It is at most a fifth off."""
    total = sum(counts)
    if not total:
        return None
    place = part * total
    until = list(accumulate(counts))
    found = next(number for number, sum_ in enumerate(until) if sum_ >= place and counts[number])
    within = (place - until[found] + counts[found]) / counts[found]
    begin = _MINUTES[found - 1] if found else 0.0
    end = _MINUTES[found] if found < len(_MINUTES) else begin
    return timedelta(minutes=begin + (end - begin) * within)
