"""How soon a table can be played on a slow phone: Chromium with a quarter of this machine's speed and a slow 4G line,
cold (nothing cached) and warm (the table was open before).

Ready means that the board is painted and that a tap chooses huts. Each figure is the median of RUNS and, because other
work makes a machine slower and never faster, the least; what is counted does not depend on that at all.

The longest task is told by the clock, and by processor time: then Chromium runs at full speed, pauses of the processor
do not count, and the time is taken times four.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from statistics import median
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

from bench import _scene
from bench.lighthouse import FLAGS, as_cookies, program, served

RUNS = 7
SLOWER = 4
LINE = {"offline": False, "latency": 150, "downloadThroughput": 1_638_400 / 8, "uploadThroughput": 768_000 / 8}
"""Slow 4G as Lighthouse has it: 150 ms for a round trip, 1.6 Mbit/s down, 750 kbit/s up."""
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 664},
    "device_scale_factor": 3,
    "has_touch": True,
    "is_mobile": True,
}
MOST = {"cold": 2500.0, "warm": 1500.0}
"""Milliseconds from the tap on the link until the table is ready."""
MOST_TASK, MOST_SHIFT = 100.0, 0.0
SETTLES = 1500
"""Milliseconds after which nothing of the opening goes on."""
WATCH = """
(() => {
  const seen = (window.seen = { tasks: [0], shift: 0, painted: 0, ready: 0 });
  const watch = (type, hear) =>
    new PerformanceObserver((list) => list.getEntries().forEach(hear)).observe({ type, buffered: true });
  watch("longtask", ({ duration }) => seen.tasks.push(duration));
  watch("layout-shift", ({ value, hadRecentInput }) => hadRecentInput || (seen.shift += value));
  watch("largest-contentful-paint", ({ startTime }) => (seen.painted = startTime));
  const look = () => {
    const files = performance.getEntriesByType("resource").filter(({ name }) => /(ground|lines)[.].*svg/.test(name));
    const isReady = window.clans?.draft?.isMine && document.querySelector(".has-hands");
    if (isReady && files.length > 1) requestAnimationFrame(() => (seen.ready = performance.now()));
    else requestAnimationFrame(look);
  };
  look();
})();
"""
TRACED = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"]
SCRIPTS = ("EvaluateScript", "FunctionCall")
COUNTED = ("requests", "kB", "styles", "layouts", "task ms")
"""Requests and kilobytes until the table is ready, and of the browser's main thread how often it computed styles and
layout, and how long it worked in all."""


@dataclass(frozen=True)
class Run:
    """One opening of the table: milliseconds, how far things moved, and what was counted."""

    ready: float
    longest: float
    processor: float
    """The longest task of an opening of its own, by processor time."""
    shift: float
    counted: tuple[float, ...]


def open_table(context: BrowserContext, url: str, *, processor: float) -> Run:
    """Open the table on the slow phone, and wait until it is ready and nothing goes on."""
    page = context.new_page()
    phone = _on_slow_line(page)
    phone.send("Performance.enable")
    phone.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    sizes: list[float] = []
    phone.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    _go(page, url)
    counted = (len(sizes), sum(sizes) / 1000, *_work(phone))
    seen = page.evaluate("seen")
    page.close()
    return Run(max(seen["ready"], seen["painted"]), max(seen["tasks"]), processor, seen["shift"], counted)


def _on_slow_line(page: Page) -> CDPSession:
    phone = page.context.new_cdp_session(page)
    phone.send("Network.enable")
    phone.send("Network.emulateNetworkConditions", LINE)
    return phone


def _go(page: Page, url: str) -> None:
    page.add_init_script(WATCH)
    page.goto(url)
    page.wait_for_function("() => seen.ready && seen.painted")
    page.wait_for_timeout(SETTLES)


def longest_task(browser: Browser, context: BrowserContext, url: str) -> float:
    """Milliseconds of processor time, on the phone, of the longest task while the table is opened."""
    page = context.new_page()
    _on_slow_line(page)
    browser.start_tracing(page=page, categories=TRACED)
    _go(page, url)
    tasks = [slow(event) for event in traced(browser.stop_tracing(), url) if event["name"] == "RunTask"]
    page.close()
    return max(tasks)


def traced(trace: bytes, url: str) -> list[dict[str, Any]]:
    """What took time on the main thread of the page of that site; Chromium's own pages are in its traces, too."""
    events = json.loads(trace)["traceEvents"]
    site = "/".join(url.split("/")[:3])
    names = {(event["pid"], event["tid"]): event["args"]["name"] for event in events if event["name"] == "thread_name"}
    told = (
        (event["pid"], event["args"].get("data", {}).get("url", "")) for event in events if event["name"] in SCRIPTS
    )
    pages = {pid for pid, script in told if script.startswith(site)}
    return [
        event
        for event in events
        if "tdur" in event and event["pid"] in pages and names.get((event["pid"], event["tid"])) == "CrRendererMain"
    ]


def slow(event: dict[str, Any]) -> float:
    """Milliseconds of processor time that a traced event would take on the phone."""
    return float(event["tdur"]) / 1000 * SLOWER


def _work(phone: CDPSession) -> tuple[float, float, float]:
    """How often styles and layout were computed, and the milliseconds of all tasks."""
    told = {one["name"]: one["value"] for one in phone.send("Performance.getMetrics")["metrics"]}
    return told["RecalcStyleCount"], told["LayoutCount"], 1000 * told["TaskDuration"]


def main(port: int) -> bool:
    """Whether all figures are within their bounds; prints them."""
    chromium, scene = program("chromium"), _scene.set_scene()
    url = f"http://localhost:{port}{scene.game.get_absolute_url()}"
    cookies = as_cookies(_scene.cookies(scene.alice), url)
    runs: dict[str, list[Run]] = {name: [] for name in MOST}
    with served(port), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for _run in range(RUNS):
            with browser.new_context(**PHONE) as context, browser.new_context(**PHONE) as fast:
                context.add_cookies(cookies)
                fast.add_cookies(cookies)
                for several in runs.values():
                    processor = longest_task(browser, fast, url)
                    several.append(open_table(context, url, processor=processor))
        browser.close()
    good = [report(name, several) for name, several in runs.items()]
    return all(good)


def report(name: str, runs: list[Run]) -> bool:
    """Whether the median is within all bounds; prints the figures."""
    rows = {"ready": MOST[name], "longest": MOST_TASK, "processor": MOST_TASK, "shift": MOST_SHIFT}
    is_good = True
    for row, most in rows.items():
        figures = [getattr(run, row) for run in runs]
        print(f"{name}: {row:9} median {median(figures):8.2f}  least {min(figures):8.2f}  at most {most:g}")
        is_good = is_good and median(figures) <= most
    counted = zip(*(run.counted for run in runs), strict=True)
    print(f"{name}: " + ", ".join(f"{min(each):.0f} {what}" for what, each in zip(COUNTED, counted, strict=True)))
    return is_good
