"""A game to show to somebody who has none: played by the rules, and always the same."""

from __future__ import annotations

from random import Random

from games import rules

SEED, PLIES, SEATS = 3, 31, 3


def play_sample() -> rules.Step:
    """The last of some moves by players who like to found villages."""
    rng = Random(SEED)
    position = rules.set_up(rules.random_opening(rng, seats=SEATS))
    for _ply in range(PLIES):
        thoughts = [rules.random_step(position, rng) for _thought in range(SEATS)]
        step = max(thoughts, key=lambda step: sum(village.value for village in step.villages))
        position = step.position
    return step
