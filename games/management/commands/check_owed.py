from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games import mail


class Command(BaseCommand):
    help = "Check that every open turn has its call and no mail lies about. Fails with one line for each kind of fault."

    def handle(self, **options: Any) -> None:
        found = mail.faults(at=timezone.now())
        if found:
            raise CommandError("\n".join(found))
        self.stdout.write("All that is owed is in order.")
