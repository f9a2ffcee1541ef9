"""Which texts a picture can show: those whose letters its face has."""

from __future__ import annotations

import re
from typing import Final

LETTERS: Final = re.compile("[ -~\u00a1-\u00ac\u00ae-\u017f\u0218-\u021b\u2013\u2014\u2018-\u201a\u201c-\u201e\u2026]+")
"""Latin letters with their marks, and punctuation. resvg leaves out any other, and says nothing."""


def can_write(text: str) -> bool:
    """Whether a picture shows all of the text."""
    return LETTERS.fullmatch(text) is not None
