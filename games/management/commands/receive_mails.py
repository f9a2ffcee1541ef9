from __future__ import annotations

import asyncio
import signal
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.inbox.listening import AnswerServer


class Command(BaseCommand):
    help = "Take in answers by mail at REPLY_LISTEN, by LMTP or SMTP, until SIGTERM or SIGINT comes."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        if not (settings.REPLY_LISTEN and settings.REPLY_ADDRESS):
            raise CommandError("This needs REPLY_LISTEN and REPLY_ADDRESS (docs/operating.md).")
        try:
            asyncio.run(self._listen())
        except OSError as error:
            raise CommandError(f"This machine cannot listen at {settings.REPLY_LISTEN} ({error.strerror}).") from None

    async def _listen(self) -> None:
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        await AnswerServer().run(settings.REPLY_LISTEN, stop=stop)
