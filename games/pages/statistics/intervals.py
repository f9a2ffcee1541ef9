"""Confidence intervals of 95 %: how far off what was counted may be. Pure.

Shares have Wilson’s score interval; means the normal one, mean ± 1.96 s/√n, from 30 games on; quantiles that of the
order statistics, p ± 1.96 √(p(1−p)/n), read off the classes of answer times.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

from games import clocks

Z: Final = NormalDist().inv_cdf(0.975)
FEW: Final = 30
"""With fewer values the mean of them is not near enough to normal for an interval."""


class Estimate(NamedTuple):
    """What was counted, and between what it lies with a confidence of 95 %; both the value itself where that cannot be
    said."""

    value: float
    low: float
    high: float

    @property
    def interval(self) -> tuple[float, float] | None:
        """None where it cannot be said."""
        return (self.low, self.high) if self.low < self.high else None


def share(found: int, of: int) -> Estimate:
    """A share of at least one, with Wilson’s score interval."""
    part, weight = found / of, Z * Z / of
    middle = (part + weight / 2) / (1 + weight)
    margin = Z / (1 + weight) * sqrt(part * (1 - part) / of + weight / (4 * of))
    # Rounding must not put what was counted outside.
    return Estimate(part, min(part, max(0.0, middle - margin)), max(part, min(1.0, middle + margin)))


def mean(count: int, total: int, squares: int, *, each: int = 1) -> Estimate:
    """The mean of at least one value, from their sum and the sum of their squares, with the normal interval. `each`
    divides every value first."""
    value = total / count / each
    if count < FEW:
        return Estimate(value, value, value)
    variance = (squares - total * total / count) / (count - 1)
    margin = Z * sqrt(max(0.0, variance) / count) / each
    return Estimate(value, value - margin, value + margin)


def hours_until(part: float, counts: list[int]) -> Estimate:
    """The hours within which `part` of the answers came, from how many there are in each class, with the interval of
    the order statistics."""
    answers = sum(counts)
    margin = Z * sqrt(part * (1 - part) / answers)
    value, low, high = (_hours(counts, min(1.0, max(0.0, part + aside))) for aside in (0, -margin, margin))
    return Estimate(value, low, high)


def _hours(counts: list[int], part: float) -> float:
    time = clocks.quantile(counts, part)
    return time.total_seconds() / 3600 if time else 0.0
