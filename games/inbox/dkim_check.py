"""DKIM (RFC 6376): whether the domain of From has signed a mail. dkimpy does the reckoning; what it lets pass and this
site does not is in `_may_count` and `_find_key`."""

from __future__ import annotations

import json
import logging
import re
from datetime import datetime
from functools import partial
from pathlib import Path

from django.conf import settings
from dkim import DKIM
from dkim.util import InvalidTagValueList, parse_tag_value
from dns.rdtypes.ANY.TXT import TXT

from games.inbox.alignment import are_aligned
from games.inbox.lookups import DnsAway, Lookup
from games.models import digest_of

logger = logging.getLogger(__name__)

MOST_SIGNATURES = 5
LONGEST_SIGNATURE = 10_000
# Enough for RSA of 8192 bits; a key without bound would be raised to a power without bound.
LONGEST_KEY = 1_500

Fields = list[tuple[bytes, bytes]]
"""Names, in lower case, and values of a mail's header, from top to bottom."""
Tags = dict[bytes, bytes]


def is_signed_by_domain(
    raw: bytes, fields: Fields, *, domain: str, token_digest: str, lookup: Lookup, at: datetime
) -> bool:
    """Whether a valid signature that is aligned with `domain` covers From, the whole text, and the token in To or Cc:
    else whoever gets hold of any mail of a player could send it here as an answer. Raises DnsAway if none does and
    the key of one could not be looked up."""
    tags = [_read_tags(value) for name, value in fields if name == b"dkim-signature"]
    named = _which_name(token_digest, fields)
    away: DnsAway | None = None
    for index in [index for index, tag in enumerate(tags) if _may_count(tag, named, domain, at)][:MOST_SIGNATURES]:
        try:
            if _verify(raw, index, tags[index], lookup):
                return True
        except DnsAway as error:
            away = error
        except Exception as error:
            # Some bad keys and signatures make dkimpy raise what it does not name.
            logger.info("a DKIM signature cannot be read: %r", error)
    if away:
        raise away
    return False


def _read_tags(value: bytes) -> Tags:
    try:
        return dict(parse_tag_value(value)) if len(value) <= LONGEST_SIGNATURE else {}
    except InvalidTagValueList:
        return {}


def _which_name(token_digest: str, fields: Fields) -> set[bytes]:
    """Which of To and Cc has the token in an address. Of several fields of one name a signature covers the last."""
    last = {name: value.lower() for name, value in fields if name in (b"to", b"cc")}
    secrets = {name: re.findall(rb"\+([a-z0-9]+)@", value) for name, value in last.items()}
    return {name for name, found in secrets.items() if token_digest in {digest_of(secret.decode()) for secret in found}}


def _may_count(tags: Tags, named: set[bytes], domain: str, at: datetime) -> bool:
    """Whether a signature covers From, one of the fields that have the token, and the whole text (no `l`), is of a
    strong kind (RFC 8301), has not expired, and is of a domain that is aligned with that of From."""
    covered = set(re.split(rb"\s*:\s*", tags.get(b"h", b"").lower()))
    expires = tags.get(b"x", b"9" * 12)
    return (
        are_aligned(tags.get(b"d", b"").decode(errors="replace").lower(), domain)
        and tags.get(b"a") == b"rsa-sha256"
        and b"from" in covered
        and not covered.isdisjoint(named)
        and b"l" not in tags
        and expires.isdigit()
        and int(expires[:20]) > at.timestamp()
    )


def _verify(raw: bytes, index: int, tags: Tags, lookup: Lookup) -> bool:
    signed = DKIM(raw)
    if tags.get(b"c", b"").endswith(b"/relaxed"):
        # This changes no relaxed hash. dkimpy's own way takes hours for a million blanks in a row.
        signed.body = re.sub(rb"[\t ]+", b" ", signed.body)
    return bool(signed.verify(index, dnsfunc=partial(_find_key, tags=tags, lookup=lookup)))


def _find_key(name: bytes, *, tags: Tags, lookup: Lookup, timeout: float) -> bytes | None:
    """The key record that a signature names, if it may be used for it."""
    records = _find_records(name.decode(errors="replace").lower().rstrip("."), lookup)
    if len(records) != 1 or len(records[0]) > LONGEST_KEY:
        return None
    key = _read_tags(records[0])
    flags = re.split(rb"\s*:\s*", key.get(b"t", b""))
    identity = tags.get(b"i", b"@" + tags[b"d"]).lower()
    if b"y" in flags or (b"s" in flags and identity.rpartition(b"@")[2] != tags[b"d"].lower()):
        return None
    hashes = re.split(rb"\s*:\s*", key.get(b"h", b"sha256"))
    return records[0] if b"sha256" in hashes else None


def _find_records(name: str, lookup: Lookup) -> list[bytes]:
    selector, _, _domain = name.partition("._domainkey.")
    local = _local_keys()
    for known in (name, f"{selector}._domainkey.*"):
        if known in local:
            return [local[known].encode()]
    return [b"".join(record.strings) for record in lookup(name, "TXT") if isinstance(record, TXT)]


def _local_keys() -> dict[str, str]:
    """Keys of a site that is being tried out, known without DNS: {"SELECTOR._domainkey.DOMAIN": "v=DKIM1; ..."}, where
    the domain * is every domain."""
    path = Path(settings.REPLY_LOCAL_KEYS)
    if not (settings.DEBUG and settings.REPLY_LOCAL_KEYS and path.is_file()):
        return {}
    return {str(name): str(record) for name, record in json.loads(path.read_text()).items()}
