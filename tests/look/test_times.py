"""Times are said one way on every page: about how long ago in sight, the exact time in the title and for listeners."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

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
