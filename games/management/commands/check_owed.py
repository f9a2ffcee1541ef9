from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games import hooks, mail


class Command(BaseCommand):
    help = (
        "Check that every open turn has its call, and that neither mails nor calls of webhooks lie about."
        " Fails with one line for each kind of fault."
    )

    def handle(self, **options: Any) -> None:
        at = timezone.now()
        found = mail.faults(at=at) + hooks.faults(at=at)
        if found:
            raise CommandError("\n".join(found))
        self.stdout.write("All that is owed is in order.")
