"""Looking at a page as critics do: at all widths, by day and by night, with an ear on what the browser says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import ConsoleMessage, Page, Request, Response, ViewportSize

NARROW, WIDE = 360, 1440
TARGETS = {NARROW: (44, 24), 320: (0, 0), 768: (44, 24), WIDE: (24, 24)}
"""By width of the screen the least size of main targets and of all others; where it is narrow a finger may hit them."""
BETWEEN = (960, 1024, 1100, 1280)
"""Widths at which only what does not fit is looked for: where the side column is narrowest."""
PHONES = ((390, 664), (844, 390))
"""Phones, upright and across. Their colors are those of the widths beside them: stylesheets change none in between
(tests/look/test_paper_and_ink.py)."""
LAYOUT = Path(__file__).with_name("layout.js").read_text()
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# Colors are judged apart from the rest: axe knows no `fill`, so what it says of a drawing is wrong, and takes it long.
# The rest is judged by day: the night changes colors alone (tests/look/test_paper_and_ink.py).
AXE = """
async ([tags, withColors, withRest]) => {
  const resultTypes = ["violations"];
  const colors = ["color-contrast", "link-in-text-block"];
  const rules = Object.fromEntries(colors.map((rule) => [rule, { enabled: false }]));
  const found = [];
  if (withColors) found.push(await axe.run({ exclude: ["svg"] }, { runOnly: colors, resultTypes }));
  if (withRest) found.push(await axe.run({ runOnly: { type: "tag", values: tags }, rules, resultTypes }));
  const told = ({ id, help, nodes }) => `${id} (${help}): ${nodes.slice(0, 5).map((node) => node.target).join(" | ")}`;
  return found.flatMap((result) => result.violations.map(told));
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


class Look:
    """A page that is open. `faults` gathers what is wrong with it, and what the browser complains about: errors of
    scripts, what the content security policy forbids, requests to other hosts."""

    def __init__(self, page: Page, site: str) -> None:
        self.page, self.site = page, site
        self.faults: list[str] = []
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        page.on("request", self._watch)

    def open(self, path: str, form: dict[str, str] | None = None) -> int:
        """The status of the page, or of the answer to the `form` that is sent from there."""
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
        self.page.evaluate(AXE_SCRIPT)
        for width, height in PHONES:
            self._measure(width, *TARGETS[NARROW], height=height)
            self._ask_axe(width, "light", colors=False)
        for width, (main, least) in TARGETS.items():
            self._measure(width, main, least)
            for theme in ("light", "dark") if width >= NARROW else ():
                self._ask_axe(width, theme)
        return self.faults

    def measure(self, *widths: int) -> list[str]:
        """What does not fit at these widths, besides what was found before."""
        for width in widths:
            self._measure(width)
        return self.faults

    def _measure(self, width: int, main: int = 0, least: int = 0, *, height: int = 900) -> None:
        self.page.set_viewport_size(ViewportSize(width=width, height=height))
        found = self.page.evaluate(LAYOUT, {"main": main, "least": least})
        self.faults += [f"{width} px: {fault}" for fault in found]

    def _ask_axe(self, width: int, theme: Any, *, colors: bool = True) -> None:
        self.page.emulate_media(color_scheme=theme)
        found = self.page.evaluate(AXE, [TAGS, colors, theme == "light"])
        self.faults += [f"{width} px, {theme}: {fault}" for fault in found]

    def _hear(self, message: ConsoleMessage) -> None:
        is_page_itself = message.text.startswith(FAILED) and message.location["url"] == self.page.url
        if message.type == "error" and not is_page_itself:
            self.faults.append(f"console: {message.text}")

    def _watch(self, request: Request) -> None:
        if not request.url.startswith((f"{self.site}/", "data:")):
            self.faults.append(f"from elsewhere: {request.url}")
