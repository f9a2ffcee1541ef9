from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ARCHITECTURE = (ROOT / "docs/architecture.md").read_text()


def rooms() -> list[str]:
    """What lies in clans_site and games: `settings.py`, `rules/`."""
    entries = [entry for room in ("clans_site", "games") for entry in (ROOT / room).glob("[!_.]*")]
    return sorted({f"{entry.name}/" if entry.is_dir() else entry.name for entry in entries})


def imported(source: Path) -> Iterator[str]:
    """The top-level packages that a module imports; "" for the package it lies in."""
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "" if node.level else str(node.module).partition(".")[0]


@pytest.mark.parametrize("room", rooms())
def test_it_tells_what_each_room_is_for(room: str) -> None:
    assert room in ARCHITECTURE


@pytest.mark.parametrize("room", ["rules", "bots", "clocks"])
def test_it_needs_the_standard_library_alone(room: str) -> None:
    """Which modules of the house they may know is for import-linter to say."""
    sources = list((ROOT / "games" / room).glob("*.py"))
    assert sources
    packages = {package for source in sources for package in imported(source)}
    assert packages <= sys.stdlib_module_names | {"", "games"}
