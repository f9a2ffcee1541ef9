"""`manage.py export_board`: the map and the epoch chart for other programs."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.rules import BOARDS, STANDARD, find_ruleset


class Command(BaseCommand):
    help = "Print a map and the epoch chart as one clans-board/1 object."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--board", default=STANDARD.board.id, choices=BOARDS, help="the map (%(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        ruleset = find_ruleset(options["board"], STANDARD.version.number)
        self.stdout.write(json.dumps(ruleset.export(), indent=1))
