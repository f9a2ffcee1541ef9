"""What readers are served means what was written: a browser reads the same rules, and can read every script."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from clans_site.minified import minify_script, minify_style

STATIC = Path(__file__).parents[2] / "games/static/games"
RULES = """
(styles) => styles.map((style) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  return [...sheet.cssRules].map((rule) => rule.cssText);
})
"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    yield page
    page.close()


def test_it_reads_the_same_rules(page: Page) -> None:
    for path in STATIC.glob("*.css"):
        written, served = page.evaluate(RULES, [path.read_text("utf-8"), minify_style(path.read_text("utf-8"))])
        assert written, path.name
        assert served == written, path.name


def test_it_can_read_every_script(page: Page) -> None:
    for path in STATIC.glob("*.js"):
        page.evaluate("script => { new Function(script); }", minify_script(path.read_text("utf-8")))
