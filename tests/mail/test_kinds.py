"""Every kind of notice has a definition that lacks no answer, and nobody else knows one kind from another."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from games.mail import brief_push, kinds
from games.mail.kinds import KINDS, Logged, NoticeKind, kind_of, kinds_that
from games.models import Game, Notice
from tests.cast import AT, play_random, put_in_season

ROOT = Path(__file__).parents[2]
HOME = ROOT / "games/mail/kinds"
NEEDED = {"name", "is_still_true", "sending", "subject", "lead", "notes", "button", "stamp", "log"}
EXTRA = (HOME / "nudge.py").read_text().replace("Kind.NUDGE", "Kind.EXTRA")
IMPORT = (
    "import django; django.setup(); from games.mail import Logged, kind_of; print(kind_of('extra').log(Logged('bob')))"
)


# --- Definitions ---------------------------------------------------------------------------------


def test_each_kind_of_the_database_has_one_definition() -> None:
    assert [kind.name for kind in KINDS.values()] == list(Notice.Kind) == [Notice.Kind(name) for name in KINDS]
    assert kind_of("turn").name is Notice.Kind.TURN
    with pytest.raises(ValueError, match="extra"):
        kind_of("extra")


@pytest.mark.parametrize("name", sorted(NEEDED))
def test_a_definition_lacks_no_answer_that_no_kind_may_forget(name: str) -> None:
    definition: type[Any] = NoticeKind
    assert definition(**dict.fromkeys(NEEDED))
    with pytest.raises(TypeError, match=f"missing 1 required keyword-only argument: '{name}'"):
        definition(**dict.fromkeys(NEEDED - {name}))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A copy of the site, to which a kind can be added."""
    for folder in ("games", "clans_site", "templates"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "static"))
    return tmp_path


def add_kind(site: Path, definition: str) -> None:
    (site / "games/mail/kinds/extra.py").write_text(definition)
    model = site / "games/models/notice.py"
    register = '    TEST = "test", _("test")\n'
    assert register in model.read_text()
    model.write_text(model.read_text().replace(register, register + '    EXTRA = "extra", _("extra")\n'))


def start(site: Path) -> subprocess.CompletedProcess[str]:
    env = {"DJANGO_SETTINGS_MODULE": "clans_site.settings", "VAR_DIR": str(site / "var")}
    return subprocess.run([sys.executable, "-c", IMPORT], cwd=site, env=env, capture_output=True, text=True, timeout=60)


def test_another_kind_is_a_file_and_a_line(site: Path) -> None:
    add_kind(site, EXTRA)
    started = start(site)
    assert (started.returncode, started.stdout) == (0, "bob nudges you\n"), started.stderr


def test_another_kind_that_lacks_an_answer_does_not_start(site: Path) -> None:
    answer = "    subject=_subject,\n"
    assert answer in EXTRA
    add_kind(site, EXTRA.replace(answer, ""))
    started = start(site)
    assert started.returncode == 1
    assert "missing 1 required keyword-only argument: 'subject'" in started.stderr


def test_a_kind_without_a_definition_does_not_start(site: Path) -> None:
    add_kind(site, EXTRA)
    (site / "games/mail/kinds/extra.py").unlink()
    assert "Notice.Kind has kinds without a module in games/mail/kinds: extra." in start(site).stderr


@pytest.mark.parametrize(
    "definition", [pytest.param("", id="none"), pytest.param(EXTRA.replace("Kind.EXTRA", "Kind.NUDGE"), id="another's")]
)
def test_a_file_without_a_definition_of_its_kind_is_refused(
    definition: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "extra.py").write_text(definition)
    monkeypatch.setattr(kinds, "__path__", [*kinds.__path__, str(tmp_path)])
    with pytest.raises(ImproperlyConfigured, match=r"modules without a kind in Notice\.Kind .*: extra\."):
        kinds._load()
    with pytest.raises(ImproperlyConfigured, match=r"kinds/extra\.py has no KIND that is the definition of extra\."):
        kinds._load_one("extra")
    monkeypatch.delitem(sys.modules, "games.mail.kinds.extra")


# --- What they answer ----------------------------------------------------------------------------


