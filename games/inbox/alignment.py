"""Which domains belong together (RFC 7489 section 3.1, relaxed)."""

from __future__ import annotations

import re

from games.models import organization_of

_LABEL = "[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?"
DOMAIN = re.compile(rf"(?=.{{1,253}}$)({_LABEL}\.)*{_LABEL}")
"""A domain name as DNS has it: lower case, in ASCII, no dot at the end."""


def are_aligned(one: str, other: str) -> bool:
    """Whether two domain names are one, or have one owner: an organizational domain in common. A public suffix such as
    co.uk has no owner, and a name under an unknown top-level domain is aligned with itself alone."""
    if not (DOMAIN.fullmatch(one) and DOMAIN.fullmatch(other)):
        return False
    return one == other or organization_of(one) == organization_of(other) is not None
