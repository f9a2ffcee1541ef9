from __future__ import annotations

from typing import Any

from django.core.management.commands import migrate
from django.db import transaction


class Command(migrate.Command):
    """Django's own, but that it first waits for an SQLite to which another process writes: of one that stays locked,
    Django's checks would say that it does not support JSON."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        with transaction.atomic():
            pass
        return super().execute(*args, **options)
