"""`extends` as Django has it, but for pages that extend the site's layout: that and its blocks are looked up once."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django import template
from django.template.base import Parser, Template, Token
from django.template.context import Context
from django.template.engine import Engine
from django.template.loader_tags import BLOCK_CONTEXT_KEY, BlockContext, BlockNode, ExtendsNode, do_extends
from django.utils.safestring import SafeString

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
