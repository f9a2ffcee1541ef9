"""Counting against the limits of `games.limits`: in the cache that all processes share, by allauth's rate limits."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from allauth.account import app_settings
from allauth.core.internal import ratelimit
from allauth.core.internal.httpkit import get_client_ip
from django.http import HttpRequest

from games.limits import ADDRESS, NETWORK, NETWORK_TO_ADDRESS, PERSON, Limit, Rate
from games.models import mailbox_of


def refused(
    limit: Limit, request: HttpRequest, *, address: str = "", person: object = "", dry_run: bool = False
) -> Rate | None:
    """The rate that does not allow it now; None if all rates allow it. Then it is counted, unless this is a `dry_run`.

    The setting by which allauth switches off its limits switches off these, too.
    """
    if not app_settings.RATE_LIMITS:
        return None
    network, mailbox = network_of(request), mailbox_of(address.lower())
    keys = {
        NETWORK: network,
        ADDRESS: mailbox,
        NETWORK_TO_ADDRESS: f"{network} {mailbox}",
        PERSON: str(person),
    }
    for rate in limit.rates:
        if not _is_allowed(limit, rate, request, key=keys[rate.per], dry_run=True):
            return rate
    for rate in () if dry_run else limit.rates:
        if not _is_allowed(limit, rate, request, key=keys[rate.per], dry_run=False):
            return rate
    return None


def _is_allowed(limit: Limit, rate: Rate, request: HttpRequest, *, key: str, dry_run: bool) -> bool:
    usage = ratelimit.consume(
        request,
        app="games",
        action=limit.key,
        config={limit.key: f"{rate.amount}/{rate.seconds}s/key"},
        key=f"{rate.per} {key}",
        dry_run=dry_run,
        limit_get=True,
    )
    return usage is not None


def network_of(request: HttpRequest) -> str:
    """The network that a request comes from, such as `192.0.2.0/24`; headers count only where a trusted proxy wrote
    them."""
    return network_of_host(get_client_ip(request) or "::")


def network_of_host(address: str) -> str:
    """The network of an address of IPv4 or IPv6."""
    host = ip_address(address)
    if isinstance(host, IPv6Address) and host.ipv4_mapped:
        host = host.ipv4_mapped
    return str(ip_network(f"{host}/{64 if host.version == 6 else 24}", strict=False))
