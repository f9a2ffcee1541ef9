"""SPF (RFC 7208): whether the host that brought a mail may send for the domain of its envelope sender."""

from __future__ import annotations

import logging
import re
from typing import Any

import spf
from dns.rdatatype import RdataType

from games.inbox.alignment import are_aligned
from games.inbox.envelope import Envelope, public_host
from games.inbox.lookups import DnsAway, Lookup

logger = logging.getLogger(__name__)

# pyspf cuts at the first @ what others cut at the last.
_SENDER = re.compile(r"""[^\s@"<>]+@([^\s@"<>]+)""")


def is_sent_by_domain(envelope: Envelope, *, domain: str, lookup: Lookup) -> bool:
    """Whether SPF passes for an envelope sender that is aligned with `domain`. It does not count for a mail without a
    sender, nor where the host that brought it is unknown or within this network, so that it has only passed it on.
    Raises DnsAway."""
    sender = _SENDER.fullmatch(envelope.sender)
    if not (sender and are_aligned(sender[1].lower(), domain) and public_host(envelope.client)):
        return False
    try:
        result, _code, explanation = _Query(envelope, lookup).check()
    except Exception as error:
        # pyspf does not name all that it raises for bad records.
        logger.info("an SPF record cannot be read: %r", error)
        return False
    if result == "temperror":
        raise DnsAway(explanation)
    return bool(result == "pass")


class _Query(spf.query):  # type: ignore[misc]
    """pyspf's, but asking by `lookup`, which follows CNAMEs itself."""

    def __init__(self, envelope: Envelope, lookup: Lookup) -> None:
        super().__init__(i=envelope.client, s=envelope.sender.lower(), h=envelope.helo)
        self.lookup = lookup

    def dns(self, name: str, qtype: str, cnames: object = None, ignore_void: bool = False) -> list[object]:
        try:
            found = [_value(record) for record in self.lookup(name, qtype)]
        except DnsAway as error:
            raise spf.TempError(str(error)) from error
        if not found and not ignore_void:
            self.void_lookups += 1
            if self.void_lookups > spf.MAX_VOID_LOOKUPS:
                raise spf.PermError("too many lookups found nothing")
        return found


def _value(record: Any) -> object:
    """A record as pyspf wants it."""
    match record.rdtype:
        case RdataType.MX:
            return (record.preference, record.exchange.to_text(True))
        case RdataType.PTR:
            return record.target.to_text(True)
        case RdataType.TXT:
            return record.strings
    return record.address