@pytest.fixture
def said(game: Game) -> dict[str, list[str]]:
    """Each line that each kind says of a game that runs, elsewhere than in its mail's text."""
    play_random(game, 7)
    put_in_season(game)
    seat = game.seats.select_related("game", "player").order_by("joined")[0]
    lines = {}
    for kind in KINDS.values():
        notice = Notice(seat=seat, kind=kind.name, ply=game.ply, about=1, created_at=AT)
        push = brief_push(notice, at=AT)
        lines[str(kind.name)] = [push.title, push.body, kind.log(Logged("bob", 7)), kind.log(Logged())]
    return lines


def test_each_says_something_of_its_own_in_a_line(said: dict[str, list[str]]) -> None:
    for lines in said.values():
        assert all(line and line.isprintable() and len(line) <= 140 for line in lines)
    for place in (0, 2, 3):
        assert len({lines[place] for lines in said.values()}) == len(KINDS)


def test_kinds_are_told_apart_where_it_counts() -> None:
    assert set(kinds_that(lambda kind: kind.sending.is_urgent)) == {"reminder", "nudge", "autopilot", "next"}
    assert set(kinds_that(lambda kind: kind.sending.waits_for_presence)) == {
        "turn",
        "started",
        "finished",
        "autopilot",
        "proposal",
        "withdrawn",
        "resigned",
        "postcard",
    }
    assert set(kinds_that(lambda kind: kind.asks_for_move)) == {"turn", "reminder", "nudge"}
    assert kinds_that(lambda kind: kind.sending.is_requested) == ("receipt", "test")
    assert kind_of("started").left_out_beside == "turn"


# --- Nobody else knows them ----------------------------------------------------------------------


def modules() -> Iterator[Path]:
    """Modules of the site that may not tell kinds apart."""
    for path in sorted((ROOT / "games").rglob("*.py")):
        if HOME not in path.parents and "migrations" not in path.parts and path != ROOT / "games/models/notice.py":
            yield path


def kinds_told_apart(source: str) -> list[str]:
    """Where the source compares with a kind of notice, matches one, or has one in a collection, by its expression."""
    tree = ast.parse(source)
    aliases = {"Notice.Kind"} | {
        ast.unparse(target)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target, value in bindings(node)
        if ast.unparse(value).endswith("Notice.Kind")
    }
    return [
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare | ast.MatchValue | ast.Set | ast.List | ast.Tuple | ast.Dict)
        and any(is_kind(part, aliases, by_name=speaks_of_kinds(node)) for part in ast.iter_child_nodes(node))
    ]


def bindings(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from zip(target.elts, node.value.elts, strict=True)
        else:
            yield target, node.value


def speaks_of_kinds(node: ast.AST) -> bool:
    """Whether the node compares something that is called a kind, so that a mere text may be meant as one."""
    return isinstance(node, ast.Compare) and any(
        ast.unparse(part).endswith("kind") for part in ast.iter_child_nodes(node)
    )


def is_kind(node: ast.AST, aliases: set[str], *, by_name: bool) -> bool:
    match node:
        case ast.Attribute(value=value, attr=attr):
            return attr in Notice.Kind.__members__ and any(ast.unparse(value).endswith(alias) for alias in aliases)
        case ast.Constant(value=str(value)):
            return by_name and value in Notice.Kind.values
    return False


def test_no_other_module_tells_kinds_apart() -> None:
    found = {str(path.relative_to(ROOT)): kinds_told_apart(path.read_text()) for path in modules()}
    assert {path: where for path, where in found.items() if where} == {}
    assert len(found) > 100


def test_that_it_would_be_found() -> None:
    assert kinds_told_apart("if notice.kind == Notice.Kind.TEST: pass")
    assert kinds_told_apart("Kind, Reason = Notice.Kind, Notice.Reason\nURGENT = frozenset({Kind.NUDGE})")
    assert kinds_told_apart("Kind = models.Notice.Kind\nmatch kind:\n  case Kind.TURN | Kind.NUDGE: pass")
    assert kinds_told_apart("SAYS = {Notice.Kind.TURN: 1}")
    assert kinds_told_apart("call.kind != 'turn'")
    assert not kinds_told_apart("owe(seats, kind=Notice.Kind.TURN)\nKind = Webhook.Kind\nhook.kind == Kind.JSON")


def test_no_template_tells_kinds_apart() -> None:
    for path in (ROOT / "templates").rglob("*.*"):
        assert "kind ==" not in path.read_text(), path
