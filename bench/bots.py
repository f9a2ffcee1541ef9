"""How long a computer player thinks about a move, in CPU time, over whole games of computer players."""

from random import Random
from statistics import median
from time import process_time

from games.bots import choose_move
from games.rules import CLANS, Position, play, random_opening, set_up


def thinking(seed: int, *, seats: int) -> list[float]:
    """The seconds that each move of a game took."""
    rng = Random(seed)
    position: Position = set_up(random_opening(rng, seats=seats))
    took = []
    while not position.over:
        start = process_time()
        move = choose_move(position, seat=position.to_move, clan=CLANS[position.to_move], rng=rng)
        took.append(process_time() - start)
        position = play(position, move).position
    return took


def main() -> None:
    games = [thinking(seed, seats=seats) for seed in range(2) for seats in (2, 3, 4)]
    moves = [seconds * 1000 for game in games for seconds in game]
    print(f"first move of a game   {median(game[0] for game in games) * 1000:6.1f} ms (median)")
    print(f"any move               {median(moves):6.1f} ms (median of {len(moves)})")
    print(f"slowest move           {max(moves):6.1f} ms")
