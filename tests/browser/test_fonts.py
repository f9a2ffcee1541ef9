"""Until our faces arrive, those of the machine take as much room: hardly anything moves when ours come."""

from __future__ import annotations

from pathlib import Path
from threading import Event

from playwright.sync_api import Browser, Route

from tests.servers import site

WIDTHS = (390, 1440)
PATHS = ("/", "/rules/", "/accounts/signup/")
MOST = 0.05
"""Half of what counts as good. A page that wraps in another place moves by 0.2."""
SHIFTED = """
(since) => {
  const observer = new PerformanceObserver(() => {});
  observer.observe({ type: "layout-shift", buffered: true });
  const shifts = observer.takeRecords().filter(({ startTime }) => startTime >= since);
  return shifts.reduce((sum, { value }) => sum + value, 0);
}
"""
IS_PAINTED = "() => performance.getEntriesByType('paint').length > 0"
HAVE_COME = "async () => { await document.fonts.ready; return document.fonts.size > 0; }"
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"


def test_nothing_moves_when_our_faces_come(browser: Browser, tmp_path: Path) -> None:
    with site(tmp_path / "site", processes=["web"]) as served:
        moved = {
            (path, width): shift
            for path in PATHS
            for width in WIDTHS
            if (shift := measure(browser, served.url + path, width=width)) > MOST
        }
    assert moved == {}


def measure(browser: Browser, url: str, *, width: int) -> float:
    """How much moves on the page when its faces come after it was painted."""
    with browser.new_context(viewport={"width": width, "height": 740}) as context:
        page = context.new_page()
        held: list[Route] = []
        is_painted = Event()
        page.route("**/*.woff2", lambda route: route.continue_() if is_painted.is_set() else held.append(route))
        with page.expect_request("**/*.woff2"):
            page.goto(url, wait_until="domcontentloaded")
        page.wait_for_function(IS_PAINTED)
        page.evaluate(NEXT_FRAME)
        # A page that comes in pieces may move before.
        since = page.evaluate("performance.now()")
        is_painted.set()
        for route in held:
            route.continue_()
        page.wait_for_function(HAVE_COME)
        page.evaluate(NEXT_FRAME)
        shifted: float = page.evaluate(SHIFTED, since)
        return shifted
