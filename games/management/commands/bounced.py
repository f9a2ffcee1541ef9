from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from games import mail

NO_SUCH_USER = 67
"""As mail servers read it (sysexits.h)."""
MOST_BYTES = 1_000_000


class Command(BaseCommand):
    help = (
        "Note that a mail came back to this return address (BOUNCE_ADDRESS with a number and a signature): its player"
        " gets no more mail, and reads why."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="where it came back to")
        parser.add_argument(
            "--mail",
            action="store_true",
            help="read from standard input what came back, and do it only if that says that the address takes no mail",
        )

    def handle(self, *, address: str, **options: Any) -> None:
        why = mail.read_report(sys.stdin.buffer.read(MOST_BYTES)) if options["mail"] else "The mail came back."
        try:
            is_news = bool(why) and mail.came_back(address, why=why, at=timezone.now())
        except LookupError as error:
            raise CommandError(str(error), returncode=NO_SUCH_USER) from None
        if is_news:
            self.stdout.write("Noted: the player of that address gets no more mail, and the site says so.")
        elif why:
            self.stdout.write(
                "Nothing has changed: it was noted before, or the player has said that mail arrives since."
            )
        else:
            self.stdout.write("What came back does not say that the address takes no mail for good: left as it was.")
