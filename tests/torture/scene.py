"""Run as a program: migrates the database and fills it with games that have begun; prints them as JSON lines."""

from __future__ import annotations

import json
import sys

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.utils import timezone  # noqa: E402

from bench._scene import cookies  # noqa: E402
from games.enqueue import without_enqueueing  # noqa: E402
from games.models import Player  # noqa: E402
from tests.cast import make_game  # noqa: E402

if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    for number in range(int(sys.argv[1])):
        names = [f"player{number}x{place}" for place in range(2 + number % 3)]
        players = [Player.objects.create(username=name, email=f"{name}@example.com") for name in names]
        with without_enqueueing():
            game = make_game(*players, at=timezone.now())
        seats = game.seats.order_by("number").select_related("player")
        row = {
            "slug": game.slug,
            "huts": game.huts,
            "seats": game.size,
            "first": game.first,
            "five_clans": game.five_clans,
            "cookies": [cookies(seat.player).partition(";")[0] for seat in seats],
        }
        print(json.dumps(row), flush=True)
