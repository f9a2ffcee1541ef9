"""What docs/contributing.md and docs/tests.md name is there: files, tests, make targets, headings, commands of
manage.py. So are the files that README.md, docs/architecture.md and docs/design.md name, and the decisions that others
cite."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).parents[2]
CONTRIBUTING = (ROOT / "docs/contributing.md").read_text()
GUIDE = CONTRIBUTING + (ROOT / "docs/tests.md").read_text()
ARCHITECTURE = (ROOT / "docs/architecture.md").read_text()
DESIGN = (ROOT / "docs/design.md").read_text()
README = (ROOT / "README.md").read_text()
ENDINGS = ("py", "md", "html", "txt", "css", "js", "json", "toml")
CODE = re.findall(r"`([^`\n]+)`", GUIDE)
ARCHITECTURE_CODE = re.findall(r"`([^`\n]+)`", ARCHITECTURE + DESIGN)
BLOCKS = re.findall(r"^```sh\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
HOW_TO = re.findall(r"^## (How to .+)$", CONTRIBUTING, re.MULTILINE)
SECTIONS = dict(re.findall(r"^## (How to .+)\n((?:(?!## ).*\n)*)", CONTRIBUTING, re.MULTILINE))
PLACEHOLDER = re.compile(r"\b[A-Z]{4,}\b")
"""What a reader fills in: `games/mail/kinds/NAME.py`."""


def named_files(codes: Iterable[str] = (*CODE, *BLOCKS)) -> list[str]:
    """The files, folders and tests that are named, without what a command says before and after them."""
    words = [word.strip('"') for code in codes for word in code.split()]
    return sorted({word for word in words if is_path(word)})


def is_path(word: str) -> bool:
    file = word.partition("::")[0]
    is_file = "/" in file and file.rpartition(".")[2] in ENDINGS
    is_folder = re.fullmatch(r"(games|tests|docs|templates|clans_site|tools|bench|requirements)/[\w/-]*", file)
    return is_file or bool(is_folder)


def is_there(path: str) -> bool:
    """Whether there is such a file; those of tests/ and of games/ may be named without that folder. Of a file that is
    still to be written there is the folder."""
    if PLACEHOLDER.search(path):
        path = path.rstrip("/").rpartition("/")[0]
    return any(any(folder.glob(path)) for folder in (ROOT, ROOT / "tests", ROOT / "games"))


def slug(heading: str) -> str:
    """The anchor that a heading gets."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_it_sees_what_is_named() -> None:
    assert {"games/play/finish.py", "games/words/", "docs/rules.md", "tests/rules"} <= set(named_files())
    assert not is_there("games/play/nowhere.py")
    assert is_there("play/test_turns.py")


@pytest.mark.parametrize("name", named_files())
def test_it_names_files_and_tests_that_exist(name: str) -> None:
    path, _colons, test = name.partition("::")
    assert is_there(path)
    if test:
        assert f"def {test}(" in (ROOT / "tests" / path).read_text()


@pytest.mark.parametrize("name", named_files(ARCHITECTURE_CODE))
def test_architecture_and_design_name_files_that_exist(name: str) -> None:
    assert is_there(name)


@pytest.mark.parametrize("name", named_files(re.findall(r"`([^`\n]+)`", README)))
def test_the_readme_names_files_that_exist(name: str) -> None:
    assert is_there(name)


def test_decisions_that_are_cited_exist() -> None:
    decisions = set(re.findall(r"^### (\d+\.\d+) ", DESIGN, re.MULTILINE))
    sources = [path for folder in ("games", "clans_site", "docs", "tests") for path in (ROOT / folder).rglob("*")]
    texts = [path.read_text() for path in sources if path.suffix in (".py", ".md", ".js", ".css", ".html")]
    cited = {number for text in texts for number in re.findall(r"\bdesign (\d+(?:\.\d+)?)", text)}
    cited |= set(re.findall(r"\((\d\.\d+)\)", DESIGN))
    assert len(cited) > 10
    assert cited <= decisions


