from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from games import tasks


class Command(BaseCommand):
    help = "Run the clocks, play the computer players' turns that wait, send the mails that are due. Needs no broker."

    def handle(self, **options: Any) -> None:
        if not self.stdout.isatty():
            tasks.sweep_all()
        elif handled := tasks.sweep_all(report=self._show):
            self.stdout.write(f"\r{handled} mails dealt with")

    def _show(self, handled: int) -> None:
        if handled % 50 == 0:
            sys.stdout.write(f"\r{handled} mails …")
            sys.stdout.flush()
