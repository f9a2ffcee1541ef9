"""How fast the rules are: random games, folding a finished game, and listing the moves of an opening.

All times are CPU time; each figure is the median of the rounds.
"""

from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time
from typing import Final

from games.rules import Move, Opening, fold, legal_moves, random_game, random_opening, set_up

ROUNDS: Final = 9
GAMES: Final = 120


def finished_games() -> list[tuple[Opening, list[Move]]]:
    rng = Random(1)
    openings = [random_opening(rng, seats=2 + game % 3) for game in range(GAMES)]
    return [(opening, [step.move for step in random_game(opening, rng)]) for opening in openings]


def seconds(work: Callable[[Opening, list[Move]], object], games: list[tuple[Opening, list[Move]]]) -> float:
    """What the work takes for one game."""
    start = process_time()
    for opening, moves in games:
        work(opening, moves)
    return (process_time() - start) / len(games)


def play_random_games(seed: int) -> tuple[float, float]:
    """How many random games, and how many moves of them, are played in a second."""
    rng = Random(seed)
    start = process_time()
    plies = sum(len(random_game(random_opening(rng, seats=2 + game % 3), rng)) for game in range(GAMES))
    taken = process_time() - start
    return GAMES / taken, plies / taken


def main() -> None:
    finished = finished_games()
    played = [play_random_games(seed) for seed in range(ROUNDS)]
    folds = [seconds(fold, finished) for _ in range(ROUNDS)]
    lists = [seconds(lambda opening, _: legal_moves(set_up(opening)), finished) for _ in range(ROUNDS)]
    print(f"random games               {median(games for games, _ in played):8,.0f} a second (at least 1,500)")
    print(f"random moves               {median(moves for _, moves in played):8,.0f} a second")
    print(f"folding a finished game    {median(folds) * 1000:8.3f} ms (at most 0.3)")
    print(f"listing an opening's moves {median(lists) * 1000:8.3f} ms, with its set-up")
