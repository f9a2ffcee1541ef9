"""Questions to DNS about one mail, bounded in time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from django.conf import settings
from dns.exception import DNSException, Timeout
from dns.rdata import Rdata
from dns.resolver import NXDOMAIN, Answer, CacheKey, LRUCache, NoNameservers, NoResolverConfiguration, Resolver

SECONDS_A_MAIL = 6.0
SECONDS_A_QUESTION = 3.0
SECONDS_KEPT = 300.0
"""How long an answer of DNS is cached at most, even if it allows for longer."""

Lookup = Callable[[str, str], Sequence[Rdata]]
"""The records of a name and a type such as TXT: none where there are none; raises DnsAway."""


class DnsAway(Exception):
    """DNS did not answer in time, or said that it cannot: the same question may be answered later."""


def dns_lookup() -> Lookup:
    """A function that asks DNS for one mail: all its questions together take SECONDS_A_MAIL at most."""
    ends = time.monotonic() + SECONDS_A_MAIL

    def lookup(name: str, kind: str) -> Sequence[Rdata]:
        left = min(ends - time.monotonic(), SECONDS_A_QUESTION)
        if left <= 0:
            raise DnsAway("no time left")
        try:
            answer = _resolver().resolve(name, kind, lifetime=left, raise_on_no_answer=False)
        except NXDOMAIN:
            return ()
        except (Timeout, NoNameservers, NoResolverConfiguration) as error:
            raise DnsAway(name) from error
        except DNSException:  # a name that cannot be
            return ()
        return tuple(answer)

    return lookup


class _Found(LRUCache):
    """Records that were found: most players' mail comes from a few domains. What was not found is asked for again."""

    def put(self, key: CacheKey, value: Answer) -> None:
        if value.rrset is not None:
            value.expiration = min(value.expiration, time.time() + SECONDS_KEPT)
            super().put(key, value)


_FOUND = _Found(1000)


def _resolver() -> Resolver:
    resolver = Resolver(configure=not settings.REPLY_RESOLVER)
    resolver.cache = _FOUND
    if settings.REPLY_RESOLVER:
        host = urlsplit(f"//{settings.REPLY_RESOLVER}")
        resolver.nameservers = [host.hostname or ""]
        resolver.port = host.port or 53
    return resolver
