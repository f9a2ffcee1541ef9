"""Where the focus of the keyboard is after a form was corrected, in Chromium."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Browser, expect
from pytest_django import DjangoDbBlocker

from tests.browser.hotseat import at_the_database, sign_in
from tests.cast import make_player
from tests.servers import Site

pytestmark = pytest.mark.timeout(120)
SUMMARY = "_form_summary.html"
TEMPLATES = (settings.BASE_DIR / "templates").rglob("*.html")
WITH_LINKS = sorted(path for path in TEMPLATES if "<form" in (text := path.read_text()) and SUMMARY in text)
"""The templates of forms above which their errors are listed, each with a link to its field."""


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_the_focus_goes_to_what_was_saved_and_not_to_the_field_that_was_wrong(
    browser: Browser, web: Site, django_db_blocker: DjangoDbBlocker, script: bool
) -> None:
    """The address of the field that a link has led to would go with the form, and with the page that follows."""
    session = at_the_database(web, django_db_blocker, lambda: sign_in(make_player(f"away{script:d}")))
    with browser.new_context(java_script_enabled=script) as context:
        context.add_cookies([{"name": "sessionid", "value": session, "url": web.url}])
        page = context.new_page()
        page.goto(f"{web.url}/vacation/")
        page.get_by_role("button", name="Plan this vacation").press("Enter")
        expect(page.get_by_role("alert")).to_be_focused()
        page.get_by_role("link", name="First day").press("Enter")
        for label in ("First day", "Last day"):
            page.get_by_label(label).fill(f"{timezone.localdate() + timedelta(days=9)}")
        page.get_by_role("button", name="Plan this vacation").press("Enter")
        expect(page.locator(".flashes")).to_have_text("Your vacation is planned.")
        expect(page.locator(".flashes")).to_be_focused()


@pytest.mark.parametrize("path", WITH_LINKS, ids=lambda path: path.stem)
def test_every_form_that_links_to_its_fields_names_its_address(path: Path) -> None:
    before, _summary, _after = path.read_text().partition(SUMMARY)
    form = before[before.rindex("<form") :]

    assert " action=" in form[: form.index(">")]
