"""The ends of domains under which anybody may have a name, such as com and co.uk (publicsuffix.org)."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

# The library keeps the list that it reads first, whichever is asked for later. So nobody but this module asks it.


def public_suffix_of(domain: str) -> str | None:
    """The end of a `domain` in lower case under which anybody may have a name; None if the list has none."""
    from publicsuffix2 import get_tld  # 4 MB once it has read its list

    return _text(get_tld(domain, _list(), strict=True))


def organization_of(domain: str) -> str | None:
    """The public suffix of a `domain` in lower case with the name before it, which has one owner; the suffix itself if
    nothing is before it; None if the list has no suffix of it."""
    from publicsuffix2 import get_sld

    return _text(get_sld(domain, _list())) if public_suffix_of(domain) else None


def _list() -> str:
    """The file with the list of authheaders, which is newer than the library's own."""
    return str(files("authheaders") / "public_suffix_list.txt")


def _text(found: Any) -> str | None:
    return str(found) if found else None
