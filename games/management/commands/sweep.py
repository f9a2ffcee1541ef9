from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games import tasks


class Command(BaseCommand):
    help = "Play the computer players' turns that wait and send the mails that are due. Needs no broker."

    def handle(self, **options: Any) -> None:
        tasks.sweep()
