"""`make test` and `make judge` together run every test, and docs/contributing.md says which runs where."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.judge import JUDGED, LONGEST, begins_first

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs/contributing.md"


def test_it_leaves_out_of_one_what_runs_in_the_other() -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:randomly", "-m", "judge"]
    files = ["tests/look/test_html.py", "tests/look/test_times.py"]
    done = subprocess.run([*command, *files], cwd=ROOT, capture_output=True, text=True, check=True)
    said = done.stdout.splitlines()
    assert said[0] == "tests/look/test_html.py::test_it_writes_html_without_an_error"
    assert re.match(r"1/\d+ tests collected \(\d+ deselected\)", said[-1])


def test_it_calls_both_with_what_the_other_leaves_out() -> None:
    recipes = re.findall(r"^\t@\$\(pytest\) -n .+ (-m .+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert recipes == ['-m "not judge"', "-m judge"]
    calls = (ROOT / ".ci/run").read_text().splitlines()
    assert [call for call in calls if call.startswith("make ")] == ["make check", "make test", "make judge"]


def test_the_longest_begin_first() -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:randomly"]
    done = subprocess.run(
        [*command, "tests/bots/test_chances.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    first = [begins_first(line) for line in done.stdout.splitlines() if "::" in line]
    assert first == sorted(first, reverse=True)
    assert {*first} == {True, False}


@pytest.mark.parametrize("name", [*JUDGED, *LONGEST])
def test_it_knows_what_it_names(name: str) -> None:
    file, _colons, test = name.partition("::")
    module = ast.parse((ROOT / file).read_text())
    assert not test or test in {node.name for node in module.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("name", JUDGED)
def test_the_guide_tells_what_is_judged(name: str) -> None:
    assert f"`{name.removeprefix('tests/')}`" in GUIDE.read_text()
