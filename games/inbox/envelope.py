"""What is known of a mail besides its bytes."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address


@dataclass(frozen=True, slots=True)
class Envelope:
    """Who brought a mail to whom. `sender` is the envelope sender, empty for a bounce; `client` the address of the host
    that brought it and `helo` what it calls itself, empty where a way in does not tell."""

    sender: str
    recipient: str
    client: str = ""
    helo: str = ""


def public_host(client: str) -> str:
    """The address of a host if it is one of the net, else empty: a host beside this one only hands over what others
    have sent, and says nothing of them. An IPv4 address within an IPv6 one comes back as itself."""
    with suppress(ValueError):
        host = ip_address(client)
        host = getattr(host, "ipv4_mapped", None) or host
        return str(host) if host.is_global else ""
    return ""
