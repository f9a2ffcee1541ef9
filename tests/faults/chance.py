"""The same chance in every world: random bytes from a stream that starts again whenever asked to.

Nonces, CSRF tokens, form keys and the ids of messages are then the same for the same request, so that nothing needs to
be taken out before two answers are compared to the byte.
"""

from __future__ import annotations

import hashlib
import os
import random

import pytest
from django.template import engines


class Chance:
    """A stream of bytes in place of the system's."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.drawn = 0
        # The tag {% cached %} draws a number when it is imported, which would else be within the first page.
        engines.all()
        monkeypatch.setattr(os, "urandom", self.draw)
        monkeypatch.setattr(random, "_urandom", self.draw)

    def restart(self) -> None:
        """From now on the same bytes as after every other restart."""
        self.drawn = 0
        random.seed(0)

    def draw(self, size: int) -> bytes:
        """The next `size` bytes of the stream."""
        stream = b""
        while len(stream) < size:
            self.drawn += 1
            stream += hashlib.sha256(b"chance %d" % self.drawn).digest()
        return stream[:size]
