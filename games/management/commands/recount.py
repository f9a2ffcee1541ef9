from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games import play


class Command(BaseCommand):
    help = "Count again from the log what the pages of players add up. Games that end meanwhile wait for it."

    def handle(self, **options: Any) -> None:
        self.stdout.write(f"Counted {play.recount_totals()} games.")
