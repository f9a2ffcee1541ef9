"""One definition for each kind of notice: when it goes, what it says in mails and elsewhere, and what stops it.

Each value of `Notice.Kind` (games/models/notice.py) has a module of its name here, with its definition as `KIND`. All
of them are imported at once, so a kind without a definition, a definition without a kind, and a definition that lacks
an answer stop the site from starting.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from importlib import import_module
from typing import Final

from django.core.exceptions import ImproperlyConfigured

from games.mail.kinds.base import BoardPicture, Facts, Link, Logged, NoticeKind, Stamp, StoppedBy
from games.mail.kinds.common import seats_stamp
from games.models import Notice

__all__ = [
    "KINDS",
    "BoardPicture",
    "Facts",
    "Link",
    "Logged",
    "NoticeKind",
    "Stamp",
    "StoppedBy",
    "kind_of",
    "kinds_that",
    "seats_stamp",
]

SHARED: Final = {"base", "common"}
"""The modules here that are not kinds."""


def _load() -> dict[str, NoticeKind]:
    """The definitions by name. Raises ImproperlyConfigured where modules and `Notice.Kind` do not match."""
    modules = {module.name for module in pkgutil.iter_modules(__path__)} - SHARED
    kinds = set(Notice.Kind.values)
    if missing := ", ".join(sorted(kinds - modules)):
        raise ImproperlyConfigured(f"Notice.Kind has kinds without a module in games/mail/kinds: {missing}.")
    if unknown := ", ".join(sorted(modules - kinds)):
        raise ImproperlyConfigured(
            f"games/mail/kinds has modules without a kind in Notice.Kind (games/models/notice.py): {unknown}."
        )
    return {name: _load_one(name) for name in Notice.Kind.values}


def _load_one(name: str) -> NoticeKind:
    kind = getattr(import_module(f"{__name__}.{name}"), "KIND", None)
    if not isinstance(kind, NoticeKind) or kind.name != name:
        raise ImproperlyConfigured(f"games/mail/kinds/{name}.py has no KIND that is the definition of {name}.")
    return kind


KINDS: Final = _load()


def kind_of(name: str) -> NoticeKind:
    """The definition of a kind, by a value of `Notice.Kind`. Raises ValueError for any other."""
    return KINDS[Notice.Kind(name)]


def kinds_that(is_so: Callable[[NoticeKind], bool]) -> tuple[str, ...]:
    """The names of the kinds of which this is so, for queries."""
    return tuple(name for name, kind in KINDS.items() if is_so(kind))
