from __future__ import annotations

import signal
from threading import Event
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.inbox import tell
from games.inbox.polling import AWAY, Poller


class Command(BaseCommand):
    help = (
        "Take in answers from the mailbox of REPLY_MAILBOX, by IMAP, until SIGTERM or SIGINT comes. Those are marked as"
        " read; other mails stay as they are."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="take in what is there, and end")
        parser.add_argument("--delete", action="store_true", help="delete what was taken in")

    def handle(self, *, once: bool, delete: bool, **options: Any) -> None:
        if not (settings.REPLY_MAILBOX and settings.REPLY_ADDRESS):
            raise CommandError("This needs REPLY_MAILBOX and REPLY_ADDRESS (docs/operating.md).")
        poller = Poller(settings.REPLY_MAILBOX, deletes=delete)
        if once:
            try:
                self.stdout.write(f"Answers taken in: {poller.run_once()}")
            except AWAY as error:
                raise CommandError(f"The mailbox at {poller.server} cannot be read: {tell(error)}") from None
            return
        stop = Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_signal: stop.set())
        poller.run(stop=stop)
