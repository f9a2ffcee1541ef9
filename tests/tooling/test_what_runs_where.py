"""`make test` and `make judge` together run every test, and docs/tests.md says which runs where."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.judge import JUDGED, LONGEST, TOGETHER, begins_first, group_of

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs/tests.md"
EIGHT = """
import pytest

@pytest.mark.parametrize("number", range(8))
def test_it(number):
    pass
"""


def test_it_leaves_out_of_one_what_runs_in_the_other() -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:randomly", "-m", "judge"]
    files = ["tests/look/test_html.py", "tests/look/test_times.py"]
    done = subprocess.run([*command, *files], cwd=ROOT, capture_output=True, text=True, check=True)
    said = done.stdout.splitlines()
    assert said[0] == "tests/look/test_html.py::test_it_writes_html_without_an_error"
    assert re.match(r"1/\d+ tests collected \(\d+ deselected\)", said[-1])


def test_it_calls_both_with_what_the_other_leaves_out() -> None:
    recipes = re.findall(r"^\t@\$\(pytest\) (-m .+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
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


def test_one_process_runs_what_keeps_together(tmp_path: Path) -> None:
    """Of two files with eight tests each"""
    together, single = "tests/faults/test_permissions.py", "tests/test_others.py"
    for file in (together, single):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(EIGHT)
    command = [sys.executable, "-m", "pytest", "-p", "tests.plugin", "-n", "2", "-v"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    ran = re.findall(r"^\[(gw\d)\] .* PASSED (\S+)::", done.stdout, re.MULTILINE)
    assert len(ran) == 16, done.stdout
    assert len({process for process, file in ran if file == together}) == 1
    assert len({process for process, _file in ran}) == 2


def test_all_tests_of_the_scenery_keep_together() -> None:
    files = [path for folder in ("api", "faults") for path in (ROOT / "tests" / folder).glob("test_*.py")]
    of_scenery = [str(file.relative_to(ROOT)) for file in files if "(scenery: Scenery" in file.read_text()]
    assert len(of_scenery) > 5
    assert [file for file in of_scenery if group_of(f"{file}::test") == f"{file}::test"] == []


@pytest.mark.parametrize("name", [*JUDGED, *LONGEST, *TOGETHER])
def test_it_knows_what_it_names(name: str) -> None:
    file, _colons, test = name.partition("[")[0].partition("::")
    module = ast.parse((ROOT / file).read_text())
    assert not test or test in {node.name for node in module.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("name", JUDGED)
def test_the_guide_tells_what_is_judged(name: str) -> None:
    test = name.removeprefix("tests/").partition("[")[0]
    assert f"`{test}`" in GUIDE.read_text()
