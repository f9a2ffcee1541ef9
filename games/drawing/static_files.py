"""Static files that drawings are made of, as text."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from django.contrib.staticfiles import finders

BY_NIGHT: Final = "#night:target "
"""What the rules for the night begin with in the pictures of a map: they hold where the address ends in `#night`."""


def read_drawing(file: str) -> str:
    """The text of a static file."""
    return read_bytes(file).decode()


def read_bytes(file: str) -> bytes:
    """A static file. Raises FileNotFoundError."""
    found = finders.find(file)
    if found is None:
        raise FileNotFoundError(file)
    return Path(found).read_bytes()


def styles_of(drawing: str) -> tuple[str, str]:
    """The rules of a picture of a map, by day and by night."""
    style = drawing.split("<style>")[1].split("</style>")[0]
    day, *night = style.split(BY_NIGHT)
    return day, "".join(night)


def drawn_in(drawing: str) -> str:
    """What such a picture draws, without its own head."""
    inside = drawing.split("</style>")[1].removesuffix("</svg>\n")
    return f'<g stroke-linecap="round" stroke-linejoin="round">{inside}</g>'
