"""What the first screen of a page with a board shows on a phone, measured by the boxes of its elements."""

from __future__ import annotations

from playwright.sync_api import Page

SIZES = {"upright": (390, 664), "small": (360, 640), "across": (844, 390)}
BAR = (".turn-line", ".prompt-step > p:first-child", "[data-chosen]", ".prompt .action-bar > *", "[role=alert] > p")
COVERED = """
(board) => {
  const box = board.getBoundingClientRect();
  const lies = ({ left, right, top, bottom }) =>
    left < box.right - 0.5 && right > box.left + 0.5 && top < box.bottom - 0.5 && bottom > box.top + 0.5;
  const seen = [...document.body.querySelectorAll("*")].filter(
    (one) => !one.closest("#board, .visually-hidden, .skip") && !one.contains(board) && one.checkVisibility(),
  );
  const isBox = (one) => getComputedStyle(one).display !== "contents";
  const over = seen.filter((one) => isBox(one) && [...one.getClientRects()].some(lies));
  return over.map((one) => one.outerHTML.slice(0, 80));
}
"""


def faults(page: Page, parts: tuple[str, ...] = BAR) -> list[str]:
    """What of the board and of these `parts` is out of sight, and what lies over the board. Nothing may be scrolled."""
    size = page.viewport_size
    assert size
    found: list[str] = page.locator(".board-frame").evaluate(COVERED)
    for name in (".board-frame", ".board-frame:not(.is-zoomed) > .clans-board", *parts):
        for part in page.locator(name).locator("visible=true").all():
            box = part.bounding_box()
            assert box
            if box["x"] < -1 or box["y"] < 0 or box["y"] + box["height"] > size["height"]:
                found.append(f"{name} at {box}")
            if box["x"] + box["width"] > size["width"] + 1:
                found.append(f"{name} is too wide: {box}")
    return found
