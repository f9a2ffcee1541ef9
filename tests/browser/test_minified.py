"""What readers are served means what was written: a browser reads the same rules, and can read every script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from clans_site.minified import minify_script, minify_style

STATIC = Path(__file__).parents[2] / "games/static/games"
RULES = """
(styles) => {
  const told = (rule) => [
    rule.cssText.split("{")[0],
    rule.style ? rule.style.cssText : rule.cssRules ? "" : rule.cssText,
    [...(rule.cssRules ?? [])].map(told),
  ];
  return styles.map((style) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    return [...sheet.cssRules].map(told);
  });
}
"""
SAME = {
    r"background: (transparent|0px 0px);": "background: none;",
    r"flex: initial;": "flex: 0 1 auto;",
    r"text-decoration-color: initial;": "text-decoration-color: currentcolor;",
    r"(?<=url\()\"([^\"]*)\"": r"\1",
    r"(?<![\d.])0\.(?=\d)": ".",
    r"\s*([,/])\s*": r"\1",
    r"\)(?=[^\s),;/])": ") ",
}
"""Declarations that mean the same. A browser writes most in one way, but leaves a value with a variable as it is."""

Rules = list[tuple[str, str, "Rules"]]


def in_one_way(rules: Rules) -> Rules:
    """The rules, with each declaration in one of the ways in which it can be written."""
    return [
        (re.sub(r"^(@supports \([\w-]+): ", r"\1:", where), _in_one_way(what), in_one_way(inner))
        for where, what, inner in rules
    ]


def _in_one_way(what: str) -> str:
    for pattern, same in SAME.items():
        what = re.sub(pattern, same, what)
    return re.sub(r"font-family: [^;]*", lambda found: found[0].lower(), what)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    yield page
    page.close()


def test_it_reads_the_same_rules(page: Page) -> None:
    for path in STATIC.glob("*.css"):
        written, served = page.evaluate(RULES, [path.read_text("utf-8"), minify_style(path.read_text("utf-8"))])
        assert written, path.name
        assert in_one_way(served) == in_one_way(written), path.name


def test_it_can_read_every_script(page: Page) -> None:
    for path in STATIC.glob("*.js"):
        page.evaluate("script => { new Function(script); }", minify_script(path.read_text("utf-8")))
