from __future__ import annotations

import ast
import re
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


ROOMS_OF_PAGES = {"table", "lists", "replay", "practice", "player", "accounts"}


def room_of(module: str) -> str:
    """`games.pages.table.board` lies in `pages.table`, `games.mail.plan` in `mail`."""
    _games, *path = module.split(".")
    return ".".join(path[: 2 if path[0] == "pages" else 1])


def arrows() -> set[tuple[str, str]]:
    """Which room imports from which, by the modules that they import."""
    sources = [source for source in (ROOT / "games").rglob("*.py") if "migrations" not in source.parts]
    names = {source.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".") for source in sources}
    found = set()
    for source in sources:
        module = source.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
        for node in ast.walk(ast.parse(source.read_text())):
            if not isinstance(node, ast.ImportFrom) or node.level or not str(node.module).startswith("games"):
                continue
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                asked = whole if whole in names or f"{whole}.__init__" in names else str(node.module)
                if "." in module and "." in asked and room_of(module) != room_of(asked):
                    found.add((room_of(module), room_of(asked)))
    return found


def test_no_room_imports_from_one_that_imports_from_it() -> None:
    """Nor by way of others."""
    left = arrows()
    assert ("pages.table", "pov") in left
    while True:
        entered = {room for _from, room in left}
        outer = {arrow for arrow in left if arrow[0] not in entered}
        if not outer:
            break
        left -= outer
    assert left == set()


def test_the_rooms_of_pages_have_few_arrows() -> None:
    within = {(begin, end) for begin, end in arrows() if begin.startswith("pages.") and end.startswith("pages.")}
    assert {begin.removeprefix("pages.") for begin, _end in within} >= ROOMS_OF_PAGES - {"practice"}
    assert len(within) <= 30


def sources() -> list[str]:
    return [source.read_text() for room in ("clans_site", "games") for source in sorted((ROOT / room).rglob("*.py"))]


def test_it_has_at_most_40_caches() -> None:
    """Each is a mechanism that has to gain something (design 2.18)."""
    caches = re.findall(
        r"^ *@(?:functools\.)?(?:lru_cache|cache|cached)\b(?!_)|= Latest\(", "\n".join(sources()), re.MULTILINE
    )
    assert 0 < len(caches) <= 40


def test_its_functions_are_short() -> None:
    """Nine of ten have at most 15 lines, migrations aside."""
    trees = [ast.parse(source) for source in sources() if "class Migration(" not in source]
    functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    lines = sorted(node.end_lineno - node.lineno + 1 for node in functions if node.end_lineno)
    assert lines[len(lines) * 9 // 10] <= 15
