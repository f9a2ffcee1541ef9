"""The seal of a seat: a sign for its place in the order of play, with the initial of its player.

No sign is the mark of a clan, a chip or the plate of a value, and none has a number in it: numbers are moves and ranks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from django.utils.safestring import SafeString

SIGNS: Final = (
    "M-10.5-11C-7-9.5-3.5-10.5 0-12.5 3.5-10.5 7-9.5 10.5-11V1C10.5 7.5 5.5 11 0 13.5-5.5 11-10.5 7.5-10.5 1z",
    "M0-13L4-10 9-9.5 10-4.5 13 0 10 4.5 9 9.5 4 10 0 13-4 10-9 9.5-10 4.5-13 0-10-4.5-9-9.5-4-10z",
    "M-10.5-12H10.5V12.5L0 7-10.5 12.5z",
    "M-11 12V-1.5C-11-9-6-12.5 0-12.5S11-9 11-1.5V12z",
)
"""A shield, a rosette, a banner and an arch about (0, 0), for the first seat to the fourth."""
NOBODY: Final = ("", "", "", "")


def initials(names: Iterable[str]) -> tuple[str, ...]:
    """What stands on the seals of these seats, in seat order."""
    return tuple(name[:1].upper() for name in names)


def draw_seal(number: int) -> SafeString:
    """The seal of seat `number` (from 0) beside its name, without words for screen readers. It uses the seals that the
    board on the same page defines, or `draw_seals`."""
    return SafeString(
        f'<svg class="seal-mark" viewBox="-14 -14 28 28" aria-hidden="true"><use href="#seal-{number}"/></svg>'
    )


def draw_seals(letters: Sequence[str]) -> SafeString:
    """The seals of all seats with these initials, for a page without a board; by itself it shows nothing."""
    return SafeString(
        f'<svg class="sprite" width="0" height="0" aria-hidden="true"><defs>{define_seals(letters)}</defs></svg>'
    )


def define_seals(letters: Sequence[str] = NOBODY) -> str:
    """The seals of all seats for the `<defs>` of a drawing, with these initials."""
    return "".join(f'<g id="seal-{number}">{_draw(number, letter)}</g>' for number, letter in enumerate(letters))


def _draw(number: int, letter: str) -> str:
    text = f'<text y="6">{escape(letter)}</text>' if letter else ""
    return f'<g class="seal"><path d="{SIGNS[number]}"/>{text}</g>'
