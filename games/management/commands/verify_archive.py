from __future__ import annotations

import gc
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import pov
from games.models import Game

EVERY = 5000
"""After how many games progress is printed."""


class Command(BaseCommand):
    help = (
        "Play every finished game again by the rules that it was played by, and compare results, positions, the"
        " proof of its deal and the hashes of its log with what is stored. Names the game and the ply of each"
        " difference, and fails if there is one. Changes nothing."
    )

    def handle(self, **options: Any) -> None:
        gc.freeze()  # what has been loaded by now stays: not to be searched for garbage again and again
        games, wrong = Game.objects.finished().count(), 0
        for number, differences in enumerate(pov.verify_archive(), start=1):
            for difference in differences:
                self.stdout.write(difference)
            wrong += bool(differences)
            if number % EVERY == 0:
                self.stdout.write(f"{number:,} of {games:,} games")
        if wrong:
            raise CommandError(f"{wrong:,} of {games:,} games are not as they were played.")
        self.stdout.write(f"All {games:,} games are as they were played.")
