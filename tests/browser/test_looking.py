"""What the critic of pages finds where only some windows or themes show it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.looking import Look

PAGE = """
<!DOCTYPE html><html lang="en"><title>A page</title><style>
:root {{ color-scheme: light dark; color: light-dark(#111, #eee); background: light-dark(#eee, #111) }}
{style}
</style><main><h1>A page</h1><p>It has words.</p><button class="sign"></button></main></html>
"""
FINE = ".sign { display: none }"


@pytest.fixture
def look(browser: Browser) -> Iterator[Look]:
    with browser.new_context(reduced_motion="reduce") as context:
        yield Look(context.new_page())


@pytest.mark.parametrize(
    ("style", "faults"),
    [
        ("", set()),
        ("@media (width < 350px) { h1 { width: 400px } }", {"320 px: scrolls to the side"}),
        (
            "@media (700px < width < 900px) { p { color: #777 } }",
            {"768 px, light: color-contrast", "768 px, dark: color-contrast"},
        ),
        (
            "@media (prefers-color-scheme: dark) and (width > 1400px) { p { color: #555 } }",
            {"1440 px, dark: color-contrast"},
        ),
        (":root { color: #555 } main { display: contents }", {"360 px, dark: color-contrast"}),
        (
            "p { color: #777 } @media (width < 700px) { p { position: absolute; clip-path: inset(50%) } }",
            {"768 px, light: color-contrast", "768 px, dark: color-contrast"},
        ),
        ("@media (width: 844px) { .sign { display: block; padding: 25px } }", {"844 px, light: button-name"}),
    ],
)
def test_it_finds_what_is_wrong_in_one_window_alone(look: Look, style: str, faults: set[str]) -> None:
    body = PAGE.format(style=FINE + style)
    look.page.route("**/*", lambda route: route.fulfill(body=body, content_type="text/html"))
    look.site = "http://page.test"

    assert look.open("/") == 200

    assert {fault.partition(" (")[0].partition(" by ")[0] for fault in look.judge()} == faults


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("p { color: #000; background: #fff }", "main { opacity: 0.3 } p { color: #000; background: #fff }"),
        ("p { color: #888; font-size: 30px }", "p { color: #888 }"),
        ("p { color: #777; clip-path: inset(50%) }", "p { color: #777 }"),
        ("main { overflow: hidden; height: 9px; width: 9px } p { color: #777; margin-top: 90px }", "p { color: #777 }"),
    ],
)
def test_what_was_judged_on_a_page_before_hides_no_fault(look: Look, before: str, now: str) -> None:
    styles = iter([before, now])
    look.page.route(
        "**/*",
        lambda route: route.fulfill(body=PAGE.format(style=FINE + next(styles)), content_type="text/html"),
    )
    look.site = "http://page.test"

    look.open("/")
    assert not [fault for fault in look.judge() if "px, light: color-contrast" in fault]
    look.open("/")
    assert [fault for fault in look.judge() if "px, light: color-contrast" in fault]
