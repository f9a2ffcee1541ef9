"""Whole games of random legal moves, as records: the same number and seed give the same game."""

from random import Random
from typing import Any

from .position import FIVE_CLANS, SEATS
from .random_play import random_game, random_opening
from .record import write_record
from .ruleset import STANDARD, Ruleset
from .stacks import CLANS


def simulate(number: int, *, seed: int, ruleset: Ruleset = STANDARD) -> dict[str, Any]:
    """The record of game `number`, from 0, of a seed: two, three and four players in turn, house rules in turn."""
    rng = Random(f"{seed}/{number}")
    seats = SEATS[number % len(SEATS)]
    five_clans = FIVE_CLANS[number % len(FIVE_CLANS)]
    opening = random_opening(rng, seats=seats, five_clans=five_clans, ruleset=ruleset)
    steps = random_game(opening, rng)
    players = [f"player {seat + 1}" for seat in range(seats)]
    return write_record(opening, steps, players=players, clans=rng.sample(CLANS, seats))
