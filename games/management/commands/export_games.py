"""`manage.py export_games`: what was played here, for other programs to study."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from games import pov


class Command(BaseCommand):
    help = (
        "Print every game of the archive, oldest first, as JSON lines of clans-record/1: public games that are over,"
        " but for those that were given up at once. A game that cannot be read is left out: then it names that game,"
        " and fails in the end."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--all", action="store_true", help="also games by link and those given up at once: not to be published"
        )
        parser.add_argument("--publish", action="store_true", help="print nothing, but make the site's download now")

    def handle(self, *, publish: bool, **options: Any) -> None:
        left_out = self._publish() if publish else self._print(everything=options["all"])
        if left_out:
            raise CommandError(f"Games that cannot be read, and are left out: {', '.join(left_out)}.")

    def _print(self, *, everything: bool) -> list[str]:
        """Returns the addresses of games that cannot be read."""
        left_out = []
        for slug, line in pov.write_records(pov.finished_games() if everything else pov.archived_games()):
            if line is None:
                left_out.append(slug)
            else:
                self.stdout.write(line)
        return left_out

    def _publish(self) -> Sequence[str]:
        """As `_print`."""
        made = pov.publish_archive(at=timezone.now())
        if made is None:
            self.stdout.write("It is being made already.")
            return ()
        self.stdout.write(f"Games: {made.games:,}; files: {len(made.files):,}; bytes: {made.size:,}.")
        return made.left_out
