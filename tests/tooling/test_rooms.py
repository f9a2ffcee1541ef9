from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from functools import cache
from operator import attrgetter
from pathlib import Path

import pytest
from django.apps import apps
from django.db.models import Model
from grimp import build_graph

ROOT = Path(__file__).parents[2]
ARCHITECTURE = (ROOT / "docs/architecture.md").read_text()


def entries(folder: str) -> list[Path]:
    """What lies in a folder of the program. What Python has compiled stays when the modules of a room are gone."""
    found = (ROOT / folder).glob("[!_.]*")
    return [entry for entry in found if entry.is_file() or any(file.suffix != ".pyc" for file in entry.rglob("*.*"))]


def rooms() -> list[str]:
    """What lies in clans_site and games: `settings.py`, `rules/`."""
    found = entries("clans_site") + entries("games")
    return sorted({f"{entry.name}/" if entry.is_dir() else entry.name for entry in found})


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


@pytest.mark.parametrize("model", list(apps.get_app_config("games").get_models()), ids=attrgetter("__name__"))
def test_it_names_each_model(model: type[Model]) -> None:
    assert re.search(rf"\b{model.__name__}\b", ARCHITECTURE.partition("  models/ ")[2].partition("  play/ ")[0])


@pytest.mark.parametrize(("room", "besides"), [("rules", ""), ("bots", ""), ("clocks", ""), ("league", "networkx")])
def test_it_needs_the_standard_library_alone(room: str, besides: str) -> None:
    """Which rooms they may know is for the table of imports to say."""
    sources = list((ROOT / "games" / room).rglob("*.py"))
    assert sources
    packages = {package for source in sources for package in imported(source)}
    assert packages <= sys.stdlib_module_names | {"", "games", besides}


def test_two_modules_alone_import_celery() -> None:
    sources = (ROOT / "games").rglob("*.py")
    assert {source.name for source in sources if "celery" in imported(source)} == {"enqueue.py", "tasks.py"}


ROOMS_OF_PAGES = {"table", "lists", "replay", "practice", "player", "accounts"}
PACKAGES_WITHIN = {"drawing.png"}
"""Packages inside of rooms that are imported as a whole, too."""


@cache
def imports() -> frozenset[tuple[str, str]]:
    """Which module imports which, also inside functions and for types alone: ("mail.plan", "models"). What lies in
    clans_site, as "clans_site.urls"."""
    graph = build_graph("games", "clans_site", cache_dir=None)
    found = {(module, to) for module in graph.modules for to in graph.find_modules_directly_imported_by(module)}
    return frozenset((module.removeprefix("games."), to.removeprefix("games.")) for module, to in found)


def room_of(module: str) -> str:
    """`pages.table.board_view` lies in `pages.table`, `mail.plan` in `mail`."""
    path = module.split(".")
    return ".".join(path[: 2 if path[0] == "pages" else 1])


def top_of(module: str) -> str:
    return module.partition(".")[0]


def arrows() -> set[tuple[str, str]]:
    """Which room imports from which."""
    return {(room_of(module), room_of(to)) for module, to in imports() if room_of(module) != room_of(to)}


def told(head: str) -> list[tuple[list[str], list[str]]]:
    """The names in the first two columns of a table of architecture.md."""
    rows = ARCHITECTURE.partition(f"\n| {head} |")[2].partition("\n\n")[0].splitlines()[2:]
    assert rows
    return [tuple(re.findall(r"`([^`]+)`", cell) for cell in row.split("|")[1:3]) for row in rows]  # type: ignore[misc]


def test_rooms_import_what_architecture_allows() -> None:
    """And it allows nothing that no room imports."""
    found = {(top_of(begin), top_of(end)) for begin, end in arrows() if top_of(begin) != top_of(end)}
    assert found == {(room, other) for names, others in told("room | imports") for room in names for other in others}


def test_architecture_says_of_each_room_what_it_imports() -> None:
    listed = [name for names, _others in told("room | imports") for name in names]
    there = {entry.stem for entry in entries("games")} - {"static"} | {"clans_site"}
    assert sorted(listed) == sorted(there)


def opened() -> set[tuple[str, str]]:
    """The imports that name a module inside a room, from outside of it: whose, and the module."""
    packages = {top_of(to) for _module, to in imports()} | PACKAGES_WITHIN
    return {
        (top_of(module), to)
        for module, to in imports()
        for package in packages
        if to.startswith(f"{package}.") and not f"{module}.".startswith(f"{package}.")
    }


def test_a_room_is_imported_as_a_whole() -> None:
    """Except where architecture.md says otherwise, and each exception is needed."""
    names = told("room | imports by name")
    allowed = {(room, pattern) for rooms, patterns in names for room in rooms or ["*"] for pattern in patterns}
    by = {
        (room, to): [(who, name) for who, name in allowed if fnmatch(room, who) and fnmatch(to, name)]
        for room, to in opened()
    }
    assert {import_ for import_, exceptions in by.items() if not exceptions} == set()
    assert {exception for exceptions in by.values() for exception in exceptions} == allowed


def circles(arrows: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """The arrows that lie on circles, or between two of them."""
    left = set(arrows)
    while True:
        ends = {begin for begin, _end in left} & {end for _begin, end in left}
        inner = {(begin, end) for begin, end in left if begin in ends and end in ends}
        if inner == left:
            return left
        left = inner


def test_no_room_imports_from_one_that_imports_from_it() -> None:
    """Nor by way of others."""
    assert ("pages.table", "pov") in arrows()
    assert circles(arrows()) == set()


def test_no_module_imports_from_one_that_imports_from_it() -> None:
    """Nor by way of others, also inside functions and for types alone."""
    assert ("mail.plan", "models") in imports()
    assert circles(imports()) == set()


def test_the_rooms_of_pages_have_few_arrows() -> None:
    within = {(begin, end) for begin, end in arrows() if begin.startswith("pages.") and end.startswith("pages.")}
    assert {begin.removeprefix("pages.") for begin, _end in within} >= ROOMS_OF_PAGES - {"practice"}
    assert len(within) <= 30


def sources() -> list[str]:
    return [source.read_text() for room in ("clans_site", "games") for source in sorted((ROOT / room).rglob("*.py"))]


def test_it_has_at_most_40_caches() -> None:
    """Each is a mechanism that has to gain something (design 4.6)."""
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
