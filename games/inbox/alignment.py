"""Which domains belong together (RFC 7489 section 3.1, relaxed)."""

from __future__ import annotations

import re
from importlib.resources import files

from publicsuffix2 import get_sld, get_tld

_LABEL = "[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?"
DOMAIN = re.compile(rf"(?=.{{1,253}}$)({_LABEL}\.)*{_LABEL}")
"""A domain name as DNS has it: lower case, in ASCII, no dot at the end."""

# The library reads the list once. That of authheaders is newer than its own.
_SUFFIXES = str(files("authheaders") / "public_suffix_list.txt")


def are_aligned(one: str, other: str) -> bool:
    """Whether two domain names are one, or have one owner: an organizational domain in common. A public suffix such as
    co.uk has no owner, and a name under an unknown top-level domain is aligned with itself alone."""
    if not (DOMAIN.fullmatch(one) and DOMAIN.fullmatch(other)):
        return False
    return one == other or _organization(one) == _organization(other) is not None


def _organization(domain: str) -> str | None:
    return str(get_sld(domain, _SUFFIXES)) if get_tld(domain, _SUFFIXES, strict=True) else None
