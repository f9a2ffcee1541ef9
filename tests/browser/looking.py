"""Looking at a page as critics do: at all widths, by day and by night, with an ear on what the browser says."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from django.test import Client
from playwright.sync_api import ConsoleMessage, Error, Page, Request, Response, ViewportSize

NARROW, WIDE = 360, 1440
TARGETS = {NARROW: (44, 24), 320: (0, 0), 768: (44, 24), WIDE: (24, 24)}
"""By width of the screen the least size of main targets and of all others; where it is narrow a finger may hit them."""
BETWEEN = (960, 1024, 1100, 1280)
"""Widths at which only what does not fit is looked for: where the side column is narrowest."""
PHONES = ((390, 664), (844, 390))
"""Phones, upright and across. Their colors are those of the widths beside them: stylesheets change none in between
(tests/look/test_paper_and_ink.py)."""
ZOOMED = ((320, 225), (640, 360), (667, 375))
"""Windows of 1280 x 900 at 400 % and of 1280 x 720 at 200 %, and a small phone across: only what does not fit is
looked for."""
LAYOUT = Path(__file__).with_name("layout.js").read_text()
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SEEN = Path(__file__).with_name("seen.js").read_text()
# Of drawings axe does not judge the colors: it knows no `fill`, so what it says of them is wrong, and takes it long.
# By night it judges colors alone: the night changes nothing else (tests/look/test_paper_and_ink.py).
COLORS = {
    "color-contrast": "[data-unjudged]:not(svg, svg *)",
    "link-in-text-block": "a[href][data-unjudged]:not(svg *)",
}
"""The rules about colors, and which elements they look at: those that `seen.js` marks."""
BEGIN = """
([rules, inks, kinds]) => {
  axe.configure({ rules: Object.entries(rules).map(([id, selector]) => ({ id, selector })) });
  Object.assign(window, { inks: new Map(inks.map((ink, number) => [ink, number])), kinds: new Set(kinds) });
}
"""
END = "() => [[...window.inks.keys()], [...window.kinds]]"
AXE = """
async ([tags, colors, withColors, withRest]) => {
  const runOnly = withRest ? { type: "tag", values: tags } : colors;
  const rules = Object.fromEntries(colors.map((rule) => [rule, { enabled: withColors }]));
  const { violations } = await axe.run({ runOnly, rules, resultTypes: ["violations"] });
  const told = ({ id, help, nodes }) => `${id} (${help}): ${nodes.slice(0, 5).map((node) => node.target).join(" | ")}`;
  return violations.map(told);
}
"""
FAILED = "Failed to load resource"
SEND = """
([path, values]) => {
  const form = Object.assign(document.createElement("form"), { method: "post", action: path });
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value || "";
  for (const [name, value] of Object.entries({ ...values, csrfmiddlewaretoken: token })) {
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  document.body.append(form);
  form.submit();
}
"""


def _is_page(response: Response) -> bool:
    return response.request.is_navigation_request() and not 300 <= response.status < 400


def cookies_of(client: Client, site: str) -> list[Any]:
    """The cookies of the client, for a browser at that site."""
    return [{"name": key, "value": morsel.value, "url": site} for key, morsel in client.cookies.items()]


@dataclass
class Colors:
    """What colors there are on the pages that were judged, and which kinds of elements in them (`seen.js`)."""

    inks: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)


class Look:
    """A window in which pages of a site are looked at. `faults` gathers what is wrong with the one that is open, and
    what the browser complains about: errors of scripts, what the content security policy forbids, requests to other
    hosts. Of elements that look like some on a page before, the same `colors` are not judged again."""

    def __init__(self, page: Page, colors: Colors | None = None) -> None:
        self.page, self.site, self._colors = page, "", colors or Colors()
        self._session = page.context.new_cdp_session(page)
        self.faults: list[str] = []
        self._judged: set[str] = set()
        self._listeners: dict[Any, Any] = {"console": self._hear, "pageerror": self._note, "request": self._watch}
        for event, listener in self._listeners.items():
            page.on(event, listener)

    def come(self, client: Client, site: str) -> None:
        """Be a visitor of the site that has the cookies of the client, and nothing that was kept for another one."""
        context = self.page.context
        self._session.send("Storage.clearDataForOrigin", {"origin": site, "storageTypes": "all"})
        context.clear_cookies()
        context.add_cookies(cookies_of(client, site))
        self.site = site

    def leave(self) -> None:
        """Close the page, but not the window: another one takes Chromium longer than most pages."""
        # Where nothing may be stored, nothing is.
        with suppress(Error):
            self.page.evaluate("sessionStorage.clear()")
        self.page.goto("about:blank")
        self._session.detach()
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)

    def open(self, path: str, form: dict[str, str] | None = None) -> int:
        """The status of the page, narrow and by day, or of the answer to the `form` that is sent from there."""
        # Where the page comes into a new process, it begins with the size that Playwright knows.
        self.page.set_viewport_size(ViewportSize(width=NARROW, height=900))
        self._resize(NARROW)
        self.page.emulate_media(color_scheme="light")
        self.faults, self._judged = [], set()
        answer = self.page.goto(self.site + path)
        if form is not None:
            # Not the next navigation: a page with a draft writes its steps into the history, too.
            with self.page.expect_event("load"), self.page.expect_response(_is_page) as response:
                self.page.evaluate(SEND, [path, form])
            answer = response.value
        assert answer
        self.page.evaluate("document.fonts.ready")
        return answer.status

    def judge(self) -> list[str]:
        """All faults: what does not fit at any width, and what axe finds from a phone on, by day and by night."""
        self.measure(*BETWEEN)
        for width, height in ZOOMED:
            self._measure(width, height=height)
        # Not by Playwright, which reads the half megabyte twice more.
        self._session.send("Runtime.evaluate", {"expression": AXE_SCRIPT})
        self.page.evaluate(BEGIN, [COLORS, self._colors.inks, self._colors.kinds])
        for width, (main, least) in TARGETS.items():
            self._measure(width, main, least)
            for theme in ("light", "dark") if width >= NARROW else ():
                self._ask_axe(width, theme)
        for width, height in PHONES:
            self._measure(width, *TARGETS[NARROW], height=height)
            self._ask_axe(width, "light", colors=False)
        self._colors.inks, self._colors.kinds = self.page.evaluate(END)
        return self.faults

    def measure(self, *widths: int) -> list[str]:
        """What does not fit at these widths, besides what was found before."""
        for width in widths:
            self._measure(width)
        return self.faults

    def _measure(self, width: int, main: int = 0, least: int = 0, *, height: int = 900) -> None:
        self._resize(width, height)
        found = self.page.evaluate(LAYOUT, {"main": main, "least": least})
        self.faults += [f"{width} px: {fault}" for fault in found]

    def _resize(self, width: int, height: int = 900) -> None:
        """Lay the page out at this size. Its picture is a twentieth of that: nobody looks at it, and Chromium would
        paint at every size what costs it a seventh of the whole visit."""
        screen = {"width": width, "height": height, "screenWidth": width, "screenHeight": height}
        picture = {"deviceScaleFactor": 1, "mobile": False, "scale": 0.05}
        self._session.send("Emulation.setDeviceMetricsOverride", {**screen, **picture})

    def _ask_axe(self, width: int, theme: Any, *, colors: bool = True) -> None:
        """What axe finds, but for what it has judged already: the same elements are seen, of the same kinds."""
        self.page.emulate_media(color_scheme=theme)
        elements, unjudged = self.page.evaluate(SEEN, colors)
        with_rest = theme == "light" and elements not in self._judged
        with_colors = unjudged > 0
        if with_rest or with_colors:
            found = self.page.evaluate(AXE, [TAGS, [*COLORS], with_colors, with_rest])
            self.faults += [f"{width} px, {theme}: {fault}" for fault in found]
        self._judged |= {elements} if with_rest else set()

    def _note(self, error: Error) -> None:
        self.faults.append(f"script: {error}")

    def _hear(self, message: ConsoleMessage) -> None:
        is_page_itself = message.text.startswith(FAILED) and message.location["url"] == self.page.url
        if message.type == "error" and not is_page_itself:
            self.faults.append(f"console: {message.text}")

    def _watch(self, request: Request) -> None:
        if not request.url.startswith((f"{self.site}/", "data:")):
            self.faults.append(f"from elsewhere: {request.url}")


def open_at(page: Page, address: str, width: int) -> None:
    """Go to a page in a window of this width."""
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(address)


LINES = """(one) => {
  const words = document.createRange();
  words.selectNodeContents(one);
  return new Set([...words.getClientRects()].map(({ top }) => Math.round(top))).size;
}"""
"""In how many lines the text of an element stands."""
