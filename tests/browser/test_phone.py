"""The board on a small phone: whatever stands there can be read without coming closer."""

from __future__ import annotations

from itertools import product
from typing import Literal

from playwright.sync_api import Browser, Page, ViewportSize
from pytest_django import DjangoDbBlocker

from games import rules
from games.drawing import draw_board
from tests.browser.hotseat import PHONE, hotseat
from tests.servers import Site

CROWDS = (
    "seats=2 huts=K4:rrrbbbbbbbbbbggykkkkkkkkkkk,K3:rrrrrrrrrbbggggggggggyyyyyyyyyyyk",
    "seats=2 huts=K4:rrrrrrrrrrrrbbbbbbbbbbbbggggggggggggyyyyyyyyyyyykkkkkkkkkkk,K3:k",
    "seats=2 huts=I1:rbggyy,I2:bbgkkk,G3:rbgyyykk,G5:rkkkkyb,B5:rrrrkkk,F4:gggggg",
    "seats=2 huts=L2:rb,L4:y villages=E4:0:rrbbggyykk,J3:0:rrbbggykkk,F5:1:rrrbbgggyyykk,A1:0:rrbgyg",
)
"""The narrowest places and neighbors among them, two figures in a count, villages of four and of five clans."""
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
ACROSS = ViewportSize(width=844, height=390)
FONT, DIGITS, CONTRAST = 9.5, 6.4, 4.5
"""The least size of the letters of a count, the least height of its figures (both in pixels), and how far their ink is
from what they stand on."""
COUNTS = """
async (svg) => {
  document.querySelector("#board .clans-board").outerHTML = svg;
  await document.fonts.ready;
  const board = document.querySelector("#board .clans-board");
  const pen = document.createElement("canvas").getContext("2d");
  const light = (color) => {
    const parts = color.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255);
    const [red, green, blue] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const ground = (text) => {
    const counter = text.matches(".counters > *") && text.previousElementSibling.getAttribute("href");
    return counter ? getComputedStyle(board.querySelector(`${counter} .hut-roof`)).fill : "";
  };
  const counts = [...board.querySelectorAll(":is(.counters, .value) text, .count")];
  return counts.filter((text) => text.getClientRects().length).map((text) => {
    const [{ fill, fontFamily, fontSize, fontWeight }, scale] = [getComputedStyle(text), text.getScreenCTM().a];
    pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    const [one, other] = ground(text) ? [light(fill), light(ground(text))] : [21, 1];
    return {
      text: text.textContent,
      font: parseFloat(fontSize) * scale,
      digits: pen.measureText("0").actualBoundingBoxAscent * scale,
      contrast: Math.max(one, other) / Math.min(one, other),
    };
  });
}
"""
COVERED = """
async (svg) => {
  document.querySelector("#board .clans-board").outerHTML = svg;
  await document.fonts.ready;
  const board = document.querySelector("#board .clans-board");
  const pen = document.createElement("canvas").getContext("2d");
  const marks = [...board.querySelectorAll(".value path, .seal path")].map((mark) => mark.getBoundingClientRect());
  const covered = (name) => {
    const { fontFamily, fontSize, fontWeight } = getComputedStyle(name);
    pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    const { left, right } = name.getBoundingClientRect();
    const matrix = name.getScreenCTM();
    const line = new DOMPoint(0, name.y.baseVal[0].value).matrixTransform(matrix).y;
    const top = line - pen.measureText(name.textContent).actualBoundingBoxAscent * matrix.a;
    return marks.some((mark) => mark.left < right && left < mark.right && mark.top < line && top < mark.bottom);
  };
  return [...board.querySelectorAll(".names text")].filter(covered).map((name) => name.textContent);
}
"""
"""The names whose letters a value or a seal lies on."""


def test_it_shows_every_count_large_and_clear(browser: Browser, web: Site, django_db_blocker: DjangoDbBlocker) -> None:
    """Upright and across, by day and by night, with a black clan and with a white one."""
    with hotseat(browser, web, django_db_blocker, device=PHONE) as table:
        page = table.seats[0].page
        upright = page.viewport_size or ViewportSize(width=0, height=0)
        for size, scheme, language in product((upright, ACROSS), SCHEMES, ("en", "en-x-white")):
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme)
            page.evaluate("language => document.documentElement.lang = language", language)
            for crowd in CROWDS:
                judge(page, rules.Position.parse(crowd))


def test_nothing_covers_a_name(browser: Browser, web: Site, django_db_blocker: DjangoDbBlocker) -> None:
    """Wherever a village is founded, its value and its seal leave the names beside it to be read."""
    names = rules.STANDARD.board.names
    with hotseat(browser, web, django_db_blocker, device=PHONE) as table:
        page = table.seats[0].page
        for size in (page.viewport_size or ACROSS, ACROSS):
            page.set_viewport_size(size)
            for name, clans in product(names, ("rb", "rrrbbbgggyyyk")):
                village = rules.Position.parse(f"seats=2 villages={name}:0:{clans}")
                assert (name, page.evaluate(COVERED, draw_board(village, title="board"))) == (name, [])


def judge(page: Page, position: rules.Position) -> None:
    counts = page.evaluate(COUNTS, draw_board(position, title="board"))
    assert sum(int(count["text"]) for count in counts if count["text"][0] != "=") == seen_numbers(position)
    assert min(count["font"] for count in counts) >= FONT
    assert min(count["digits"] for count in counts) >= DIGITS
    assert min(count["contrast"] for count in counts) >= CONTRAST


def seen_numbers(position: rules.Position) -> int:
    """All huts that are counted and not drawn one by one, and the values of the villages."""
    huts = [sum(position.stack(name)) for name in rules.STANDARD.board.names]
    return sum(count for count in huts if count > 5) + sum(village.value for village in position.villages)
