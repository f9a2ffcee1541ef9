"""How fast the rules are: random games, folding a finished game, and random chess beside it for scale.

All times are CPU time. The rounds of Clans and chess take turns, so that a busy machine slows both; each figure is the
median of the rounds, the ratio the median of the rounds' ratios.
"""

from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time
from typing import Final

import chess

from games.rules import Move, Opening, fold, legal_moves, random_game, random_opening, set_up

ROUNDS: Final = 9
GAMES: Final = 120
CHESS_GAMES: Final = 2


def clans_games(seed: int) -> int:
    """How many moves so many random games of Clans take."""
    rng = Random(seed)
    return sum(len(random_game(random_opening(rng, seats=2 + game % 3), rng)) for game in range(GAMES))


def chess_games(seed: int) -> int:
    """How many moves so many random games of chess take, each to its end."""
    rng = Random(seed)
    return sum(len(chess_game(rng).move_stack) for _ in range(CHESS_GAMES))


def chess_game(rng: Random) -> chess.Board:
    board = chess.Board()
    while not board.is_game_over():
        board.push(rng.choice(list(board.legal_moves)))
    return board


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


def plies_a_second(play: Callable[[int], int], seed: int) -> float:
    start = process_time()
    plies = play(seed)
    return plies / (process_time() - start)


def main() -> None:
    games = finished_games()
    plies = [(plies_a_second(clans_games, seed), plies_a_second(chess_games, seed)) for seed in range(ROUNDS)]
    folds = [seconds(fold, games) for _ in range(ROUNDS)]
    lists = [seconds(lambda opening, _: legal_moves(set_up(opening)), games) for _ in range(ROUNDS)]
    length = sum(len(moves) for _, moves in games) / GAMES
    clans, other = median(clans for clans, _ in plies), median(other for _, other in plies)
    ratio = median(clans / other for clans, other in plies)
    print(f"random games of Clans      {clans / length:8,.0f} games a second (at least 1,500)")
    print(f"random moves of Clans      {clans:8,.0f} moves a second")
    print(f"random moves, python-chess {other:8,.0f} moves a second")
    print(f"Clans to python-chess      {ratio:8.1f} times as many (at least 5)")
    print(f"folding a finished game    {median(folds) * 1000:8.3f} ms (at most 0.3)")
    print(f"listing an opening's moves {median(lists) * 1000:8.3f} ms, with its set-up")
