from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from games import play
from games.models import fill_chain, fill_positions, fill_results


class Command(BaseCommand):
    help = (
        "Compute again from the log what the pages of players add up (totals), what the archive searches by (search),"
        " its statistics (statistics), the hashes of logs that have none (chain), and all ratings (ratings). Games that"
        " end while it counts totals, or writes ratings, wait for it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", nargs="*", help=f"{', '.join(self._parts())}; all of them, if none is named")

    def handle(self, *, what: list[str], **options: Any) -> None:
        parts = self._parts()
        if unknown := sorted(set(what) - parts.keys()):
            raise CommandError(f"There is nothing called {' or '.join(unknown)}: say {', '.join(parts)}, or nothing.")
        for name, count in parts.items():
            if name in what or not what:
                self.stdout.write(count())

    def _parts(self) -> Mapping[str, Callable[[], str]]:
        return {
            "totals": self._totals,
            "search": self._search,
            "statistics": self._statistics,
            "chain": self._chain,
            "ratings": self._ratings,
        }

    def _totals(self) -> str:
        return f"Counted {play.recount_totals()} games."

    def _search(self) -> str:
        fill_results(of=apps)
        return f"Stored the positions of {fill_positions(of=apps)} games."

    def _chain(self) -> str:
        return f"Hashed the logs of {fill_chain(of=apps)} games that had no hashes."

    def _statistics(self) -> str:
        return f"Counted {play.count_archive(at=timezone.now())} games of the archive."

    def _ratings(self) -> str:
        games, changed = play.recount_ratings(tell=self._tell)
        return f"Rated {games} games; {changed} ratings changed."

    def _tell(self, done: int, of: int) -> None:
        self.stdout.write(f"{done} of {of} games rated")
        self.stdout.flush()
