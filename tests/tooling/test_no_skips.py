from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SKIPPING = """
import pytest

@pytest.mark.skip(reason="no browser here")
def test_it_is_marked(): ...

def test_it_finds_out():
    pytest.skip("no browser here")

@pytest.fixture
def browser():
    pytest.skip("no browser here")

def test_it_needs_something(browser): ...
"""


@pytest.mark.parametrize(("ci", "exit_code", "outcome"), [("", 0, "3 skipped"), ("true", 1, "failed")])
def test_it_fails_in_ci_what_it_skips_elsewhere(tmp_path: Path, ci: str, exit_code: int, outcome: str) -> None:
    (tmp_path / "test_skipping.py").write_text(SKIPPING)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "tests.plugin",
            "-p",
            "no:django",
            "-p",
            "no:randomly",
            "-q",
            str(tmp_path),
        ],
        cwd=tmp_path,
        env={**os.environ, "CI": ci, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == exit_code, done.stdout
    assert outcome in done.stdout.splitlines()[-1]
    assert ci == "" or "skipped" not in done.stdout.splitlines()[-1]
