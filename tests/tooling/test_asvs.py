"""docs/asvs.md: its counts are right, and what it names is there."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from tests.faults.proxies import documented

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/asvs.md").read_text()
ROW = re.compile(
    r"^\| (\d+\.\d+\.\d+) \| ([12]) \| .+ \| (met|\*\*not met\*\*|does not apply) \| (.+) \|$", re.MULTILINE
)
COUNT = re.compile(r"^\| ([12]) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE)
NAMED = re.compile(r"`([\w./*-]+\.(?:py|md|txt|js|html|toml))(?:::(\w+))?`")
ALL = {"1": 70, "2": 183}
"""So many requirements the standard has of each level."""


def test_it_has_every_requirement_once() -> None:
    rows = ROW.findall(PAGE)
    assert len({number for number, *_rest in rows}) == len(rows)
    assert Counter(level for _number, level, *_rest in rows) == ALL


def test_its_counts_are_right() -> None:
    told = {level: tuple(map(int, counts)) for level, *counts in COUNT.findall(PAGE)}
    kinds = Counter((level, kind) for _number, level, kind, _by in ROW.findall(PAGE))
    for level, all_of_it in ALL.items():
        counts = tuple(kinds[level, kind] for kind in ("met", "**not met**", "does not apply"))
        assert told[level] == (all_of_it, *counts)
    assert kinds["1", "**not met**"] == 0
    assert kinds["2", "met"] >= 9 * kinds["2", "**not met**"]


def test_what_it_names_is_there() -> None:
    for path, test in NAMED.findall(PAGE):
        files = list(ROOT.glob(path))
        assert files, path
        assert not test or f"def {test}(" in files[0].read_text(), f"{path}::{test}"


def test_what_is_met_says_by_what() -> None:
    for number, _level, kind, by in ROW.findall(PAGE):
        assert kind != "met" or len(by) > 5, number


def test_nginx_is_told_the_versions_of_tls() -> None:
    assert "ssl_protocols TLSv1.2 TLSv1.3;" in documented("/etc/nginx/sites-available/clans")


def test_the_site_cannot_read_its_history() -> None:
    assert "InaccessiblePaths=-/srv/clans/site/.git" in documented("/etc/systemd/system/clans.service")
