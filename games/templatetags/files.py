"""The site's own stylesheets and scripts. Their addresses are looked up once: with hashes in them that is dear."""

from __future__ import annotations

from functools import cache

from django import template
from django.template.base import Parser, Token
from django.template.context import Context
from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.tag
def style(_parser: Parser, token: Token) -> StyleNode:
    """`{% style "games/board.css" %}`: the link to a stylesheet."""
    return StyleNode(_file_of(token))


@register.tag
def script(_parser: Parser, token: Token) -> ScriptNode:
    """`{% script "games/table.js" %}`: a script that runs when the page is there, with the page's nonce."""
    return ScriptNode(_file_of(token))


def _file_of(token: Token) -> str:
    tag, *files = token.split_contents()
    if len(files) != 1 or files[0][0] + files[0][-1] != '""':
        raise template.TemplateSyntaxError(f'{tag} takes the name of one file in ""')
    return files[0][1:-1]


class StyleNode(template.Node):
    def __init__(self, file: str) -> None:
        self.file = file

    def render(self, context: Context) -> SafeString:
        return mark_safe(f'<link rel="stylesheet" href="{address(self.file)}">')  # noqa: S308


class ScriptNode(template.Node):
    def __init__(self, file: str) -> None:
        self.file = file

    def render(self, context: Context) -> SafeString:
        # A page about a broken server is rendered without a request.
        nonce = getattr(context.get("request"), "csp_nonce", "")
        return mark_safe(f'<script src="{address(self.file)}" nonce="{nonce}" defer></script>')  # noqa: S308


@cache
def address(file: str) -> str:
    """Where a static file is found."""
    return static(file)
