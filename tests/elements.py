"""Pages and mails as trees of elements, which CSS selectors find.

lxml parses a page with a board in one or two milliseconds, and finds in a tenth of one. BeautifulSoup, which makes an
object of each element and each text, takes three times as long for it as the site does to make the page.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from lxml import etree, html  # type: ignore[import-untyped]
from lxml.cssselect import CSSSelector  # type: ignore[import-untyped]

# What it says itself, and what elements in it say: not what scripts and stylesheets among them do.
_texts = etree.XPath("text() | .//*[not(self::script or self::style)]/text()", smart_strings=False)


class Element:
    """An element and what is in it."""

    def __init__(self, node: Any) -> None:
        self._node = node

    def __repr__(self) -> str:
        return str(html.tostring(self._node, encoding="unicode", with_tail=False))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Element) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    @property
    def name(self) -> str:
        """That of its tag."""
        return str(self._node.tag)

    @property
    def attrs(self) -> dict[str, str]:
        return dict(self._node.attrib)

    @property
    def classes(self) -> list[str]:
        return str(self._node.get("class", "")).split()

    def __getitem__(self, attribute: str) -> str:
        return str(self._node.attrib[attribute])

    def get(self, attribute: str, default: str | None = None) -> str | None:
        found: str | None = self._node.get(attribute, default)
        return found

    def has_attr(self, attribute: str) -> bool:
        return attribute in self._node.attrib

    def get_text(self, separator: str = "", *, strip: bool = False) -> str:
        """Its texts and those of the elements in it; stripped, without those that are blank."""
        texts = _texts(self._node)
        return separator.join(filter(None, (text.strip() for text in texts)) if strip else texts)

    def select(self, selector: str) -> list[Element]:
        """The elements in it that the selector finds, in their order. It knows nothing of what is around this one."""
        return [Element(node) for node in _finder(selector)(self._node) if node is not self._node or self._is_page]

    def select_one(self, selector: str) -> Element | None:
        """The first of them."""
        return next(iter(self.select(selector)), None)

    def find_parent(self, name: str) -> Element | None:
        """The nearest element of this name that it is in."""
        return next((Element(node) for node in self._node.iterancestors(name)), None)

    def remove(self) -> None:
        """Take it out of its page."""
        self._node.drop_tree()

    @property
    def _is_page(self) -> bool:
        return self._node.getparent() is None


def parse(markup: str | bytes) -> Element:
    """The element `html` of a page; an empty one where there is none, as in redirects."""
    text = markup.decode() if isinstance(markup, bytes) else markup
    return Element(html.document_fromstring(text or "<html></html>"))


@cache
def _finder(selector: str) -> CSSSelector:
    return CSSSelector(selector, translator="html")
