"""Questions to DNS about one mail, bounded in time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from django.conf import settings
from dns.exception import DNSException, Timeout
from dns.rdata import Rdata
from dns.resolver import NXDOMAIN, NoNameservers, NoResolverConfiguration, Resolver

SECONDS_A_MAIL = 6.0
SECONDS_A_QUESTION = 3.0

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


def _resolver() -> Resolver:
    if not settings.REPLY_RESOLVER:
        return Resolver()
    host = urlsplit(f"//{settings.REPLY_RESOLVER}")
    resolver = Resolver(configure=False)
    resolver.nameservers = [host.hostname or ""]
    resolver.port = host.port or 53
    return resolver
