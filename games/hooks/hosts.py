"""Which hosts are on the public net: the only ones that are called, whatever name leads to them."""

from __future__ import annotations

import ipaddress
from ipaddress import IPv4Address, IPv6Address
from typing import Final

from django.conf import settings

_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
_GLOBAL: Final = ipaddress.IPv6Network("2000::/3")
# What older versions of `ipaddress` take for global, and what leads to IPv4 hosts by detours.
_NOT_PUBLIC: Final = tuple(
    map(
        ipaddress.ip_network,
        ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2002::/16", "3fff::/20"),
    )
)


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public net, and not of this machine, its network or its provider's."""
    return is_public_host(ipaddress.ip_address(address.partition("%")[0]))


def is_public_host(host: IPv4Address | IPv6Address) -> bool:
    if isinstance(host, IPv6Address):
        inner = _inner(host)
        if inner is not None:
            return is_public_host(inner)
        if host not in _GLOBAL:
            return False
    if host.is_multicast or any(host in network for network in _NOT_PUBLIC if network.version == host.version):
        return False
    return host.is_global


def _inner(host: IPv6Address) -> IPv4Address | None:
    """The IPv4 host that the IPv6 address is another name of (RFC 4291, RFC 6052)."""
    return host.ipv4_mapped or (IPv4Address(int(host) & 0xFFFFFFFF) if host in _NAT64 else None)


def may_be_called(address: str) -> bool:
    return settings.WEBHOOK_ALLOW_INTERNAL or is_public(address)
