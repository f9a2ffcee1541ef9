from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games import hooks


class Command(BaseCommand):
    help = "Print a new key for PUSH_KEY, with which notifications to browsers are signed."
    requires_system_checks = ()

    def handle(self, *_args: Any, **_options: Any) -> None:
        self.stdout.write(hooks.new_push_key())
