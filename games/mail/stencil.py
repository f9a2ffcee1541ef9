"""Templates rendered once with blanks in the place of words, and the blanks filled in for each mail.

Most of a mail is the same in every mail of its kind: rendering it and writing its styles into its tags costs a hundred
times what filling it in does. What a template decides on is kept: whether a text is empty, how long a list is, and
values that are `Fixed`, `bool` or None. All else that it gets is text that is put in its place: no filter works on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from html import escape
from typing import Any, Final

import css_inline
from django.template.loader import render_to_string
from django.utils.translation import get_language

BLANK: Final = "\ue000{}\ue001"
"""Private use characters of Unicode: no player can write them into a mail, since `_walk` takes them out."""
_BLANKS = re.compile("\ue000([0-9]+)\ue001")
_CLASS = re.compile(r"\.([\w-]+)")
_CLASSES = re.compile(r' class="([^"]*)"')
_STYLE = re.compile(r'(?<= style=")[^"]*')
_FORBIDDEN: Final = {0xE000: None, 0xE001: None}

# It leaves the night sheet alone: programs that read one get the dark paper, the others lose nothing.
_inliner = css_inline.CSSInliner(load_remote_stylesheets=False)

Shape = Any
"""What a template decides on, as nested tuples."""


class Fixed(str):
    """A text that is part of the template: the name of a class or of a kind, never what somebody wrote."""

    __slots__ = ()


class Filling:
    """What templates are filled with: a dataclass with slots, read once for all of them."""

    def __init__(self, letter: object, *, name: str) -> None:
        self._letter, self._name = letter, name
        self._texts: list[str] = []
        self._shape = _walk(letter, self._texts)

    def fill(self, template: str) -> str:
        """The template in the active language, with the letter under its name; HTML has its styles inlined."""
        stencil = _stencil(template, self._name, get_language() or "", self._shape, _Kept(self._letter))
        texts = [escape(text) for text in self._texts] if template.endswith(".html") else self._texts
        return "".join([part if number is None else texts[number] for part, number in stencil])


class _Kept:
    """Goes with a shape to be rendered, but has no part in telling shapes apart."""

    def __init__(self, letter: object) -> None:
        self.letter = letter

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Kept)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=1024)
def _stencil(template: str, name: str, _language: str, _shape: Shape, kept: _Kept) -> list[tuple[str, int | None]]:
    """Literal parts and the numbers of the texts between them."""
    numbers = iter(range(10**6))
    blank = _copied(kept.letter, lambda: BLANK.format(next(numbers)))
    kept.letter = None
    rendered: str = render_to_string(template, {name: blank})
    if template.endswith(".html"):
        rendered = _squeezed(_inliner.inline(rendered))
    return list(_parts(rendered))


def _parts(rendered: str) -> Iterator[tuple[str, int | None]]:
    for place, part in enumerate(_BLANKS.split(rendered)):
        yield ("", int(part)) if place % 2 else (part, None)


def _squeezed(html: str) -> str:
    """Without what only people who read templates need: indents, empty lines, classes whose styles are inlined."""
    _head, night = html.split("@media", 1) if "@media" in html else ("", "")
    kept = set(_CLASS.findall(night.split("</style>")[0]))
    plain = _CLASSES.sub(lambda found: _classes([name for name in found[1].split() if name in kept]), html)
    plain = _STYLE.sub(lambda found: re.sub(r"(?<=[:;,]) ", "", found[0]).removesuffix(";"), plain)
    return re.sub(r"\s*\n\s*", "\n", plain)


def _classes(names: Sequence[str]) -> str:
    return f' class="{" ".join(names)}"' if names else ""


# --- Values --------------------------------------------------------------------------------------


def _walk(value: Any, texts: list[str]) -> Shape:
    """The shape of a value; its texts are appended in order."""
    kind = type(value)
    if kind is str:
        texts.append(value.translate(_FORBIDDEN) if "\ue000" in value or "\ue001" in value else value)
        return bool(value)
    if kind is tuple:
        return tuple([_walk(one, texts) for one in value])
    if value is None or kind is bool or kind is Fixed:
        return value
    return tuple([_walk(getattr(value, name), texts) for name in kind.__slots__])


def _copied(value: Any, blank: Callable[[], str]) -> Any:
    """The value with a blank for each text that is not empty, in the order of `_walk`."""
    if type(value) is str:
        made = blank()
        return made if value else ""
    if isinstance(value, tuple):
        return tuple(_copied(one, blank) for one in value)
    if is_dataclass(value) and not isinstance(value, type):
        return type(value)(*(_copied(getattr(value, field.name), blank) for field in fields(value)))
    return value
