"""How long it takes to compute the ratings of 100,000 games anew, with progress shown.

python -m bench ratings
"""

from __future__ import annotations

import os
import random
import resource
import sys
import time
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.core.management import call_command
from django.utils import timezone

from games.models import Game, Player, Seat

GAMES = int(os.environ.get("GAMES", "100000"))
PLAYERS = max(4, GAMES // 20)
TARGET = "at most 60 s"


def main(_port: int) -> None:
    _fill(timezone.now() - timedelta(days=3650))
    print(f"{GAMES:,} rated games of {PLAYERS:,} players; {TARGET}")
    for name in ("from nothing", "once more"):
        begun, cpu = time.monotonic(), time.process_time()
        call_command("recount", "ratings", stdout=sys.stdout)
        print(f"{name}: {time.monotonic() - begun:.1f} s, of these {time.process_time() - cpu:.1f} s of CPU")
    print(f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB of memory")


def _fill(at: datetime) -> None:
    """Write games that are over, one every 50 minutes, of players some of whom play far more than others."""
    Player.objects.bulk_create(
        Player(username=f"player{number}", email=f"player{number}@example.com") for number in range(PLAYERS)
    )
    players = list(Player.objects.order_by("pk"))
    chance = random.Random(1)
    for numbers in _in_thousands(range(GAMES)):
        seated = [chance.sample(players[: chance.randint(4, PLAYERS)], chance.choice((2, 3, 4))) for _ in numbers]
        games = [
            _game(number, some, at=at + number * timedelta(minutes=50))
            for number, some in zip(numbers, seated, strict=True)
        ]
        Game.objects.bulk_create(games)
        Seat.objects.bulk_create(
            _seat(game, place, player, rank)
            for game, some in zip(games, seated, strict=True)
            for place, (player, rank) in enumerate(zip(some, _ranks(len(some), chance), strict=True))
        )


def _in_thousands(numbers: range) -> Iterator[range]:
    return (numbers[start : start + 1000] for start in range(0, len(numbers), 1000))


def _ranks(size: int, chance: random.Random) -> list[int]:
    """Some ranks; one game in ten is a draw."""
    totals = [chance.randrange(10 * size) for _ in range(size)]
    return [1 + sum(other > total for other in totals) for total in totals]


def _game(number: int, players: list[Player], *, at: datetime) -> Game:
    return Game(
        slug=f"bench{number}",
        key=f"bench{number}",
        name="Bench",
        opener=players[0],
        size=len(players),
        is_rated=True,
        rated_at=at,
        status=Game.Status.FINISHED,
        end=Game.End.VILLAGES,
        created_at=at,
        started_at=at,
        ended_at=at,
        huts="x",
        first=0,
    )


def _seat(game: Game, place: int, player: Player, rank: int) -> Seat:
    clan = Seat.Clan.values[place]
    return Seat(
        game=game, player=player, name=player.username, joined=place, number=place, clan=clan, rank=rank, total=1
    )
