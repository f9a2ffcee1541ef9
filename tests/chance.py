"""The random numbers of a test: a stream of bytes that is the same whenever the test runs.

Tokens, keys, deals and drawn moves are then the same in every run, so that chance makes no test fail once in a hundred
runs; `TEST_SEED=5 make test` draws others. Two answers can be compared to the byte, too: whoever restarts the stream
before each gets the same nonces, CSRF tokens and ids of messages in both. The same number seeds Hypothesis (plugin.py).

Programs that a test starts draw their own.
"""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

RUN: Final = os.environ.get("TEST_SEED", "0")
"""What the random numbers of all tests of this run depend on."""


class Chance:
    """A stream of bytes in place of the system's."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.restart()

    def restart(self, name: str = "") -> None:
        """From now on the same bytes as after every other restart with this name."""
        self._begun, self._drawn = hashlib.shake_256(f"{RUN} {name} ".encode()), 0
        random.seed(f"{RUN} {name}")

    @contextmanager
    def stream(self, name: str) -> Iterator[None]:
        """Draw from the stream of this name meanwhile, from its beginning: for what several tests share, whichever of
        them is the first to make it."""
        before = self._begun, self._drawn, random.getstate()
        self.restart(name)
        yield
        self._begun, self._drawn, state = before
        random.setstate(state)

    def draw(self, size: int) -> bytes:
        """The next `size` bytes of the stream."""
        with self._lock:
            number = self._drawn
            self._drawn += 1
        drawn = self._begun.copy()
        drawn.update(b"%d" % number)
        return drawn.digest(size)


CHANCE: Final = Chance()


def install() -> None:
    """Have this process draw from the stream, to its end."""
    os.urandom = random._urandom = CHANCE.draw  # type: ignore[attr-defined]
