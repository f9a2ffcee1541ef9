from __future__ import annotations

from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand

from games import play
from games.models import fill_positions, fill_results


class Command(BaseCommand):
    help = (
        "Count again from the log what the pages of players add up, and write again what the archive searches by. Games"
        " that end meanwhile wait for the count."
    )

    def handle(self, **options: Any) -> None:
        self.stdout.write(f"Counted {play.recount_totals()} games.")
        fill_results(of=apps)
        self.stdout.write(f"Stored the positions of {fill_positions(of=apps)} games.")
