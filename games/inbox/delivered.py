"""Mails that a mail server has delivered already: what is known of them besides their bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.utils import getaddresses
from itertools import islice
from typing import Final

from games.inbox.envelope import Envelope
from games.inbox.receiving import is_ours

_SENDER: Final = "Return-Path"
_RECIPIENT: Final = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")
"""Where to look for the address that it went to; mail servers write the first ones."""
_LOOKED_AT: Final = 30
"""Addresses, at most: those of ours are seldom behind that many."""
_MBOX_LINE: Final = re.compile(rb"\AFrom [^\r\n]*\r?\n")
# What mail servers say for no sender at all, which their reports about other mails have.
_NOBODY: Final = {"", "<>", "mailer-daemon"}


def envelope_of(raw: bytes) -> Envelope:
    """What the header of a delivered mail tells: who sent it (its writer, where no mail server has written that down),
    and the first address of a token that it went to, empty where there is none. Who brought it is told nowhere that can
    be believed. Costs a query for each address like ours."""
    header = BytesHeaderParser(policy=compat32).parsebytes(raw)
    ours = (address for address in islice(_addresses(header, _RECIPIENT), _LOOKED_AT) if is_ours(address))
    writers = iter(_addresses(header, ["From"]))
    sender = sender_called(str(header[_SENDER])) if _SENDER in header else next(writers, "")
    return Envelope(sender=sender, recipient=next(ours, ""))


def sender_called(name: str) -> str:
    """The envelope sender, as mail servers write it: empty for a mail that has none."""
    bare = name.strip().strip("<>")
    return "" if bare.lower() in _NOBODY else bare


def without_mbox_line(raw: bytes) -> bytes:
    """The mail itself, without the line that programs for mailboxes of one file put before it."""
    return _MBOX_LINE.sub(b"", raw, count=1)


def _addresses(header: Message, names: Iterable[str]) -> list[str]:
    found = [str(value) for name in names for value in header.get_all(name, ())]
    return [address for _name, address in getaddresses(found) if address]
