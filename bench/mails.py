"""What a mail costs: CPU to compose one and make its bytes, with its pictures cached, and how large it is.

Reminders of tables of two, three and four, each at another position, so that nothing but the pictures was seen before;
and what each picture cost when it was drawn.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import TYPE_CHECKING

from bench._here import new_site

if TYPE_CHECKING:
    from games.models import Game

TABLES = 300
"""More than this process remembers of games."""
ROUNDS = 5
AT = datetime(2026, 3, 2, 20, 0, tzinfo=UTC)


def main() -> None:
    with new_site():
        _measure()


def _measure() -> None:
    from games.enqueue import without_enqueueing

    with without_enqueueing():
        games = _games()
    reminders, turns = _notices(games, "reminder"), _notices(games, "turn")
    print(f"{'':34} CPU ms  kB  (median of {ROUNDS} x {TABLES} mails, each of another table)")
    for name, notices in (("a reminder", reminders), ("a call to move", turns)):
        drawn, _size = _cost(notices)
        costs, sizes = zip(*(_cost(notices) for _round in range(ROUNDS)), strict=True)
        print(f"{name + ', pictures to be drawn':34} {drawn:6.2f}")
        print(f"{name + ', pictures cached':34} {median(costs):6.2f} {max(sizes) / 1000:4.0f}")


def _games() -> list[Game]:
    """Tables of two to four in all stages, played straight into the database."""
    from games import rules
    from games.models import Deal, Game, Move, Player, Seat

    people = [Player.objects.create_user(f"player{n}", email=f"player{n}@example.com") for n in range(4)]
    games, rng = [], random.Random(1)
    for number in range(TABLES):
        size = 2 + number % 3
        opening = rules.random_opening(rng, seats=size)
        # Short of its end: nobody is called to a game that is over.
        steps = rules.random_game(opening, rng)[:-1][: 1 + number % 40]
        mover = (opening.first + len(steps)) % size
        game = Game.objects.create(
            name=f"Table {number}", opener=people[0], size=size, status="running", created_at=AT, started_at=AT,
            huts=opening.huts, first=opening.first, board=rules.STANDARD.board.id, ply=len(steps), to_move=mover,
            awaited=people[mover], turn_since=AT, free_until=AT + timedelta(days=3), due_at=AT + timedelta(days=10),
        )  # fmt: skip
        clans = rng.sample(rules.CLANS, size)
        seats = [
            Seat(
                game=game,
                player=people[place],
                name=people[place].username,
                joined=place,
                number=place,
                clan=clans[place],
            )
            for place in range(size)
        ]
        Seat.objects.bulk_create(seats)
        Deal.objects.create(game=game, version="1", commitment="0" * 64, seed=bytes(32))
        Move.objects.bulk_create(
            Move(game=game, ply=ply, seat=step.seat, text=str(step.move), key=str(ply), at=AT)
            for ply, step in enumerate(steps)
        )
        games.append(game)
    return games


def _notices(games: Sequence[Game], kind: str) -> list[int]:
    from games.models import Notice

    notices = [
        Notice(
            seat=seat, player=seat.player, kind=kind, ply=game.ply, created_at=AT, due_at=AT
        )
        for game in games
        for seat in game.seats.filter(number=game.to_move)
    ]  # fmt: skip
    return [notice.pk for notice in Notice.objects.bulk_create(notices)]


def _cost(keys: Sequence[int]) -> tuple[float, int]:
    """Milliseconds of CPU for a mail, made as bytes, and the size of the largest."""
    from games.mail.compose import render
    from games.mail.message import as_message
    from games.models import Mail, Notice

    loaded = Notice.objects.select_related("seat__game", "seat__player").defer("seat__clan", "seat__entropy")
    notices = list(loaded.filter(pk__in=keys))
    gc.collect()
    largest, before = 0, time.process_time()
    for notice in notices:
        mail = Mail(player=notice.seat.player, message_id=f"<{notice.pk}@localhost>")
        render(mail, [notice], at=AT + timedelta(hours=50))
        largest = max(largest, len(as_message(mail).message().as_bytes(linesep="\r\n")))
    return (time.process_time() - before) * 1000 / len(notices), largest


if __name__ == "__main__":
    main()
