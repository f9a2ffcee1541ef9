"""The text of a mail that has only an HTML part, without what its program has quoted or signed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Final

_VOID: Final = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
)
_UNSEEN: Final = frozenset(
    ("head", "title", "style", "script", "template", "noscript", "select", "textarea", "object", "svg")
)
_OWN_LINE: Final = frozenset(
    (
        *("address", "article", "dd", "div", "dl", "dt", "footer", "form", "header", "hr", "li", "ol", "p"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "pre", "section", "table", "tr", "ul"),
    )
)
_QUOTED: Final = re.compile(
    r"(?:x_|ydp\w*?)?(?:gmail_quote|gmail_quote_container|gmail_attr|gmail_extra|gmail_signature|yahoo_quoted|"
    r"yahoo-quoted\w*|moz-cite-prefix|moz-forward-container|moz-signature|protonmail_quote|protonmail_signature_block|"
    r"zmail_extra|tutanota_quote|mail-quote-collapse|"
    r"AppleMailSignature|composer_signature|ms-outlook-mobile-signature|signature)",
    re.IGNORECASE,
)
"""Classes, ids and names of what holds a quotation or a signature."""
_QUOTED_FROM: Final = re.compile(
    r"(?:x_)?(?:divRplyFwdMsg|appendonsend|stopSpelling|mail-editor-reference-message-container|OLK_SRC_BODY_SECTION)"
)
"""Classes and ids of what a quotation begins with: all that follows belongs to it."""
_HIDDEN: Final = re.compile(r"display\s*:\s*none", re.IGNORECASE)
# Those that browsers join: a blank that does not break keeps a line from being empty.
_BLANKS: Final = re.compile(r"[ \t\r\n\f]+")
_NO_TAG: Final = re.compile(r"<(?![a-zA-Z/][^<>]*>)")
_LONG_TAG: Final = re.compile(r"<(/?[a-zA-Z][\w-]{0,20})[^<>]{4000,}>")
"""Tags with whole pictures in them, as a rule; the parser takes much memory for what is in a tag."""


def text_of_html(html: str) -> str:
    """The lines that a reader would see. Takes time in proportion to the length, whatever the HTML is."""
    lines = _Lines()
    lines.feed(_LONG_TAG.sub(r"<\1>", _NO_TAG.sub("&lt;", _without_declarations(html))))
    lines.close()
    return lines.text


def _without_declarations(html: str) -> str:
    """Without comments, and without `<!` and `<?` of other kinds, for which the parser has rules that may take long."""
    kept, at = [], 0
    while (begin := html.find("<!--", at)) >= 0:
        kept.append(html[at:begin])
        end = html.find("-->", begin + 4)
        at = end + 3 if end >= 0 else len(html)
    return re.sub(r"<[!?][^<>]*>?", "", "".join([*kept, html[at:]]))


class _Lines(HTMLParser):
    """Collects what is to be read."""

    def __init__(self) -> None:
        super().__init__()
        self._lines = [""]
        self._skipped = ""
        self._depth = 0
        self._preformatted = 0
        self._is_over = False

    @property
    def text(self) -> str:
        lines = (line.rstrip() for line in self._lines)
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        if self._skipped:
            self._depth += tag == self._skipped
        elif self._is_over or _begins_quotation(attrs):
            self._is_over = True
        elif tag not in _VOID and _is_skipped(tag, attrs):
            self._skipped, self._depth = tag, 1
            self._end_line()
            if tag == "blockquote":
                self._lines[-1:] = [">", ""]
        elif tag == "br":
            self._lines.append("")
        elif tag in _OWN_LINE:
            self._preformatted += tag == "pre"
            self._end_line()
        elif tag in ("td", "th"):
            self._lines[-1] += " "

    def handle_startendtag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        # HTML has no empty tags but those that are void anyway: `<div/>` opens one.
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if self._skipped:
            self._depth -= tag == self._skipped
            if not self._depth:
                self._skipped = ""
        elif tag in _OWN_LINE and not self._is_over:
            self._preformatted -= tag == "pre"
            self._end_line()

    def handle_data(self, data: str) -> None:
        if self._skipped or self._is_over:
            return
        if self._preformatted > 0:
            first, *others = data.split("\n")
            self._lines[-1] += first
            self._lines += others
            return
        words = _BLANKS.sub(" ", data)
        self._lines[-1] += words if self._lines[-1] else words.lstrip(" ")

    def _end_line(self) -> None:
        """What comes next is on a line of its own."""
        if self._lines[-1]:
            self._lines.append("")


def _is_skipped(tag: str, attrs: Sequence[tuple[str, str | None]]) -> bool:
    """Whether nothing within the tag is to be read."""
    if tag in _UNSEEN or tag == "blockquote":
        return True
    values = dict(attrs)
    if values.get("name") == "quote" or _HIDDEN.search(values.get("style") or ""):
        return True
    return any(_QUOTED.fullmatch(name) for name in _names(attrs))


def _begins_quotation(attrs: Sequence[tuple[str, str | None]]) -> bool:
    return any(_QUOTED_FROM.fullmatch(name) for name in _names(attrs))


def _names(attrs: Sequence[tuple[str, str | None]]) -> list[str]:
    """The id and the classes of a tag."""
    return [name for key, value in attrs if key in ("id", "class") for name in (value or "").split()]
