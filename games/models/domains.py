"""The ends of domains under which anybody may have a name, such as com and co.uk (publicsuffix.org)."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Final

_LONGEST_LABEL: Final = 63

# The library keeps the list that it reads first, whichever is asked for later. So nobody but this module asks it.


def public_suffix_of(domain: str) -> str | None:
    """The end of a `domain` in lower case under which anybody may have a name; None if the list has none."""
    from publicsuffix2 import get_tld  # 4 MB once it has read its list

    return _text(get_tld(_in_ascii(domain), _list(), strict=True))


def organization_of(domain: str) -> str | None:
    """The public suffix of a `domain` in lower case with the name before it, which has one owner; the suffix itself if
    nothing is before it; None if the list has no suffix of it."""
    from publicsuffix2 import get_sld

    return _text(get_sld(_in_ascii(domain), _list())) if public_suffix_of(domain) else None


def _in_ascii(domain: str) -> str:
    """The domain as DNS and the library have it, such as `xn--80aswg.xn--p1ai` for `сайт.рф`."""
    return ".".join(label if label.isascii() else _label_in_ascii(label) for label in domain.split("."))


def _label_in_ascii(label: str) -> str:
    """The part of a domain; as it is if no domain can have it. A long one is not tried: that takes time."""
    if len(label) > _LONGEST_LABEL:
        return label
    try:
        return label.encode("idna").decode()
    except UnicodeError:
        return label


def _list() -> str:
    """The file with the list of authheaders, which is newer than the library's own."""
    return str(files("authheaders") / "public_suffix_list.txt")


def _text(found: Any) -> str | None:
    return str(found) if found else None
