"""Parts of pages that are the same for many readers and tables: rendered once, because looking up addresses, files and
translations is costly."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from django import template
from django.template.base import FilterExpression, Parser, Template, Token, render_value_in_context
from django.template.context import Context
from django.utils.safestring import SafeString

from games.caching import Latest, active_language
from games.templatetags.files import ScriptNode

register = template.Library()

MOST = 256
"""Renderings of one part that are cached, those used last."""

TOKEN = "csrf_token"  # noqa: S105

FIRST_GAP = 10**24 + secrets.randbelow(9 * 10**23)
"""The number of the first gap of each partial: of this process alone, so that nobody can write it into a page."""


class Gap(SafeString):
    """Stands in a cached rendering for a value that is put in for each reader: a number, so that it can be part
    of an address, too. A template may print it, but not ask about it."""

    def __bool__(self) -> bool:
        raise TypeError("a value that is filled in cannot be asked about: name it before `with`")


@register.tag
def cached(parser: Parser, token: Token) -> CachedNode:
    """`{% cached "games/_table_end.html" pov.is_over offer with pov.slug said %}`: that partial, rendered once for each
    language and for each set of the values before `with`; those after it are filled in each time.

    The partial sees these values and nothing else, by the same names. It may print what is filled in, make an address
    of it (`{% url "table" pov.slug %}`) and have `{% csrf_token %}`, but neither ask about it nor filter it. Values
    before `with` have few values: flags, kinds, small numbers.
    """
    tag, *parts = token.split_contents()
    if not parts or parts[0][0] + parts[0][-1] != '""':
        raise template.TemplateSyntaxError(f'{tag} takes the name of a partial in ""')
    if any(not part.isidentifier() for path in parts[1:] for part in path.split(".")):
        raise template.TemplateSyntaxError(f"{tag} takes the names of values, without filters")
    file, paths = parts[0].strip('"'), parts[1:]
    split = paths.index("with") if "with" in paths else len(paths)
    keys, gaps = paths[:split], paths[split + 1 :]
    return CachedNode(file, {path: parser.compile_filter(path) for path in keys}, _compiled(parser, gaps))


def _compiled(parser: Parser, gaps: Sequence[str]) -> dict[str, FilterExpression]:
    return {path: parser.compile_filter(path) for path in (*gaps, TOKEN)}


class CachedNode(template.Node):
    child_nodelists = ()

    def __init__(self, file: str, keys: dict[str, FilterExpression], gaps: dict[str, FilterExpression]) -> None:
        self.file, self.keys, self.gaps = file, keys, list(gaps.items())
        self.renderings: Latest[tuple[object, ...], list[Any]] = Latest(MOST)

    def render(self, context: Context) -> SafeString:
        values = [value.resolve(context, ignore_failures=True) for value in self.keys.values()]
        key = (active_language(), *values)
        pieces = self.renderings.find(key)
        if pieces is None:
            pieces = self._pieces(context, values)
            self.renderings.store(key, pieces)
        if len(pieces) == 1:
            return SafeString(pieces[0])
        filled = {number: self._fill(number, context) for number in set(pieces[1::2])}
        return SafeString("".join([filled.get(piece, piece) for piece in pieces]))

    def _pieces(self, context: Context, values: Iterable[object]) -> list[Any]:
        """By turns what stands between the gaps, as text, and the number of a gap."""
        partial: Template = context.template.engine.get_template(self.file)  # type: ignore[union-attr]
        if partial.nodelist.get_nodes_by_type(ScriptNode):
            raise template.TemplateSyntaxError("the nonce of a script must not be cached")
        stand_ins = [Gap(FIRST_GAP + number) for number in range(len(self.gaps))]
        seen = _nest(zip([*self.keys, *(path for path, _value in self.gaps)], [*values, *stand_ins], strict=True))
        # Django's own tag asks whether there is a token.
        seen[TOKEN] = SafeString(stand_ins[-1])
        numbers: dict[str, int] = {stand_in: number for number, stand_in in enumerate(stand_ins)}
        # Indents are for those who read templates.
        rendered = re.sub(r"\n\s+", "\n", partial.render(Context(seen, autoescape=context.autoescape)))
        pieces = re.split(f"({'|'.join(stand_ins)})", rendered)
        return [numbers.get(piece, piece) for piece in pieces]

    def _fill(self, gap: int, context: Context) -> str:
        value = self.gaps[gap][1].resolve(context)
        if type(value) is SafeString:
            return value
        # What Django makes of text, without looking for times, numbers and lazy texts: a table has forty values.
        return (
            escape(value) if type(value) is str and context.autoescape else str(render_value_in_context(value, context))
        )


def _nest(values: Iterable[tuple[str, object]]) -> dict[str, object]:
    """`{"pov": {"slug": ...}}` of `pov.slug`."""
    nested: dict[str, object] = {}
    for path, value in values:
        *around, name = path.split(".")
        place: dict[str, object] = nested
        for part in around:
            place = place.setdefault(part, {})  # type: ignore[assignment]
        place[name] = value
    return nested
