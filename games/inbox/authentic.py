"""Whether a mail is from the domain that its From names: signed by it, or sent by one of its hosts, or so reported by a
host that the operator trusts. A domain answers for its own users: who at it wrote a mail, it alone can know."""

from __future__ import annotations

import enum
import re
from datetime import datetime
from functools import partial

import authres
from django.conf import settings
from dkim import DKIMException, rfc822_parse

from games.inbox.alignment import are_aligned
from games.inbox.dkim_check import Fields, is_signed_by_domain
from games.inbox.envelope import Envelope
from games.inbox.lookups import DnsAway, dns_lookup
from games.inbox.spf_check import is_sent_by_domain

# More than mail has, and little enough for parsers that are slow on long input.
LONGEST_HEADER = 100_000
MOST_FIELDS = 500
LONGEST_FIELD = 10_000

# One address, with or without a name before it or a comment behind it. An @ outside quotes is never part of the name.
_ADDRESS = rb"""([^\s<>()\[\]"@,:;\\]+@[a-zA-Z0-9._-]+)"""
_NAME = rb"""(?:[^<>()\[\]"@,:;\\]|"(?:[^"\\]|\\.)*+")*+"""
_FROM = re.compile(rb"(?:%b<%b>|\s*%b)\s*(?:\([^()\\]*\)\s*)?" % (_NAME, _ADDRESS, _ADDRESS), re.DOTALL)


class Authenticity(enum.Enum):
    """UNKNOWN: DNS did not answer; the same mail may pass later."""

    PASSED = "passed"
    FAILED = "failed"
    UNKNOWN = "unknown"


def check(raw: bytes, envelope: Envelope, *, from_address: str, token_digest: str, at: datetime) -> Authenticity:
    """Whether this mail, which came in at `at`, is from the domain of `from_address`, which must be the only address of
    its only From. `token_digest` is that of the token of the address that it came to. It asks DNS, which takes
    `lookups.SECONDS_A_MAIL` at most, and never raises."""
    fields = _read_fields(raw)
    if _read_from(fields) != from_address.lower():
        return Authenticity.FAILED
    domain = from_address.lower().rpartition("@")[2]
    if _is_vouched_for(fields, domain):
        return Authenticity.PASSED
    lookup = dns_lookup()
    verdict = Authenticity.FAILED
    ways = (
        partial(is_signed_by_domain, raw, fields, domain=domain, token_digest=token_digest, lookup=lookup, at=at),
        partial(is_sent_by_domain, envelope, domain=domain, lookup=lookup),
    )
    for is_passed in ways:
        try:
            if is_passed():
                return Authenticity.PASSED
        except DnsAway:
            verdict = Authenticity.UNKNOWN
    return verdict


def _read_fields(raw: bytes) -> Fields:
    """Names and values of a mail's header; none where two readers might read it differently."""
    end = re.search(rb"\r?\n\r?\n", raw[:LONGEST_HEADER])
    header = raw[: end.end()] if end else raw
    ending = b"\r\n" if b"\r" in header else b"\n"
    if len(header) > LONGEST_HEADER or re.search(rb"[\r\n\0]", header.replace(ending, b"")):
        return []
    try:
        fields: Fields = [(bytes(name).lower(), bytes(value)) for name, value in rfc822_parse(header)[0]]
    except (DKIMException, IndexError):
        return []
    return fields if len(fields) <= MOST_FIELDS else []


def _read_from(fields: Fields) -> str | None:
    values = [value for name, value in fields if name == b"from"]
    if len(values) != 1 or len(values[0]) > LONGEST_FIELD or not (found := _FROM.fullmatch(values[0])):
        return None
    return (found[1] or found[2]).decode(errors="replace").lower()


def _is_vouched_for(fields: Fields, domain: str) -> bool:
    """Whether the trusted host reports that the mail passed (RFC 8601). Its header is the topmost one: whoever sends a
    mail can write any number of them, but below."""
    value = next((value for name, value in fields if name == b"authentication-results"), b"")
    if not settings.REPLY_TRUSTED_HOST or len(value) > LONGEST_FIELD:
        return False
    try:
        header = authres.all_features().parse_value(value.replace(b"\r\n", b"").decode("ascii").strip())
    except (authres.AuthResError, UnicodeDecodeError, RecursionError):
        return False
    if header.authserv_id != settings.REPLY_TRUSTED_HOST:
        return False
    return any(_is_pass_for(result, domain) for result in header.results)


def _is_pass_for(result: authres.AuthenticationResult, domain: str) -> bool:
    said = {f"{item.type}.{item.name}": str(item.value or "").lower() for item in result.properties}
    if result.result != "pass" or len(said) != len(result.properties):
        return False
    match result.method:
        case "dmarc":
            return said.get("header.from") == domain
        case "dkim":
            return are_aligned((said.get("header.d") or said.get("header.i", "")).rpartition("@")[2], domain)
        case "spf":
            return are_aligned(said.get("smtp.mailfrom", "").rpartition("@")[2], domain)
    return False
