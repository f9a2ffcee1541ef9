"""`manage.py export_board`: the map and the epoch chart for other programs."""

import json
from typing import Any

from django.core.management.base import BaseCommand

from games.rules import BOARD


class Command(BaseCommand):
    help = "Print the map and the epoch chart as one clans-board/1 object."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(json.dumps(BOARD.export(), indent=1))
