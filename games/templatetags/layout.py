"""Two of Django's own tags, for what pages of this site ask of them: `extends`, whose layout and blocks Django looks up
at each rendering, and `csrf_token`, which a table has in five forms."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django import template
from django.template.base import Parser, Template, Token
from django.template.context import Context
from django.template.defaulttags import CsrfTokenNode
from django.template.engine import Engine
from django.template.loader_tags import BLOCK_CONTEXT_KEY, BlockContext, BlockNode, ExtendsNode, do_extends
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

LAYOUT = "base.html"
"""It extends nothing itself."""


@register.tag
def extends(parser: Parser, token: Token) -> ExtendsNode:
    node = do_extends(parser, token)
    return LaidOutNode(node.nodelist, node.parent_name) if token.contents == f'extends "{LAYOUT}"' else node


class LaidOutNode(ExtendsNode):
    def render(self, context: Context) -> SafeString:
        around: Any = context.render_context
        blocks = around.setdefault(BLOCK_CONTEXT_KEY, BlockContext())
        blocks.add_blocks(self.blocks)
        blocks.add_blocks(self.layout_blocks)
        with around.push_state(self.layout, isolated_context=False):
            return self.layout.nodelist.render(context)

    @cached_property
    def layout(self) -> Template:
        return Engine.get_default().get_template(LAYOUT)

    @cached_property
    def layout_blocks(self) -> dict[str | None, BlockNode]:
        nodes: Any = self.layout.nodelist.get_nodes_by_type(BlockNode)
        return {block.name: block for block in nodes}


@register.tag
def csrf_token(_parser: Parser, _token: Token) -> CsrfTokenNode:
    return TokenNode()


class TokenNode(CsrfTokenNode):
    def render(self, context: Context) -> SafeString:
        # Of letters and digits; a page that has none has no request either.
        token = context.get("csrf_token")
        return mark_safe(f'<input type="hidden" name="csrfmiddlewaretoken" value="{token}">' if token else "")  # noqa: S308
