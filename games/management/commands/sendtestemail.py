from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import sendtestemail

from games.mail import explain, name_server


class Command(sendtestemail.Command):
    """Django's own, but that it says in one line by which server a mail was sent, or that it was not, and why."""

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            super().handle(*args, **options)
        except OSError as error:
            raise CommandError(f"The mail was not sent by {name_server()}. {explain(error)[1]}") from None
        sent = f"sent by {name_server()}" if settings.EMAIL_URL else f"stored in {settings.MAILBOX_DIR}"
        self.stdout.write(f"The mail was {sent}.")
