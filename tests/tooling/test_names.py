"""No two classes share a name, and the glossary is short and true."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHARED = {
    "Command",  # of manage.py, whose name is that of the file
    "Migration",  # of Django, likewise
    "Move",  # of the rules, and the row that stores one
}
MOST_WORDS = 30


def sources() -> list[Path]:
    return [*(ROOT / "games").rglob("*.py"), *(ROOT / "clans_site").rglob("*.py")]


def test_no_two_classes_share_a_name() -> None:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for source in sources():
        for node in ast.parse(source.read_text()).body:
            if isinstance(node, ast.ClassDef):
                found[node.name].append(str(source.relative_to(ROOT)))
    assert {name: files for name, files in found.items() if len(files) > 1 and name not in SHARED} == {}


def test_its_glossary_has_few_words_and_each_is_used() -> None:
    table = (ROOT / "docs/architecture.md").read_text().partition("\n## 3 Words")[2]
    rows = re.findall(r"^\| ([a-z][a-z, ]*?)(?: \(.*\))? \| (.+) \|$", table, re.MULTILINE)[1:]
    assert 20 < len(rows) <= MOST_WORDS
    code = "\n".join(source.read_text() for source in sources()).lower()
    words = [word for names, _meaning in rows for word in names.split(", ")]
    assert [word for word in words if not re.search(rf"(?<![a-z]){word}(?![a-rt-z])", code)] == []
