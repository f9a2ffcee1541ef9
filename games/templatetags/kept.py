"""Parts of pages: some are rendered once and kept, because looking up addresses, files and translations is costly."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import cast

from django import template
from django.template.base import NodeList, Parser, Token
from django.template.context import Context
from django.template.engine import Engine
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.templatetags.files import ScriptNode

register = template.Library()

MOST = 256
"""Renderings that one part keeps; when there are more, it begins anew."""

GAP = "<token>"
"""Stands for the token of a form in what is kept. No text of players can look like it, because that is escaped."""


@register.tag
def kept(parser: Parser, token: Token) -> Kept:
    """`{% kept a b %}...{% endkept %}`: rendered once for each language and values of `a` and `b`.

    What is inside may depend on nothing else: no request, no viewer. The token of a form is each reader's own: it is
    left out of what is kept and put in at each rendering.
    """
    tag, *names = token.split_contents()
    if not all(part.isidentifier() for name in names for part in name.split(".")):
        raise template.TemplateSyntaxError(f"{tag} takes the names of values, without filters")
    nodelist = parser.parse(("endkept",))
    parser.delete_first_token()
    if nodelist.get_nodes_by_type(ScriptNode):
        raise template.TemplateSyntaxError("the nonce of a script must not be kept")
    return Kept(nodelist, names)


class Kept(template.Node):
    # A block must not be in it: nobody need look for one here at each rendering.
    child_nodelists = ()

    def __init__(self, nodelist: NodeList, names: Iterable[str]) -> None:
        self.nodelist = nodelist
        self.paths = [(name, attributes) for name, *attributes in (name.split(".") for name in names)]
        self.renderings: dict[tuple[object, ...], list[SafeString]] = {}

    def render(self, context: Context) -> SafeString:
        key = (_language(context), *[_look_up(context, name, attributes) for name, attributes in self.paths])
        pieces = self.renderings.get(key)
        if pieces is None:
            if len(self.renderings) >= MOST:
                self.renderings.clear()
            pieces = self.renderings[key] = self._pieces(context)
        return pieces[0] if len(pieces) == 1 else SafeString(str(context.get("csrf_token", "")).join(pieces))

    def _pieces(self, context: Context) -> list[SafeString]:
        """What stands before, between and after the tokens of forms."""
        with context.push(csrf_token=GAP):
            return [SafeString(piece) for piece in self.nodelist.render(context).split(GAP)]


def _look_up(context: Context, name: str, attributes: Iterable[str]) -> object:
    """A variable, or an attribute of one (None for any of None): Django, which tries whatever else it could be, takes
    three times as long. Raises KeyError or AttributeError for what does not exist: by a name written wrong all readers
    would see what was rendered for one."""
    try:
        value = context[name]
    except KeyError:
        # A page about a broken server is rendered without a request, and knows nothing.
        if "request" in context:
            raise
        value = None
    for attribute in attributes:
        if value is None:
            return None
        value = getattr(value, attribute)
    return value() if callable(value) else value


def _language(context: Context) -> str | None:
    """The active language, looked up once for a page: a page is in one."""
    page = vars(context.render_context)
    if "language" not in page:
        page["language"] = get_language()
    return cast("str | None", page["language"])


@register.tag
def part(_parser: Parser, token: Token) -> PartNode:
    """`{% part "games/_table_card.html" %}`: as `include`, for pages where a dozen includes are costly: what is in it
    sees and may set the same variables."""
    _tag, file = token.split_contents()
    return PartNode(file.strip('"'))


class PartNode(template.Node):
    child_nodelists = ()

    def __init__(self, file: str) -> None:
        self.file = file

    def render(self, context: Context) -> SafeString:
        return self.nodelist.render(context)

    @cached_property
    def nodelist(self) -> NodeList:
        return Engine.get_default().get_template(self.file).nodelist
