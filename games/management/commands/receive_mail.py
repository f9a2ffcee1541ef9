from __future__ import annotations

import logging
import os
import sys
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from games import inbox
from games.inbox import Envelope

logger = logging.getLogger(__name__)

TOLD = {"sender": "SENDER", "client": "CLIENT_ADDRESS", "helo": "CLIENT_HELO"}
"""Variables of the environment in which Postfix calls programs, by the option that says the same."""


class Command(BaseCommand):
    help = (
        "Take in one answer by mail, which is read from standard input, for mail servers that hand mails to programs."
        " Exits as these expect it (sysexits.h): 0 when it is stored, 67 when there is no such address, 65 when it is"
        " too large, 75 when it is to be tried again, 64 when it was called wrongly."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--sender", help="of the envelope, empty for a report; else SENDER of the environment or Return-Path"
        )
        parser.add_argument(
            "--recipient",
            help="of the envelope; else ORIGINAL_RECIPIENT or RECIPIENT of the environment, or the first address of a"
            " turn in Delivered-To, X-Original-To, Envelope-To, To and Cc",
        )
        parser.add_argument("--client", help="the host that brought it; else CLIENT_ADDRESS, if the sender is told too")
        parser.add_argument("--helo", help="what that host calls itself; else CLIENT_HELO")

    def run_from_argv(self, argv: list[str]) -> None:
        try:
            super().run_from_argv(argv)
        except SystemExit as end:
            # argparse's own code for options that it does not know says something else to a mail server.
            raise SystemExit(os.EX_USAGE if end.code == 2 else end.code) from None

    def handle(self, **options: Any) -> None:
        if not settings.REPLY_ADDRESS:
            # The mail waits: whoever forgot the setting can still add it.
            raise CommandError("This needs REPLY_ADDRESS (docs/operating.md).", returncode=os.EX_TEMPFAIL)
        raw = inbox.without_mbox_line(sys.stdin.buffer.read(inbox.MOST_BYTES + 1000))
        if not raw:
            raise CommandError("There is no mail on standard input.", returncode=os.EX_USAGE)
        try:
            inbox.receive(raw, _envelope(raw, options), at=timezone.now())
        except inbox.MailRefused as error:
            raise CommandError(f"The mail is refused: {error.code}.", returncode=_exit_code(error)) from None
        except Exception as error:
            logger.warning("a mail is put off: %s", inbox.tell(error))
            raise CommandError("Not now, please try again later.", returncode=os.EX_TEMPFAIL) from error


def _envelope(raw: bytes, options: dict[str, Any]) -> Envelope:
    """What the call says, else the environment that Postfix makes, else the header."""
    sender, client, helo = (_told(options, name, variable) for name, variable in TOLD.items())
    recipient = options["recipient"] or os.environ.get("ORIGINAL_RECIPIENT") or os.environ.get("RECIPIENT")
    known = inbox.envelope_of(raw) if sender is None or recipient is None else Envelope("", "")
    if sender is not None:
        # Who brought it says nothing of a sender whom the header names: that may be anybody's.
        host = inbox.public_host(client or "")
        known = replace(known, sender=inbox.sender_called(sender), client=host, helo=(helo or "") if host else "")
    return known if recipient is None else replace(known, recipient=recipient)


def _told(options: dict[str, Any], option: str, variable: str) -> str | None:
    said: str | None = options[option]
    return os.environ.get(variable) if said is None else said


def _exit_code(error: inbox.MailRefused) -> int:
    if error.is_for_now:
        return os.EX_TEMPFAIL
    return os.EX_NOUSER if error.code == "no-such-address" else os.EX_DATAERR