def files_of_rooms() -> list[tuple[str, str]]:
    """The files that the list of rooms names, each with the folder of its entry."""
    rooms = ARCHITECTURE.partition("```\n")[2].partition("```")[0]
    entries = re.findall(r"^( {0,2})(?:(\w+/) +)?(\S.*\n(?: {6}.*\n)*)", rooms, re.MULTILINE)
    return [
        (("games/" if indent else "") + folder, file)
        for indent, folder, text in entries
        for file in re.findall(r"\b\w+\.py\b", text)
    ]


def test_it_sees_the_files_of_rooms() -> None:
    named = files_of_rooms()
    assert {("clans_site/", "settings.py"), ("games/play/", "announce.py"), ("games/", "limits.py")} <= set(named)
    assert len(named) == len(re.findall(r"\b\w+\.py\b", ARCHITECTURE.partition("```\n")[2].partition("```")[0]))


@pytest.mark.parametrize(("folder", "file"), files_of_rooms())
def test_rooms_have_the_files_that_architecture_names(folder: str, file: str) -> None:
    assert any((ROOT / folder).rglob(file))


@pytest.mark.parametrize("folder", ["games/bots/", "games/importing/", "games/play/", "games/words/"])
def test_architecture_names_each_file_of_these_rooms(folder: str) -> None:
    """Whoever looks for a sentence, or for what changes a game, reads there which file has it."""
    named = {file for room, file in files_of_rooms() if room == folder}
    assert {path.name for path in (ROOT / folder).glob("[!_]*.py")} == named


def test_it_names_make_targets_and_commands_that_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z]+)`|`(?:[A-Z_]+=\S+ )*make ([a-z]+)", GUIDE))
    assert {target for pair in named for target in pair if target} - targets == set()
    commands = set(re.findall(r"manage\.py ([a-z_]+)", GUIDE))
    assert commands
    assert commands <= set(get_commands())


@pytest.mark.parametrize("module", sorted(set(re.findall(r"-m ((?:tools|tests|bench)[\w.]*)", GUIDE))))
def test_it_runs_modules_that_exist(module: str) -> None:
    path = ROOT / module.replace(".", "/")
    assert path.with_suffix(".py").exists() or (path / "__main__.py").exists()


def test_it_lists_every_measurement() -> None:
    table = GUIDE.partition("\n| `python -m bench` |")[2].partition("\n\n")[0]
    there = {path.stem for path in (ROOT / "bench").glob("[!_]*.py")}
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == there


@pytest.mark.parametrize("page", ["contributing.md", "tests.md"])
def test_its_links_lead_somewhere(page: str) -> None:
    links = re.findall(r"\]\(([^)]+)\)", (ROOT / "docs" / page).read_text())
    assert links
    for link in links:
        file, _hash, anchor = link.partition("#")
        text = (ROOT / "docs" / (file or page)).read_text()
        assert not anchor or anchor in {slug(heading) for heading in re.findall(r"^##+ (.+)$", text, re.MULTILINE)}


@pytest.mark.parametrize("heading", HOW_TO)
def test_it_lists_every_how_to_at_the_top(heading: str) -> None:
    top = CONTRIBUTING.partition("\n## ")[0]
    assert f"(#{slug(heading)})" in top


@pytest.mark.parametrize("heading", HOW_TO)
def test_it_names_functions_and_fields_that_its_files_have(heading: str) -> None:
    codes = re.findall(r"`([^`\n]+)`", SECTIONS[heading])
    files = [ROOT / name for name in named_files(codes) if (ROOT / name).is_file()]
    texts = "\n".join(file.read_text() for file in files)
    names = {code for code in codes if re.fullmatch(r"[A-Za-z]*_\w+|[a-z]+|[A-Z][a-z]+\w*", code)}
    assert {name for name in names if not re.search(rf"\b{name}\b", texts)} == set()
