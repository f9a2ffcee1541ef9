"""Openings for tests."""

from random import Random

from games.rules import FiveClans, Opening, random_opening


def opening(*, seats: int = 2, first: int = 0, five_clans: FiveClans = "score", seed: int = 1) -> Opening:
    """Some shuffled opening, the same for the same seed."""
    return Opening(random_opening(Random(seed), seats=seats).huts, seats, first, five_clans)
