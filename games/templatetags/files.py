"""The site's own stylesheets and scripts."""

from __future__ import annotations

from django import template
from django.template.base import Parser, Token
from django.template.context import Context
from django.templatetags.static import static
from django.utils.safestring import SafeString

from games import rules
from games.drawing import map_url

register = template.Library()


@register.tag
def style(_parser: Parser, token: Token) -> StyleNode:
    """`{% style "games/board.css" %}`: the links to stylesheets."""
    return StyleNode(_files_of(token))


@register.tag
def script(_parser: Parser, token: Token) -> ScriptNode:
    """`{% script "games/board.js" "games/table.js" %}`: scripts that run, in this order, when the page is there, with
    the page's nonce."""
    return ScriptNode(_files_of(token))


@register.simple_tag(takes_context=True)
def board_script(context: Context, board: rules.Board) -> SafeString:
    """`{% board_script pov.ruleset.board %}`: the script that knows a map, and then the one that plays on it."""
    return _run(context, [map_url(board, "spots.js"), static("games/board.js")])


def _files_of(token: Token) -> list[str]:
    tag, *files = token.split_contents()
    if not files or any(file[0] + file[-1] != '""' for file in files):
        raise template.TemplateSyntaxError(f'{tag} takes the names of files in ""')
    return [file[1:-1] for file in files]


class StyleNode(template.Node):
    def __init__(self, files: list[str]) -> None:
        # An address is looked up when the template is read: it stays the same as long as the process runs.
        self.links = SafeString("".join(f'<link rel="stylesheet" href="{static(file)}">' for file in files))

    def render(self, context: Context) -> SafeString:
        return self.links


class ScriptNode(template.Node):
    def __init__(self, files: list[str]) -> None:
        self.urls = list(map(static, files))

    def render(self, context: Context) -> SafeString:
        return _run(context, self.urls)


def _run(context: Context, urls: list[str]) -> SafeString:
    # A page about a broken server is rendered without a request.
    nonce = str(getattr(context.get("request"), "csp_nonce", ""))
    return SafeString("".join(f'<script src="{url}" nonce="{nonce}" defer></script>' for url in urls))
