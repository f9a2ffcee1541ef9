"""`manage.py export_games`: what was played here, for other programs to study."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from games import pov


class Command(BaseCommand):
    help = (
        "Print every game of the archive, oldest first, as JSON lines of clans-record/1: public games that are over,"
        " but for those that were given up at once."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--all", action="store_true", help="also games by link and those given up at once: not to be published"
        )
        parser.add_argument("--publish", action="store_true", help="print nothing, but make the site's download now")

    def handle(self, *, publish: bool, **options: Any) -> None:
        if publish:
            self.stdout.write(self._publish())
            return
        for line in pov.write_records(pov.finished_games() if options["all"] else pov.archived_games()):
            self.stdout.write(line)

    def _publish(self) -> str:
        made = pov.publish_archive(at=timezone.now())
        if made is None:
            return "It is being made already."
        return f"Games: {made.games:,}; files: {len(made.files):,}; bytes: {made.size:,}."
