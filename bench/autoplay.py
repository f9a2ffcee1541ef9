"""How long the tasks are when a finished game plays by itself on a phone with a quarter of this machine's speed.

Other work would lengthen the tasks of a browser that is made slower. So it runs at full speed and without pauses of the
processor counted: the processor time of each task on the page's main thread, times four. A task of more than 100 ms
would be felt.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, sync_playwright

from bench._scene import set_finished_game
from bench.lighthouse import FLAGS, program, served
from bench.phone import PHONE, TRACED, slow, traced

MOST_TASK = 100.0
"""Milliseconds of one task."""
KINDS = ("ParseHTML", "FunctionCall", "UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit")
"""What takes time within the tasks, as Chromium calls it."""
START = """
(speed) => {
  document.getElementById("speed").value = speed;
  document.getElementById("autoplay").click();
}
"""
FASTEST = "1000"
ENDS = "() => document.getElementById('autoplay').getAttribute('aria-pressed') === 'false'"


def trace(browser: Browser, url: str) -> list[dict[str, Any]]:
    """What the main thread of the page did while a whole game played by itself."""
    with browser.new_context(**PHONE) as context:
        page = context.new_page()
        page.set_default_timeout(600_000)
        page.goto(url)
        page.wait_for_timeout(1000)
        browser.start_tracing(page=page, categories=TRACED)
        page.evaluate(START, FASTEST)
        page.wait_for_function(ENDS, polling=1000)
        return traced(browser.stop_tracing(), url)


def main(port: int) -> bool:
    """Whether the longest task is short enough; prints the figures."""
    chromium, game = program("chromium"), set_finished_game()
    url = f"http://localhost:{port}{game.get_absolute_url()}ply/0/"
    with served(port), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        events = trace(browser, url)
        browser.close()
    tasks = sorted((slow(event) for event in events if event["name"] == "RunTask"), reverse=True)
    print(f"{game.ply} plies: longest tasks {[round(task) for task in tasks[:8]]} ms, at most {MOST_TASK:g} ms")
    for kind in KINDS:
        times = [slow(event) for event in events if event["name"] == kind]
        if times:
            print(f"  {kind:16} longest {max(times):6.1f} ms, of each ply {sum(times) / game.ply:6.1f} ms")
    return tasks[0] <= MOST_TASK
