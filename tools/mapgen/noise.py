"""Smooth noise from a lattice of random values: what makes coasts and borders look grown."""

import random
from math import floor

SIZE = 64


class Noise:
    """One octave field of values in -1..1 over the plane; the lattice repeats every 64 cells."""

    def __init__(self, rng: random.Random) -> None:
        self._values = [[rng.uniform(-1, 1) for _ in range(SIZE)] for _ in range(SIZE)]

    def at(self, x: float, y: float) -> float:
        """Value at a place measured in lattice cells, bilinear with smooth steps."""
        column, row = floor(x), floor(y)
        u, v = _smooth(x - column), _smooth(y - row)
        top = self._mix(column, row, u)
        bottom = self._mix(column, row + 1, u)
        return top + (bottom - top) * v

    def fractal(self, x: float, y: float, octaves: int = 3, gain: float = 0.5) -> float:
        """Sum of octaves, each twice as fine and `gain` times as strong as the one before."""
        total, strength = 0.0, 1.0
        for octave in range(octaves):
            total += strength * self.at(x + 17 * octave, y + 31 * octave)
            x, y, strength = 2 * x, 2 * y, strength * gain
        return total

    def _mix(self, column: int, row: int, u: float) -> float:
        line = self._values[row % SIZE]
        left, right = line[column % SIZE], line[(column + 1) % SIZE]
        return left + (right - left) * u


def _smooth(t: float) -> float:
    return t * t * (3 - 2 * t)
