"""Two of Django's own tags, for what pages of this site ask of them: `extends`, whose layout and blocks Django looks up
at each rendering, and `csrf_token`, which a table has in five forms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from django import template
from django.template.base import Node, NodeList, Parser, Template, Token, VariableNode
from django.template.context import Context
from django.template.defaulttags import CsrfTokenNode
from django.template.engine import Engine
from django.template.loader_tags import BLOCK_CONTEXT_KEY, BlockNode, ExtendsNode, do_extends
from django.utils.safestring import SafeString

register = template.Library()

LAYOUT = "base.html"
"""The layout of all pages; it extends no other template."""


@register.tag
def extends(parser: Parser, token: Token) -> ExtendsNode:
    node = do_extends(parser, token)
    return LaidOutNode(node.nodelist, node.parent_name) if token.contents == f'extends "{LAYOUT}"' else node


class LaidOutNode(ExtendsNode):
    """A template that extends the layout, as one list of nodes: Django looks each block up at each rendering, and gives
    it a scope of its own, for which no template here asks."""

    def render(self, context: Context) -> SafeString:
        around: Any = context.render_context
        if self.filled is None or BLOCK_CONTEXT_KEY in around:
            return SafeString(super().render(context))
        with around.push_state(self.layout, isolated_context=False):
            return self.filled.render(context)

    @cached_property
    def layout(self) -> Template:
        return Engine.get_default().get_template(LAYOUT)

    @cached_property
    def filled(self) -> NodeList | None:
        """The layout with the blocks of this template in their places; None where one lies deeper, in an `if`, or asks
        for the block that it replaces."""
        layout: Any = self.layout.nodelist
        filled: Any = _fill(layout, {block.name: block for block in layout.get_nodes_by_type(BlockNode)} | self.blocks)
        asked = {str(variable.filter_expression) for variable in filled.get_nodes_by_type(VariableNode)}
        return None if filled.get_nodes_by_type(BlockNode) or "block.super" in asked else filled


def _fill(nodelist: Iterable[Node], blocks: Mapping[str | None, BlockNode]) -> NodeList:
    filled = NodeList()
    for node in nodelist:
        filled.extend(_fill(blocks[node.name].nodelist, blocks) if isinstance(node, BlockNode) else [node])
    return filled


@register.tag
def csrf_token(_parser: Parser, _token: Token) -> CsrfTokenNode:
    return TokenNode()


class TokenNode(CsrfTokenNode):
    def render(self, context: Context) -> SafeString:
        # Of letters and digits; a page that has none has no request either.
        token = str(context.get("csrf_token") or "")
        return SafeString(f'<input type="hidden" name="csrfmiddlewaretoken" value="{token}">' if token else "")
