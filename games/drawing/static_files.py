"""Static files that drawings are made of, as text."""

from __future__ import annotations

from pathlib import Path

from django.contrib.staticfiles import finders


def read_drawing(file: str) -> str:
    """The text of a static file."""
    return read_bytes(file).decode()


def read_bytes(file: str) -> bytes:
    """A static file. Raises FileNotFoundError."""
    found = finders.find(file)
    if found is None:
        raise FileNotFoundError(file)
    return Path(found).read_bytes()


def style_of(drawing: str) -> str:
    """The rules of an SVG file that has a style, by day and by night."""
    return drawing.split("<style>")[1].split("</style>")[0]


def drawn_in(drawing: str) -> str:
    """What such a file draws, without its own head."""
    inside = drawing.split("</style>")[1].removesuffix("</svg>\n")
    return f'<g stroke-linecap="round" stroke-linejoin="round">{inside}</g>'
