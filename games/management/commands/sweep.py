from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from games import tasks


class Command(BaseCommand):
    help = "Run the clocks, play the computer players' turns that wait, send the mails that are due. Needs no broker."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        done = tasks.sweep_all(report=self._show) if self.stdout.isatty() else tasks.sweep_all()
        start = "\r" if self.stdout.isatty() else ""
        self.stdout.write(
            f"{start}Accounts closed: {done.accounts}, answers by mail: {done.answers}, turns ended: {done.overdue}, "
            f"tables closed: {done.expired}, reminders owed: {done.reminders}, "
            f"seasons looked after: {done.seasons}, computer players' turns: {done.bots}, "
            f"mails dealt with: {done.mails}, webhooks called: {done.calls}, animations drawn: {done.animations}"
        )

    def _show(self, handled: int) -> None:
        if handled % 50 == 0:
            sys.stdout.write(f"\r{handled} mails …")
            sys.stdout.flush()
