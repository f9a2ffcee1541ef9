"""What a mail costs: CPU to compose one and make its bytes, with its pictures cached, and how large it is.

Reminders and calls of tables of three, each at another position, so that nothing but the pictures was seen before; and
what the pictures of each cost when they were drawn.
"""

from __future__ import annotations

import gc
import time
from datetime import timedelta
from statistics import median

from django.db.models import F

from bench._scene import AT, open_tables
from games.mail.compose import render
from games.mail.message import as_message
from games.models import Mail, Notice, Seat

TABLES = 300
"""More than this process remembers of games."""
ROUNDS = 5


def main(_port: int) -> None:
    games = [table.game.pk for table in open_tables(TABLES)]
    print(f"{'':34} CPU ms  kB  (median of {ROUNDS} x {TABLES} mails, each of another table)")
    for name, kind in (("a reminder", "reminder"), ("a call to move", "turn")):
        drawn, _size = _cost(games, kind)
        costs, sizes = zip(*(_cost(games, kind) for _round in range(ROUNDS)), strict=True)
        print(f"{name + ', pictures to be drawn':34} {drawn:6.2f}")
        print(f"{name + ', pictures cached':34} {median(costs):6.2f} {max(sizes) / 1000:4.0f}")


def _cost(games: list[int], kind: str) -> tuple[float, int]:
    """Milliseconds of CPU for a mail of this kind to the player to move, made as bytes, and the size of the largest."""
    seats = Seat.objects.select_related("game", "player").defer("clan", "entropy")
    to_move = list(seats.filter(game__in=games, number=F("game__to_move")))
    gc.collect()
    largest, before = 0, time.process_time()
    for seat in to_move:
        notice = Notice(seat=seat, player=seat.player, kind=kind, ply=seat.game.ply, created_at=AT, due_at=AT)
        mail = Mail(player=notice.reader, message_id=f"<{seat.pk}@localhost>")
        render(mail, [notice], at=AT + timedelta(hours=50))
        largest = max(largest, len(as_message(mail).message().as_bytes(linesep="\r\n")))
    return (time.process_time() - before) * 1000 / len(to_move), largest
