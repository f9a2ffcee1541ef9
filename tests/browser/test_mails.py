"""Every mail as a mail program shows it: it fits a phone, and its pictures come out of the mail itself."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tools.mail_pictures import SCHEMES, WIDTHS, read

BROKEN = "[...document.images].filter(img => !(img.complete && img.naturalWidth > 300)).map(img => img.alt)"
TOO_WIDE = """() => [...document.querySelectorAll("body *")]
  .filter(one => one.getBoundingClientRect().right > innerWidth + 0.5).map(one => one.outerHTML.slice(0, 200))"""
FAINT = """() => {
  const bright = color => {
    const [r, g, b] = color.match(/[0-9.]+/g).slice(0, 3).map(part => part / 255).map(
      part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paper = one => {
    for (; one; one = one.parentElement) {
      const color = getComputedStyle(one).backgroundColor;
      if (!color.endsWith(", 0)")) return color;
    }
    return "rgb(255, 255, 255)";
  };
  return [...document.querySelectorAll("body *")]
    .filter(one => one.offsetHeight > 2 && [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
    .filter(one => {
      const [low, high] = [bright(getComputedStyle(one).color), bright(paper(one))].sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05) < 4.5;
    }).map(one => one.outerHTML.slice(0, 200));
}"""

HEAD = """() => [".title", ".stamp", ".lead"].map(part => {
  const words = document.createRange();
  words.selectNodeContents(document.querySelector(part));
  const { left, right, top, bottom } = words.getBoundingClientRect();
  return { left, right, top, bottom };
})"""
"""Where the words of the title, the stamp and the words of the lead are."""

LINES = """(block) => {
  const lines = [];
  const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    for (const { 0: word, index } of text.data.matchAll(/[^ \\n]+/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const { top } = range.getBoundingClientRect();
      if (lines.at(-1)?.top === top) lines.at(-1).words.push(word);
      else lines.push({ top, words: [word] });
    }
  }
  return lines.map(({ words }) => words.join(" "));
}"""
"""The lines of a block, as they are set."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The mails of a site of its own, since Playwright's loop and Django's database cannot share a thread."""
    folder = tmp_path_factory.mktemp("mails")
    subprocess.run([sys.executable, "-m", "tools.mail_pictures", str(folder), "--bare"], check=True)
    return folder


@pytest.fixture(scope="module")
def mails(folder: Path) -> dict[str, bytes]:
    return {file.stem: file.read_bytes() for file in folder.glob("*.eml")}


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 360, "height": 700})
    yield page
    page.close()


def test_each_mail_is_written_as_text_too(folder: Path, mails: dict[str, bytes]) -> None:
    texts = {file.stem: file.read_text() for file in folder.glob("*.txt")}
    assert texts.keys() == mails.keys()
    assert "https://clans.example.com/tables/" in texts["turn"]


def test_every_mail_fits_and_can_be_read_by_day_and_by_night(page: Page, mails: dict[str, bytes]) -> None:
    asked: list[str] = []
    page.on("request", lambda request: None if request.url.startswith("data:") else asked.append(request.url))
    for name, mail in mails.items():
        page.set_content(read(mail)[1], wait_until="load")
        assert page.evaluate(BROKEN) == [], name
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 700})
            assert page.evaluate(TOO_WIDE) == [], f"{name}, {width} pixels"
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name}, {width} pixels"
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate(FAINT) == [], f"{name}, {scheme}"
    assert asked == []


def test_a_board_is_as_wide_as_a_phone_allows(page: Page, mails: dict[str, bytes]) -> None:
    for name, mail in mails.items():
        page.set_content(read(mail)[1], wait_until="load")
        widths = page.locator("img.picture").evaluate_all("(found) => found.map((one) => one.clientWidth)")
        assert all(width >= 320 for width in widths), (name, widths)


@pytest.mark.parametrize("width", [360, 700])
def test_the_title_stands_beside_the_stamp_and_the_lead_below_both(
    page: Page, mails: dict[str, bytes], width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    page.set_content(read(mails["receipt-refused"])[1])
    title, stamp, lead = page.evaluate(HEAD)
    assert title["right"] < stamp["left"]
    assert title["top"] < stamp["bottom"] <= lead["top"]
    assert lead["left"] == title["left"]
    assert lead["right"] > stamp["left"]


def test_no_line_at_the_foot_begins_with_a_dot(page: Page, mails: dict[str, bytes]) -> None:
    for name in ("turn", "postcard", "nudge"):
        page.set_content(read(mails[name])[1])
        lines = page.locator(".foot").evaluate(LINES)
        assert len(lines) > 2, name
        assert [line for line in lines if line.startswith("·")] == [], name


def test_no_word_stands_alone_below_the_lines_of_a_paragraph(page: Page, mails: dict[str, bytes]) -> None:
    for name, mail in mails.items():
        page.set_content(read(mail)[1], wait_until="load")
        paragraphs = page.locator(".desk p:not(.lead)").evaluate_all(f"(blocks) => blocks.map({LINES})")
        long = [lines for lines in paragraphs if len(lines) > 2]
        assert [lines for lines in long if " " not in lines[-1]] == [], name


def test_a_mail_is_whole_where_pictures_are_not_shown(page: Page, mails: dict[str, bytes]) -> None:
    for name in ("turn-late", "reminder", "bundle-many"):
        page.set_content(read(mails[name])[1].replace("data:image/png;base64,", "cid:"), wait_until="load")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        assert page.locator(".button-link").first.is_visible(), name
        assert page.locator("img").first.bounding_box() is not None, name
