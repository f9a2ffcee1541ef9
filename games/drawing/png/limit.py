"""How many pictures are drawn at the same time, by all processes of this machine together."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.conf import settings

AT_ONCE: Final = 1
"""Pictures that are drawn while somebody waits: each takes some tenths of a second of a core."""


class BusyError(Exception):
    """As many pictures as may be are being drawn."""


@contextmanager
def drawing_slot(what: str = "drawing") -> Iterator[None]:
    """Take one of AT_ONCE slots for a block, so that no more threads of all processes run it at a time; each `what` has
    slots of its own. Raises BusyError instead of waiting, which would hold a thread of the site."""
    settings.PICTURES_DIR.mkdir(parents=True, exist_ok=True)
    for number in range(AT_ONCE):
        with (settings.PICTURES_DIR / f"{what}-{number}").open("w") as slot:
            try:
                # A process that dies leaves it, too.
                fcntl.flock(slot, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            yield
            return
    raise BusyError
