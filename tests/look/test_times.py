"""Times are said one way on every page: about how long ago in sight, the exact time in the title and for listeners."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from games.pages.times import time_element
from games.words.times import moment_by_day, moment_from_now

TEMPLATES = Path(__file__).parents[2] / "templates"
BY_HAND = re.compile(r"<time|\|\s*(?:date|time|timesince|timeuntil)\b")


def written_by_hand(folder: Path) -> set[str]:
    """The templates that write a time themselves instead of by `{% when %}`."""
    return {str(file.relative_to(folder)) for file in folder.rglob("*.html") if BY_HAND.search(file.read_text("utf-8"))}


def test_it_says_every_time_the_same_way() -> None:
    assert {name for name in written_by_hand(TEMPLATES) if not name.startswith("mail/")} == set()


@pytest.mark.parametrize("text", ["<time>", "{{ at|date }}", '{{ at|date:"Y" }}', "{{ at | timesince }}"])
def test_it_notices_a_time_that_is_written_by_hand(tmp_path: Path, text: str) -> None:
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    assert written_by_hand(tmp_path) == {"page.html"}


def test_only_an_exact_time_may_break() -> None:
    now = datetime(2026, 3, 2, 20, tzinfo=UTC)
    later = now + timedelta(hours=44)
    rough, exact = (time_element(say(later, now=now, zone=UTC)) for say in (moment_from_now, moment_by_day))
    assert ">in\N{NO-BREAK SPACE}44\N{NO-BREAK SPACE}hours<" in rough
    assert ">Wednesday 4\N{NO-BREAK SPACE}March, 16:00<" in exact
